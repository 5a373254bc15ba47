// Features of a file relative to the other reranked files: a linear model of values cannot see which file is the most
// similar one.

import { FILE_FEATURES } from "./features.ts";

/** Features whose order counts, in the order of `rankFeatures`. */
export const RANKED_FEATURES = ["bestSimilarity", "topSimilarities"] as const;

/** The rank at which a file has half of the first file's value. */
const HALF = 3;

/**
 * Returns for each file, by its features in the order of `FILE_FEATURES`, a value for each of `RANKED_FEATURES`: 1 for
 * the first, less for the next, 0 for a file whose feature is 0. Equal files have the same rank.
 */
export function rankFeatures(
  files: readonly (readonly number[])[],
): readonly (readonly number[])[] {
  const all = files.map((): number[] => []);
  for (const name of RANKED_FEATURES) {
    const at = FILE_FEATURES.indexOf(name);
    const valueOf = (file: number): number => files[file]?.[at] ?? 0;
    const order = [...files.keys()].toSorted((one, other) => valueOf(other) - valueOf(one));
    let rank = 0;
    let last = Infinity;
    for (const [place, file] of order.entries()) {
      const value = valueOf(file);
      if (value < last) rank = place;
      last = value;
      all[file]?.push(value > 0 ? HALF / (HALF + rank) : 0);
    }
  }
  return all;
}
