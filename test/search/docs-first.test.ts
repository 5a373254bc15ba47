import * as fc from "fast-check";
import { expect, test } from "vitest";

import type { Role } from "../../src/index/types.ts";
import { isFirst, subjectShare, withDocsFirst } from "../../src/search/docs-first.ts";

interface Scored {
  readonly name: string;
  readonly file: { readonly role: Role };
  readonly score: number;
  readonly lift?: number;
}

function files(
  ...scored: readonly (readonly [name: string, role: Role, score: number])[]
): readonly Scored[] {
  return scored.map(([name, role, score]) => ({ name, file: { role }, score }));
}

test("documentation and other files take turns, documentation first", () => {
  const found = withDocsFirst(
    files(
      ["a.ts", "code", 9],
      ["b.ts", "code", 8],
      ["a.test.ts", "tests", 7],
      ["a.md", "docs", 6],
      ["b.md", "docs", 2],
    ),
  );
  expect(found.map(({ name, score, lift }) => [name, score, lift])).toEqual([
    ["a.md", 9, 3],
    ["a.ts", 9, 0],
    ["b.md", 8, 6],
    ["b.ts", 8, 0],
    ["a.test.ts", 7, 0],
  ]);
});

test("several answers may come before each other file", () => {
  const some = files(
    ["a.ts", "code", 9],
    ["b.ts", "code", 8],
    ["1.test.ts", "tests", 7],
    ["2.test.ts", "tests", 6],
    ["3.test.ts", "tests", 5],
  );
  const found = withDocsFirst(some, ({ file: { role } }) => role === "tests", 2);
  expect(found.map(({ name }) => name)).toEqual([
    "1.test.ts",
    "2.test.ts",
    "a.ts",
    "3.test.ts",
    "b.ts",
  ]);
});

test("other answers than documentation take their turn with it", () => {
  const some = files(
    ["a.ts", "code", 9],
    ["b.ts", "code", 8],
    ["a.conf", "config", 7],
    ["a.md", "docs", 6],
  );
  const found = withDocsFirst(some, ({ file: { role } }) => role !== "code");
  expect(found.map(({ name }) => name)).toEqual(["a.conf", "a.ts", "a.md", "b.ts"]);
});

test("a passage that only has the verb of a question has no share of its subject", () => {
  const words = ["configure", "LDAP", "login", "groups"];
  const share = (found: Partial<Record<"inNames" | "inText" | "inPath", readonly string[]>>) =>
    subjectShare({ words, inNames: [], inText: [], inPath: [], ...found });
  expect(share({ inText: ["configure"], inNames: ["configure"] })).toBe(0);
  expect(share({ inText: ["configure", "LDAP"], inNames: ["LDAP"] })).toBe(1 / 3);
  expect(share({ inText: ["LDAP", "groups"], inPath: ["login"] })).toBe(1);
  expect(subjectShare({ words: [], inNames: [], inText: [], inPath: [] })).toBe(0);
});

test("a document without a word of the subject is not before a file that is about it", () => {
  expect(isFirst(0, 1)).toBe(false);
  expect(isFirst(0, 0.5)).toBe(true);
  expect(isFirst(0.2, 1)).toBe(true);
});

test("without documentation, or with nothing else, nothing changes", () => {
  for (const role of ["docs", "code"] as const) {
    const one = files(["a", role, 3], ["b", role, 2]);
    expect(withDocsFirst(one)).toEqual(one.map((file) => ({ ...file, lift: 0 })));
  }
  expect(withDocsFirst([])).toEqual([]);
});

test("no file is lost, each kind keeps its order, and scores never rise", () => {
  const some = fc.array(
    fc.record({
      file: fc.record({ role: fc.constantFrom<Role>("docs", "code", "tests", "config") }),
      score: fc.double({ min: -20, max: 20, noNaN: true }),
    }),
  );
  fc.assert(
    fc.property(some, (given) => {
      const sorted = given
        .toSorted((one, other) => other.score - one.score)
        .map((file, at): typeof file & { at: number; lift?: number } => ({ ...file, at }));
      const found = withDocsFirst(sorted);
      expect(found.map(({ at }) => at).toSorted((one, other) => one - other)).toEqual(
        sorted.map(({ at }) => at),
      );
      for (const isDocs of [true, false]) {
        const kind = found.filter(({ file }) => (file.role === "docs") === isDocs);
        expect(kind.map(({ at }) => at)).toEqual(
          kind.map(({ at }) => at).toSorted((one, other) => one - other),
        );
      }
      for (const [at, { score, lift = 0 }] of found.entries()) {
        expect(score).toBeGreaterThanOrEqual(found[at + 1]?.score ?? -Infinity);
        expect(lift).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});
