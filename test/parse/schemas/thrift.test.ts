import { expect, it } from "vitest";

import { schemaLines } from "./schema-lines.ts";

const thrift = (text: string): string[] => schemaLines(text, "thrift");

it("members need no separators", () => {
  const text =
    "struct A {\n  1: i32 b\n  2: list<map<i32, string>> c\n}\nenum D {\n  E\n  F = 2\n}\n";
  expect(thrift(text)).toEqual([
    "1-4 class A",
    "  2-2 field b",
    "  3-3 field c",
    "5-8 type D",
    "  6-6 constant E",
    "  7-7 constant F",
  ]);
});

it("functions have arguments and exceptions", () => {
  const text =
    "service A extends B {\n  map<i32, C> get(1: i32 id, 2: D d) throws (1: E e),\n  void put() (x = 'y');\n}";
  expect(thrift(text)).toEqual(["1-4 type A", "  2-2 method get", "  3-3 method put"]);
});
