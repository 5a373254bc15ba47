import { expect, test } from "vitest";

import { FILE_FEATURES } from "../../src/search/features.ts";
import { RANKED_FEATURES, rankFeatures } from "../../src/search/rank-features.ts";

/** A file with these values of `RANKED_FEATURES`. */
function fileWith(...values: readonly number[]): readonly number[] {
  return FILE_FEATURES.map((name) => {
    const at = RANKED_FEATURES.findIndex((ranked) => ranked === name);
    return values[at] ?? 0.5;
  });
}

test("each file has a value by its rank in each feature", () => {
  expect(rankFeatures([fileWith(0.2, 0.9), fileWith(0.8, 0.1), fileWith(0.5, 0.4)])).toEqual([
    [3 / 5, 1],
    [1, 3 / 5],
    [3 / 4, 3 / 4],
  ]);
});

test("equal files have the same rank, and without similarity there is none", () => {
  expect(rankFeatures([fileWith(0.5, 0), fileWith(0.5, 0), fileWith(0.4, 0)])).toEqual([
    [1, 0],
    [1, 0],
    [3 / 5, 0],
  ]);
  expect(rankFeatures([])).toEqual([]);
});
