import { expect, test } from "vitest";

import { alternatives } from "../../src/base/alternatives.ts";

test.each([
  [[], ""],
  [["auto"], "auto"],
  [["auto", "never"], "auto or never"],
  [["auto", "always", "never"], "auto, always or never"],
])("%j is the choice %j", (words, text) => {
  expect(alternatives(words)).toBe(text);
});
