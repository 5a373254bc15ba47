// The learned part of ranking: two linear models over named features, so that every part of a score can be
// explained. `scripts/ranking/train.ts` computes the weights.

import { CHUNK_FEATURES, FILE_FEATURES, PRODUCT_FEATURES } from "./features.ts";
import { RANKED_FEATURES } from "./rank-features.ts";
import { isDocumentation } from "../base/documents/document-formats.ts";
import { FileFlag, type FileFacts } from "../index/types.ts";
import documentWeights from "./document-weights.json" with { type: "json" };
import weights from "./ranking-weights.json" with { type: "json" };

/** Weights that select the chunks of a file, in the order of `CHUNK_FEATURES`. */
export const CHUNK_WEIGHTS = weightsInOrder(weights.chunk, CHUNK_FEATURES);

/** Names of the features that order files: those of the file, of its best chunk, products, and ranks. */
export const RANKING_FEATURES: readonly string[] = [
  ...FILE_FEATURES,
  ...CHUNK_FEATURES.map((name) => `best ${name}`),
  ...PRODUCT_FEATURES,
  ...RANKED_FEATURES.map((name) => `rank of ${name}`),
];

/** Weights that order files, in the order of `RANKING_FEATURES`. */
export const RANKING_WEIGHTS = weightsInOrder(weights.ranking, RANKING_FEATURES);

/** A model: the score is the sum of the weighted features and the bias. */
interface LinearModel {
  readonly chunk: readonly number[];
  readonly ranking: readonly number[];
  readonly bias: number;
  /** The weight of `rarityInDocument`, which is a feature of chunks. */
  readonly rarity: number;
}

const FILES: LinearModel = { chunk: CHUNK_WEIGHTS, ranking: RANKING_WEIGHTS, bias: 0, rarity: 0 };

/**
 * The model of documents: that of all files plus the weights from `scripts/ranking/documents.ts`. A manual has more
 * words of any question than a source file, but only one of its pages answers.
 */
const DOCUMENTS = modelOfDocuments();

type RankedAs = Pick<FileFacts, "language" | "role" | "flags">;

/**
 * Returns whether a file is ranked by its passages: documents, and HTML pages that people wrote as documentation. Pages
 * that a program generated from code only repeat the code.
 */
export function isRankedByPassages(file: RankedAs): boolean {
  return isDocumentation(file) && (file.flags & FileFlag.generated) === 0;
}

/** Returns the model for a file. */
export function modelOf(file: RankedAs): LinearModel {
  return isRankedByPassages(file) ? DOCUMENTS : FILES;
}

/** A passage of a document is scored as if it were the best one: each competes with the passages of all documents. */
function modelOfDocuments(): LinearModel {
  const from = FILE_FEATURES.length;
  const to = from + CHUNK_FEATURES.length;
  const chunk = [
    RANKING_WEIGHTS.slice(from, to),
    CHUNK_WEIGHTS.map((weight) => weight * documentWeights.chunkShare),
    weightsInOrder(documentWeights.chunk, CHUNK_FEATURES),
  ].reduce(sumOf);
  const ranking = sumOf(RANKING_WEIGHTS, weightsInOrder(documentWeights.ranking, RANKING_FEATURES));
  return {
    chunk,
    ranking: [...ranking.slice(0, from), ...chunk, ...ranking.slice(to)],
    bias: documentWeights.bias,
    rarity: documentWeights.rarityInDocument,
  };
}

function sumOf(one: readonly number[], other: readonly number[]): readonly number[] {
  return one.map((weight, at) => weight + (other[at] ?? 0));
}

/**
 * Returns the contribution of each feature to a score, by name, without negligible ones. `ofRarity`: the
 * `rarityInDocument` of the best chunk.
 */
export function contributions(
  features: readonly number[],
  { ranking, bias, rarity }: Omit<LinearModel, "chunk"> = FILES,
  ofRarity = 0,
): Readonly<Record<string, number>> {
  const parts: Record<string, number> = {};
  for (const [at, name] of RANKING_FEATURES.entries()) {
    const part = (features[at] ?? 0) * (ranking[at] ?? 0);
    if (Math.abs(part) >= 0.0005) parts[name] = part;
  }
  if (bias !== 0) parts["document"] = bias;
  if (rarity * ofRarity !== 0) parts["best rarityInDocument"] = rarity * ofRarity;
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
