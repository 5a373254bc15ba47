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
])("%s is most like %s", (word, expected) => {
  expect(closestWord(word, NAMES)).toBe(expected);
});

test.each(["xyz", "", "tokens-max", "ab", "a-much-longer-word-than-any"])(
  '"%s" is like none of them',
  (word) => {
    expect(closestWord(word, NAMES)).toBeUndefined();
  },
);

test("of equals the first is taken", () => {
  expect(closestWord("cat", ["bat", "hat"])).toBe("bat");
});
