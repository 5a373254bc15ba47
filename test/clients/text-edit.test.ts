import { expect, test } from "vitest";

import { applyEdits, lineBreakOf, lineEnd, lineStart } from "../../src/clients/text-edit.ts";

test("edits in any order apply to the original offsets, and insertions at one keep theirs", () => {
  const edits = [
    { start: 6, end: 9, text: "THREE" },
    { start: 0, end: 3, text: "" },
    { start: 4, end: 4, text: "x" },
    { start: 4, end: 4, text: "y" },
  ];
  expect(applyEdits("one two three", edits)).toBe(" xytwTHREEhree");
  expect(applyEdits("unchanged", [])).toBe("unchanged");
});

test.each([
  ["a\r\nb", "\r\n"],
  ["a\nb\r\n", "\n"],
  ["\nb", "\n"],
  ["no line end", "\n"],
])("the line break of %j is %j", (text, expected) => {
  expect(lineBreakOf(text)).toBe(expected);
});

test.each([
  ["ab\ncd", 0, [0, 2]],
  ["ab\ncd", 2, [0, 2]],
  ["ab\ncd", 3, [3, 5]],
  ["ab\r\ncd", 1, [0, 2]],
  ["ab\r\ncd\r\n", 5, [4, 6]],
  ["\n", 0, [0, 0]],
  ["", 0, [0, 0]],
])("in %j the line around %i is %j", (text, offset, expected) => {
  expect([lineStart(text, offset), lineEnd(text, offset)]).toEqual(expected);
});
