// The question for candidate files and its answer: files by BM25 and vectors. find-candidates.ts answers it.

import type { ChunkFacts, FileFacts } from "../types.ts";
import type { Bm25Params } from "./chunk-scores.ts";
import type { QueryVector } from "./vector-scores.ts";

/** Parameters of scoring: BM25 of each field, and the blend. */
export interface CandidateWeights {
  readonly body: Bm25Params;
  readonly names: Bm25Params;
  readonly file: Bm25Params;
  /** Term frequencies that a defined name and a path word add to a file, and the maximum frequency that counts. */
  readonly fileTerms: { readonly names: number; readonly path: number; readonly cap: number };
  /** Weights of the parts of the blended score; each part is first divided by its maximum. */
  readonly blend: BlendWeights;
}

/** Weights of the parts of a score. */
export interface BlendWeights {
  readonly body: number;
  readonly names: number;
  readonly file: number;
  readonly similarity: number;
}

/** A query for candidate files. */
export interface CandidateQuery {
  /** Distinct terms and their weights. */
  readonly terms: ReadonlyMap<string, number>;
  /** The query's vector; undefined if only terms count. */
  readonly vector?: QueryVector | undefined;
  readonly weights: CandidateWeights;
  /** Maximum number of files. */
  readonly limit: number;
  /** Keeps only these files. */
  readonly paths?: ReadonlySet<string> | undefined;
  /** Keeps only files for which it returns true. */
  readonly filter?: ((file: FileFacts) => boolean) | undefined;
}

/** A query term that occurs in the index. */
export interface CandidateTerm {
  readonly term: string;
  /** Its inverse document frequency times its weight in the query. */
  readonly weight: number;
}

/**
 * A chunk with the parts of its score, each 1 for the best chunk of the index. A bit set shows which terms it
 * contains: bit 0 is the first of `Candidates.terms`; from the 33rd on, terms have no bit.
 */
export interface CandidateChunk {
  readonly facts: ChunkFacts;
  readonly body: number;
  readonly names: number;
  readonly similarity: number;
  readonly bodyTerms: number;
  readonly namesTerms: number;
}

/** The parts of the scores of many chunks, each 1 for the best chunk of the index, and the terms as bit sets. */
export interface ChunkShares {
  readonly body: Float32Array;
  readonly names: Float32Array;
  readonly similarity: Float32Array;
  readonly bodyTerms: Uint32Array;
  readonly namesTerms: Uint32Array;
}

/** A file that may be a result. */
export interface CandidateFile {
  readonly file: FileFacts;
  /** Its blended score, including its best chunk. */
  readonly score: number;
  /** Score of the whole file, 1 for the best. */
  readonly fileScore: number;
  /** Largest cosine of a chunk of it with the query; 0 without vectors. */
  readonly maxSimilarity: number;
  /** Terms in its path, as a bit set. */
  readonly pathTerms: number;
  readonly chunkCount: number;
  /** Returns the scores of its chunks, without reading those. */
  readonly scores: () => ChunkShares;
  /** Reads its chunks. */
  readonly chunks: () => Promise<readonly CandidateChunk[]>;
}

/** Result of a candidate search. */
export interface Candidates {
  /** Best first; of equal files the one with the lesser path. */
  readonly files: readonly CandidateFile[];
  /** The terms that occur, rarest first. */
  readonly terms: readonly CandidateTerm[];
  /** The largest cosine of any chunk; 0 without vectors. */
  readonly maxSimilarity: number;
  /** False if time ran out before every term was scored. */
  readonly isComplete: boolean;
}
