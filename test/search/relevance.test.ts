import { expect, test } from "vitest";

import { relevanceOf } from "../../src/search/relevance.ts";

test("relevance goes from 0 to 100 and grows with the score", () => {
  const scores = Array.from({ length: 60 }, (_none, at) => at - 20);
  const all = scores.map(relevanceOf);
  expect(all[0]).toBe(0);
  expect(all.at(-1)).toBe(100);
  expect(all).toEqual(all.toSorted((one, other) => one - other));
  expect(relevanceOf(10)).toBe(50);
});
