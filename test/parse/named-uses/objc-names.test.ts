import { expect, test } from "vitest";

import { objcNames } from "../../../src/parse/named-uses/objc-names.ts";
import { definitionsByLine } from "../../../src/parse/symbols/definitions-by-line.ts";

const at = definitionsByLine([]);

function usesIn(text: string): readonly string[] {
  return objcNames(text, { symbols: [], ownerAt: at, typeAt: at }).map(
    ({ line, role, receiver = "", name }) => `${line} ${role} ${receiver} ${name}`,
  );
}

test("messages have their selectors in full", () => {
  expect(usesIn("[Store open:path mode:x ? a : b];\n[Store shared];\n")).toEqual([
    "1 type  Store",
    "1 call Store open:mode:",
    "2 type  Store",
    "2 call Store shared",
  ]);
});

test("types of variables, of new objects and of nested messages", () => {
  expect(
    usesIn("Store *one = [[Store alloc] initWith:x];\n[one open];\n[[one next] open];\n"),
  ).toEqual([
    "1 type  Store",
    "1 type  Store",
    "1 call Store alloc",
    "1 call @Store initWith:",
    "2 call @Store open",
    "3 call @Store next",
    "3 call ? open",
  ]);
});

test("inheritance, selectors, functions, and no lists and indexes", () => {
  expect(
    usesIn("@interface A : B <C>\n@end\n@selector(open:mode:);\nrun(list[count], @[x]);\n"),
  ).toEqual([
    "1 inherit  A",
    "1 inherit  B",
    "1 inherit  C",
    "3 value ? open:mode:",
    "4 call  run",
  ]);
});

test("deeply nested messages are read in linear time", () => {
  expect(usesIn("[a ".repeat(60_000))).toEqual([]);
  expect(usesIn("a:".repeat(60_000))).toEqual([]);
  expect(usesIn("@selector(".repeat(20_000))).toEqual([]);
});
