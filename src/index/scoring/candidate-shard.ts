// Finds the candidates of an index shard by shard. Shards only exchange sums and maxima, in three rounds: counts of
// documents, files that hold each term, and the best score of each part. So the shards of an index give the scores that
// it would have as a whole, to the last bit.

import type {
  BlendWeights,
  CandidateFile,
  CandidateQuery,
  CandidateWeights,
} from "./candidates.ts";
import type { TermDocuments } from "./term-documents.ts";
import type { QueryVector } from "./vector-scores.ts";

/** Totals of a shard, without deleted files. They are added up over the shards. */
export interface CollectionStatistics {
  /** Number of chunks. */
  readonly chunks: number;
  /** Number of files. */
  readonly files: number;
  /** Sum of the lengths of all chunks, in terms. */
  readonly lengths: Readonly<Record<"body" | "names", number>>;
  /** Size of all vectors in bytes. */
  readonly vectorBytes: number;
}

/** The statistics for the first round. */
export interface ShardStatistics extends CollectionStatistics {
  /** In the order of the terms that the search began with. */
  readonly documents: readonly TermDocuments[];
}

/** Weights of a term in the whole index. */
export interface TermToScore {
  readonly term: string;
  /** Its bit in bit sets; 0 from the 33rd term on. */
  readonly bit: number;
  /** Its inverse document frequency in each field, times its weight in the query. */
  readonly body: number;
  readonly names: number;
}

/** The second round. */
export interface TermsRound {
  /** In the order in which all shards score them. */
  readonly terms: readonly TermToScore[];
  readonly weights: CandidateWeights;
  /** Average lengths in the whole index, in terms: of a chunk's text, of its names, of a file. */
  readonly averages: Readonly<Record<"body" | "names" | "file", number>>;
}

/** The largest scores of a shard so far, or of the whole index. */
export interface ScoreMaxima {
  readonly body: number;
  readonly names: number;
  readonly file: number;
  /** The largest cosine of any chunk. */
  readonly similarity: number;
}

/** A file of a shard and its score. */
export interface BestFile {
  /** Its number in the shard. */
  readonly file: number;
  readonly path: string;
  readonly score: number;
}

/** The order of candidates, whatever the shard or segment of each: best first, of equal ones by path. */
export function byScore(one: BestFile, other: BestFile): number {
  if (one.score !== other.score) return other.score - one.score;
  const [path, otherPath] = [one.path, other.path];
  return Number(path > otherPath) - Number(path < otherPath);
}

/** The best files to select. */
export interface BestRound extends Pick<CandidateQuery, "limit" | "paths" | "filter"> {
  readonly maxima: ScoreMaxima;
  readonly blend: BlendWeights;
}

/** The search for candidates in one shard. A whole index is one shard. Methods are called in this order. */
export interface CandidateShard {
  /** The first round. */
  readonly statistics: () => Awaitable<ShardStatistics>;
  /**
   * The second round: scores chunks, and returns the number of files that hold each term. If time runs out, it skips the
   * remaining terms and returns fewer numbers. May be called for some terms and then, after `scoreFiles`, for others.
   */
  readonly scoreTerms: (round: TermsRound) => Awaitable<readonly number[]>;
  /** Compares the vectors of all chunks. */
  readonly compareAll: (vector: QueryVector) => Awaitable<void>;
  /** The third round: scores files. `weights`: the inverse file frequency of each term, times its weight in the query. */
  readonly scoreFiles: (weights: readonly number[]) => Awaitable<void>;
  /** Returns the largest scores of this shard. */
  readonly maxima: () => Awaitable<ScoreMaxima>;
  /** Returns the best files in order, given the maxima of all shards. */
  readonly best: (round: BestRound) => Awaitable<readonly BestFile[]>;
  /** Compares the vectors of these files, by number. */
  readonly compareFiles: (vector: QueryVector, files: readonly number[]) => Awaitable<void>;
  /** Returns files that `best` has found, in the same order, with scores divided by the maxima of all shards. */
  readonly results: (
    files: readonly BestFile[],
    maxima: ScoreMaxima,
  ) => Awaitable<readonly CandidateFile[]>;
  /** Gives the memory of the search back. Called once. */
  readonly end: () => void;
}

/** A value from a shard on this machine, or a promise from one elsewhere. */
export type Awaitable<T> = T | Promise<T>;
