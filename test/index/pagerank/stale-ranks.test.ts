import { expect, test } from "vitest";

import { areRanksStale, carriedCodes } from "../../../src/index/pagerank/stale-ranks.ts";
import { rankedFile } from "./ranked-files.ts";

test("ranks are stale when more than two in a hundred files have changed", () => {
  expect([areRanksStale(2, 100), areRanksStale(3, 100), areRanksStale(1, 0)]).toEqual([
    false,
    true,
    true,
  ]);
  expect(areRanksStale(0, 0)).toBe(false);
});

test("a symbol takes over the largest code of its qualified name", () => {
  const before = rankedFile("a.go", { defines: ["one", "two", "one"] }).symbols;
  const now = rankedFile("a.go", { defines: ["new", "one", "two"] }).symbols;
  expect(carriedCodes(before, (number) => [7, 8, 9][number] ?? 0, now)).toEqual([0, 9, 8]);
});
