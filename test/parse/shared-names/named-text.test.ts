import { expect, test } from "vitest";

import {
  isInComment,
  lineNumbers,
  lineStartAt,
} from "../../../src/parse/shared-names/named-text.ts";

test("lines of offsets in ascending order", () => {
  const lineAt = lineNumbers("a\nbb\n\nc");
  expect([0, 2, 3, 6].map((offset) => lineAt(offset))).toEqual([1, 2, 2, 4]);
});

test.each([
  ["typescript", "  // a X", true],
  ["typescript", " * a X", true],
  ["python", "# a X", true],
  ["sql", "-- a X", true],
  ["c", "#define A X", false],
  ["rust", "#[get(X", false],
  ["typescript", "a = b * X", false],
  ["typescript", "*p = X", false],
])("%s: %s is a comment: %s", (language, line, expected) => {
  const text = `first\n${line}`;
  const file = { path: "a", baseName: "a", language, text, isTest: false };
  expect(isInComment(file, text.indexOf("X"))).toBe(expected);
});

test("the beginning of a very long line is not searched", () => {
  expect(lineStartAt("ab\ncd", 4)).toBe(3);
  expect(lineStartAt("a".repeat(1000), 1000)).toBe(600);
});
