// Files about the same subject answer the same question: in prose, the files most similar to a file raise its score.
// docs/ranking.md#prose has the figures.

import type { Tokenizer } from "../parse/tokenizer.ts";
import type { ChunkFacts, FileFacts } from "../index/types.ts";
import type { Query } from "./parse-query.ts";
import {
  MAX_NEIGHBOUR_SHARE,
  MIN_CODE_SHARE,
  NEIGHBOUR_WEIGHT,
  NEIGHBOUR_WORDS,
  NEIGHBOURS,
  SUPPORTED_DEPTH,
} from "./weights.ts";

/** A chunk whose words are compared. */
export interface ComparedChunk {
  readonly file: FileFacts;
  readonly chunk: ChunkFacts;
}

/** What files are compared by. */
export interface NeighbourSource {
  /** Returns the current texts of chunks; undefined for one that cannot be read, or not at once. */
  readonly textsOf: (chunks: readonly ComparedChunk[]) => Promise<readonly (string | undefined)[]>;
  readonly terms: Tokenizer["terms"];
}

interface ScoredFile {
  readonly file: FileFacts;
  readonly score: number;
  readonly chunks: readonly { readonly chunk: { readonly facts: ChunkFacts } }[];
  /** Amount that was added to the file's own score for its place; may be negative. */
  readonly support?: number;
}

interface Asked {
  readonly query: Pick<Query, "words">;
  /** Share of documentation among the files, 0 to 1. */
  readonly docsShare: number;
}

interface Compared {
  readonly neighbours?: NeighbourSource | undefined;
  readonly logProbability?: ((word: string) => number | undefined) | undefined;
}

/** Rarity of an insignificant word, and of one that the table of word vectors does not contain. */
const COMMON = 5;
const RAREST = 15;
const UNKNOWN_RARITY = 14;
/**
 * Rarity of a word that only one of the texts has. It makes the texts less similar; looking it up would take a third of
 * the time.
 */
const RARITY_OF_SINGLE = 12;
/** Number of characters of each chunk that are compared. */
const MAX_TEXT_CHARS = 8192;

/**
 * Orders the first files by their scores and those of their neighbours, if the project is prose and the question long
 * enough. `files` must be sorted by score, descending; so is the result: a file takes the score of its place.
 */
export async function withSupport<File extends ScoredFile>(
  files: readonly File[],
  asked: Asked,
  { neighbours, logProbability = (): undefined => undefined }: Compared,
): Promise<readonly File[]> {
  const share = supportShare(asked);
  if (neighbours === undefined || share === 0 || files.length < 3) return files;
  const first = files.slice(0, SUPPORTED_DEPTH);
  const texts = await neighbours.textsOf(
    first.flatMap(({ file, chunks: [best] }) =>
      best === undefined ? [] : [{ file, chunk: best.chunk.facts }],
    ),
  );
  if (texts.length < first.length) return files;
  const similarities = similaritiesOf(texts, { terms: neighbours.terms, logProbability });
  const support = supportOf(
    first.map(({ score }) => score),
    similarities,
  );
  const order = first
    .map((file, at) => ({ file, sum: file.score + share * (support[at] ?? 0) }))
    .toSorted((one, other) => other.sum - one.sum);
  const supported = order.map(({ file }, at) => {
    const score = first[at]?.score ?? file.score;
    return { ...file, score, support: score - file.score };
  });
  return [...supported, ...files.slice(SUPPORTED_DEPTH)];
}

/** Returns how much neighbours count, 0 to 1: in prose, and in questions of several words. */
export function supportShare({ query: { words }, docsShare }: Asked): number {
  if (docsShare <= 1 - MIN_CODE_SHARE) return 0;
  const { from, to } = NEIGHBOUR_WORDS;
  return Math.min(1, Math.max(0, (words.length - from) / (to - from)));
}

/** Returns for each file the sum of its nearest files' scores above the mean, each weighted by its similarity. */
function supportOf(
  scores: readonly number[],
  similarities: readonly Float64Array[],
): readonly number[] {
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  return similarities.map((row) =>
    Array.from(row, (similarity, at) => ({ similarity, at }))
      .toSorted((one, other) => other.similarity - one.similarity)
      .slice(0, NEIGHBOURS)
      .reduce(
        (sum, { similarity, at }) =>
          sum +
          Math.min(MAX_NEIGHBOUR_SHARE, NEIGHBOUR_WEIGHT * similarity) *
            Math.max(0, (scores[at] ?? 0) - mean),
        0,
      ),
  );
}

/** Returns the cosines of each text with each other one, 0 with itself. */
export function similaritiesOf(
  texts: readonly (string | undefined)[],
  by: Pick<NeighbourSource, "terms"> & Required<Pick<Compared, "logProbability">>,
): readonly Float64Array[] {
  const products = productsOf(texts, by);
  const lengths = products.map((row, at) => Math.sqrt(row[at] ?? 0));
  return products.map((_, one) =>
    Float64Array.from(products, (__, other) => {
      const product = products[Math.max(one, other)]?.[Math.min(one, other)] ?? 0;
      if (one === other || product === 0) return 0;
      return product / ((lengths[one] ?? 1) * (lengths[other] ?? 1));
    }),
  );
}

/** Returns the inner products of each text with itself and those before it. */
function productsOf(
  texts: readonly (string | undefined)[],
  by: Parameters<typeof similaritiesOf>[1],
): readonly Float64Array[] {
  const size = texts.length;
  const { terms, counts } = countTerms(texts, by.terms);
  const products = texts.map(() => new Float64Array(size));
  const present: number[] = [];
  const values: number[] = [];
  for (const [term, row] of terms) {
    present.length = 0;
    for (let at = 0; at < size; at += 1) if ((counts[row + at] ?? 0) > 0) present.push(at);
    const rarity = present.length === 1 ? RARITY_OF_SINGLE : rarityOf(term, by);
    const weight = (rarity - COMMON) * (1 - present.length / size);
    if (weight <= 0) continue;
    for (const at of present) values[at] = weight * (1 + Math.log(counts[row + at] ?? 1));
    addProducts(products, present, values);
  }
  return products;
}

/** Adds the products of the values of one term in the texts that have it. */
function addProducts(
  products: readonly Float64Array[],
  present: readonly number[],
  values: readonly number[],
): void {
  for (const one of present) {
    const ofOne = products[one];
    if (ofOne === undefined) continue;
    const value = values[one] ?? 0;
    for (const other of present) {
      if (other <= one) ofOne[other] = (ofOne[other] ?? 0) + value * (values[other] ?? 0);
    }
  }
}

/** Returns by term where its counts begin: as many as there are texts. One array, as there are a thousand terms. */
function countTerms(
  texts: readonly (string | undefined)[],
  termsOf: NeighbourSource["terms"],
): { readonly terms: ReadonlyMap<string, number>; readonly counts: readonly number[] } {
  const terms = new Map<string, number>();
  const counts: number[] = [];
  for (const [at, text = ""] of texts.entries()) {
    termsOf(text.length > MAX_TEXT_CHARS ? text.slice(0, MAX_TEXT_CHARS) : text, (term) => {
      let row = terms.get(term);
      if (row === undefined) {
        row = counts.length;
        terms.set(term, row);
        for (let other = 0; other < texts.length; other += 1) counts.push(0);
      }
      counts[row + at] = (counts[row + at] ?? 0) + 1;
    });
  }
  return { terms, counts };
}

/** Returns how rare a word is in programs and their documentation. */
function rarityOf(
  term: string,
  { logProbability }: Required<Pick<Compared, "logProbability">>,
): number {
  const known = logProbability?.(term);
  // A table without probabilities gives 0 for every word.
  if (known === undefined || known === 0) return UNKNOWN_RARITY;
  return Math.min(RAREST, Math.max(COMMON, -known));
}
