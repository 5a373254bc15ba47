import { expect, test } from "vitest";

import { linesOfText } from "../../src/base/lines-of-text.ts";

test.each<[string, readonly string[]]>([
  ["", []],
  ["\n", [""]],
  ["a", ["a"]],
  ["a\n", ["a"]],
  ["a\r\nb", ["a", "b"]],
  ["a\r\nb\nc\n", ["a", "b", "c"]],
  ["a\rb\n", ["a\rb"]],
  ["a\n\n", ["a", ""]],
])("the lines of %j are %j", (text, lines) => {
  expect(linesOfText(text)).toEqual(lines);
});
