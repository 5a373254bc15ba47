import { expect, test } from "vitest";

import { hasQueryLength } from "../../src/base/query-length.ts";

test.each<[name: string, text: string, isWithin: boolean]>([
  ["no character", "", false],
  ["two", "ab", false],
  ["three", "abc", true],
  ["two beyond the basic plane", "🙂🙂", false],
  ["three beyond the basic plane", "🙂🙂🙂", true],
  ["ten thousand", "x".repeat(10_000), true],
  ["ten thousand beyond the basic plane", "🙂".repeat(10_000), true],
  ["one more", "x".repeat(10_001), false],
  ["one more beyond the basic plane", "🙂".repeat(10_001), false],
])("%s: within the limits: %s", (_name, text, isWithin) => {
  expect(hasQueryLength(text)).toBe(isWithin);
});

test("the lower limit may be another", () => {
  expect([hasQueryLength("🙂", 1), hasQueryLength("", 1)]).toEqual([true, false]);
});
