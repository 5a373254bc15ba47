import { expect, test } from "vitest";

import { closestWord } from "../../src/base/closest-word.ts";

const NAMES = ["search", "serve", "symbols", "status", "max-tokens", "in"];

test.each([
  ["serach", "search"],
  ["sreve", "serve"],
  ["symbol", "symbols"],
  ["STATUS", "status"],
  ["max-tok", "max-tokens"],
  ["on", "in"],
  ["search", "search"],
])("%s is closest to %s", (word, expected) => {
  expect(closestWord(word, NAMES)).toBe(expected);
});

test.each(["xyz", "", "tokens-max", "ab", "a-much-longer-word-than-any"])(
  '"%s" is close to none of them',
  (word) => {
    expect(closestWord(word, NAMES)).toBeUndefined();
  },
);

test("of equally close candidates the first is returned", () => {
  expect(closestWord("cat", ["bat", "hat"])).toBe("bat");
});
