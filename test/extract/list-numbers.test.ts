import { expect, it } from "vitest";

import { countIn } from "../../src/extract/list-numbers.ts";

it.each([
  ["decimal", 12, "12"],
  ["lowerLetter", 1, "a"],
  ["a", 28, "bb"],
  ["upperLetter", 26, "Z"],
  ["A", 1_000_000, "1000000"],
  ["lowerRoman", 1994, "mcmxciv"],
  ["I", 4, "IV"],
  ["upperRoman", 4000, "4000"],
  ["i", 0, "0"],
])("counts in the format %s: %d is %s", (format, count, text) => {
  expect(countIn(format, count)).toBe(text);
});
