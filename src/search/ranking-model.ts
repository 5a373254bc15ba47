// The learned part of ranking: two linear models over named features, so that every part of a score can be
// explained. `scripts/ranking/train.ts` computes the weights.

import { CHUNK_FEATURES, CROSS_FEATURES, FILE_FEATURES } from "./features.ts";
import { RANKED_FEATURES } from "./rank-features.ts";
import weights from "./ranking-weights.json" with { type: "json" };

/** Weights that select the chunks of a file, in the order of `CHUNK_FEATURES`. */
export const CHUNK_WEIGHTS = weightsInOrder(weights.chunk, CHUNK_FEATURES);

/** Names of the features that order files: those of the file, of its best chunk, products, and ranks. */
export const RANKING_FEATURES: readonly string[] = [
  ...FILE_FEATURES,
  ...CHUNK_FEATURES.map((name) => `best ${name}`),
  ...CROSS_FEATURES.map(([feature, of]) => `${feature} × ${of}`),
  ...RANKED_FEATURES.map((name) => `rank of ${name}`),
];

/** Weights that order files, in the order of `RANKING_FEATURES`. */
export const RANKING_WEIGHTS = weightsInOrder(weights.ranking, RANKING_FEATURES);

/** Returns the contribution of each feature to a score, by name, without negligible ones. */
export function contributions(features: readonly number[]): Readonly<Record<string, number>> {
  const parts: Record<string, number> = {};
  for (const [at, name] of RANKING_FEATURES.entries()) {
    const part = (features[at] ?? 0) * (RANKING_WEIGHTS[at] ?? 0);
    if (Math.abs(part) >= 0.0005) parts[name] = part;
  }
  return parts;
}

/** Returns the sum of the features multiplied by their weights. */
export function scoreFeatures(features: readonly number[], by: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < by.length; at += 1) sum += (features[at] ?? 0) * (by[at] ?? 0);
  return sum;
}

/** Returns weights in the order of `names`. A feature without a weight gets the weight 0. */
export function weightsInOrder(
  byName: Readonly<Record<string, number>>,
  names: readonly string[],
): readonly number[] {
  return names.map((name) => byName[name] ?? 0);
}
