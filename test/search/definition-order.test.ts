import { expect, test } from "vitest";

import {
  afterAlike,
  areAlikeRanked,
  DEFINITION_RANKS,
  definitionRank,
  isTypeOfC,
  type OrderedDefinition,
} from "../../src/search/definition-order.ts";
import { FileFlag } from "../../src/index/types.ts";

const CLASS: OrderedDefinition = {
  kind: "class",
  access: "exported",
  isMember: false,
  path: "src/engine.ts",
  language: "typescript",
  role: "code",
  flags: 0,
  hasTypeOfC: false,
};

/** The most likely first. */
const IN_ORDER: readonly (readonly [what: string, definition: OrderedDefinition])[] = [
  ["a class", CLASS],
  ["a class that only its package can use", { ...CLASS, access: "internal" }],
  ["a variable", { ...CLASS, kind: "constant" }],
  ["a class that only its file can use", { ...CLASS, access: "private" }],
  ["a method", { ...CLASS, kind: "method", isMember: true }],
  ["a function in a function", { ...CLASS, kind: "function", isMember: true, access: "private" }],
  ["a field", { ...CLASS, kind: "field", isMember: true }],
  ["a class of a declaration file", { ...CLASS, path: "src/engine.d.ts" }],
  ["a class of a test", { ...CLASS, role: "tests" }],
  ["a heading", { ...CLASS, kind: "section", role: "docs" }],
];

test.each(IN_ORDER.slice(1).map((entry, at) => [IN_ORDER[at]?.[0] ?? "", entry[0], at] as const))(
  "%s comes before %s",
  (_one, _other, at) => {
    const [first = 0, second = 0] = IN_ORDER.slice(at, at + 2).map(([, one]) =>
      definitionRank(one),
    );
    expect(first).toBeLessThan(second);
  },
);

test("a type in a type, a function of a namespace and a module are as likely as a class", () => {
  const rank = definitionRank(CLASS);
  for (const one of [
    { ...CLASS, isMember: true },
    { ...CLASS, kind: "type" as const },
    { ...CLASS, kind: "function" as const },
    { ...CLASS, kind: "function" as const, isMember: true },
    { ...CLASS, kind: "module" as const },
  ]) {
    expect(definitionRank(one)).toBe(rank);
  }
});

test("a type comes before an associated type of its name", () => {
  const associated: OrderedDefinition = { ...CLASS, kind: "type", isMember: true };
  expect(definitionRank({ ...CLASS, access: "internal" })).toBeLessThan(definitionRank(associated));
});

test("a function with a body comes before the one that a header declares", () => {
  const body: OrderedDefinition = { ...CLASS, kind: "function", access: "internal", path: "a.c" };
  const declared: OrderedDefinition = { ...body, access: "exported", path: "a.h" };
  expect(definitionRank(body)).toBeLessThan(definitionRank(declared));
  expect(areAlikeRanked(definitionRank(body), definitionRank(declared))).toBe(true);
  const structure: OrderedDefinition = { ...declared, kind: "class" };
  expect(definitionRank(structure)).toBe(definitionRank(CLASS));
});

test("a function of C is as likely as an exported one of a script, unless a type of C has its name", () => {
  const script: OrderedDefinition = {
    ...CLASS,
    kind: "function",
    path: "a.py",
    language: "python",
  };
  const file = { path: "a.c", language: "c", access: "internal" } as const;
  const body: OrderedDefinition = { ...script, ...file };
  expect(definitionRank(body)).toBe(definitionRank(script));
  expect(definitionRank({ ...body, hasTypeOfC: true })).toBeGreaterThan(definitionRank(script));
  expect(definitionRank({ ...body, access: "private" })).toBeGreaterThan(definitionRank(script));
  expect(isTypeOfC({ kind: "class", language: "cpp" })).toBe(true);
  expect(isTypeOfC({ kind: "class", language: "java" })).toBe(false);
  expect(isTypeOfC({ kind: "function", language: "c" })).toBe(false);
});

test("a static function of a header is as likely as a function in a source, and one of a class is not", () => {
  const body: OrderedDefinition = { ...CLASS, kind: "function", access: "internal", path: "a.c" };
  const shared: OrderedDefinition = { ...body, access: "private", path: "a.h" };
  expect(definitionRank(shared)).toBe(definitionRank(body));
  expect(definitionRank({ ...shared, path: "b.c" })).toBeGreaterThan(definitionRank(body));
  expect(definitionRank({ ...shared, isMember: true })).toBeGreaterThan(definitionRank(body));
});

test("ranks that differ in access only are alike, and what comes after them is before all others", () => {
  const all = IN_ORDER.map(([, one]) => definitionRank(one));
  expect(Math.max(...all)).toBeLessThan(DEFINITION_RANKS);
  expect(areAlikeRanked(all[0] ?? 0, all[1] ?? 0)).toBe(true);
  expect(areAlikeRanked(all[1] ?? 0, all[2] ?? 0)).toBe(false);
  expect(afterAlike(all[0] ?? 0)).toBeGreaterThan(all[1] ?? 0);
  expect(afterAlike(all[0] ?? 0)).toBeLessThan(all[2] ?? 0);
  expect(areAlikeRanked(afterAlike(all[0] ?? 0), all[0] ?? 0)).toBe(true);
});

test("examples, generated and other people's code come after the project's own", () => {
  for (const flags of [FileFlag.example, FileFlag.generated, FileFlag.vendored]) {
    const other: OrderedDefinition = { ...CLASS, flags };
    const field: OrderedDefinition = { ...CLASS, kind: "field", isMember: true };
    expect(definitionRank(other)).toBeGreaterThan(definitionRank(field));
  }
});
