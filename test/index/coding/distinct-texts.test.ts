import { expect, test } from "vitest";

import { DistinctTexts } from "../../../src/index/coding/distinct-texts.ts";

test("texts are numbered in the order in which they come, and equal ones have one number", () => {
  const texts = new DistinctTexts([""]);
  expect(["b", "a", "b", "", "\ud800", "\ufffd"].map((text) => texts.add(text))).toEqual([
    1, 2, 1, 0, 3, 3,
  ]);
  expect(texts.texts).toEqual(["", "b", "a", "\ufffd"]);
});
