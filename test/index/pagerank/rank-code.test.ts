import { expect, test } from "vitest";

import { rankCode, timesMean } from "../../../src/index/pagerank/rank-code.ts";

test("codes encode multiples of the mean", () => {
  expect(rankCode(0, 10)).toBe(0);
  expect(rankCode(0.1, 10)).toBe(128);
  expect(timesMean(rankCode(0.4, 10))).toBeCloseTo(4, 5);
  expect(rankCode(1, 1e9)).toBe(255);
  expect(rankCode(1e-12, 10)).toBe(1);
});
