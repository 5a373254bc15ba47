import { expect, test } from "vitest";

import { definitionsOf, usingFiles } from "../../../src/index/embedded/reference-lookup.ts";
import { symbolNames, symbolsNamed } from "../../../src/index/embedded/symbol-lookup.ts";
import type { FileInput, SymbolFacts } from "../../../src/index/types.ts";
import type { Part } from "../../helpers/naive-candidates.ts";
import { snapshotOf } from "../../helpers/searched-snapshots.ts";
import { textFile } from "../../helpers/segments.ts";

function symbol(name: string, startLine: number): SymbolFacts {
  const place = { startLine, endLine: startLine, nameLine: startLine };
  return { name, qualifiedName: name, kind: "function", access: "exported", ...place };
}

function defining(path: string, ...names: readonly string[]): FileInput {
  const uses = [
    { name: "used", line: 1, role: "call", owner: -1, target: -1, receiver: "", binding: -1 },
  ] as const;
  return textFile(path, names, {
    symbols: names.map((name, at) => symbol(name, at + 1)),
    references: { uses, imports: [], types: [], package: "" },
  });
}

function segments(parts: readonly Part[]) {
  return snapshotOf(parts).segments;
}

test("symbols of deleted files are neither found nor counted", () => {
  const snapshot = snapshotOf([
    { files: [defining("b.ts", "open", "Open"), defining("a.ts", "open")], dead: [0, 1] },
    { files: [defining("c.ts", "OPEN", "opener")], dead: [0] },
    { files: [defining("d.ts", "openAll")], dead: [1] },
  ]);
  const found = symbolsNamed(snapshot.segments, "OPEN", 9);
  expect(found.map(({ path, name, number }) => [path, name, number])).toEqual([
    ["c.ts", "OPEN", 0],
    ["b.ts", "open", 0],
    ["b.ts", "Open", 1],
  ]);
  expect(symbolNames(snapshot.segments, "op", 9)).toEqual(["OPEN", "Open", "open", "opener"]);
  expect(definitionsOf(snapshot, "open")).toBe(3);
  expect(usingFiles(snapshot, "used")).toBe(2);
});

test("of very many definitions those in the first files are read, whatever the segments", () => {
  const files = Array.from({ length: 700 }, (_, at) =>
    defining(`${String((at * 337) % 700).padStart(3, "0")}.ts`, "get", "get"),
  );
  const whole = [{ files, dead: files.map(() => 0) }];
  const divided = [files.slice(0, 100), files.slice(100, 650), files.slice(650)].map((some) => ({
    files: some,
    dead: some.map(() => 0),
  }));
  const [one, other] = [whole, divided].map((parts) => symbolsNamed(segments(parts), "get", 1000));
  expect(one).toHaveLength(500);
  expect(one?.at(-1)?.path).toBe("249.ts");
  expect(other).toEqual(one);
});

test("a name is spelled as in the first files", () => {
  const spellings = ["GET", "Get", "get", "gET", "gEt", "geT"];
  const files = spellings.map((name, at) => defining(`${9 - at}.ts`, name));
  const divided = [files.slice(0, 2), files.slice(2)].map((some) => ({
    files: some,
    dead: some.map(() => 0),
  }));
  expect(symbolNames(segments(divided), "g", 9)).toEqual(["gET", "gEt", "geT", "get"]);
});
