import { expect, test } from "vitest";
import { displayWidth, truncate, wrapText } from "../../../src/cli/print/width.ts";

test.each([
  ["abc", 3],
  ["日本", 4],
  ["e\u0301", 1],
  ["👩‍👩‍👧", 2],
  ["\u001b[31mred\u001b[39m", 3],
  ["", 0],
])("%j takes %i cells", (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

test.each([
  ["abcdef", 4, "abc…"],
  ["日本語", 4, "日…"],
  ["abc", 3, "abc"],
])("%s cut to %i cells is %s", (text, width, expected) => {
  expect(truncate(text, width)).toBe(expected);
});

test("wrapping keeps words whole", () => {
  expect(wrapText("one two  three\nunbreakable", 8)).toEqual(["one two", "three", "unbreakable"]);
});
