// The scores of chunks in the results of a search.

import type { ChunkFacts } from "../types.ts";
import type { CandidateChunk } from "./candidates.ts";

/** The parts of the scores of many chunks, each 1 for the best chunk of the index, and the terms as bit sets. */
export interface ChunkShares {
  readonly body: Float32Array;
  readonly names: Float32Array;
  readonly similarity: Float32Array;
  readonly bodyTerms: Uint32Array;
  readonly namesTerms: Uint32Array;
}

export function sharesFor(chunks: number): ChunkShares {
  return {
    body: new Float32Array(chunks),
    names: new Float32Array(chunks),
    similarity: new Float32Array(chunks),
    bodyTerms: new Uint32Array(chunks),
    namesTerms: new Uint32Array(chunks),
  };
}

/** Returns the chunks of a file with their scores, which begin at `start`. */
export function chunksWith(
  all: readonly ChunkFacts[],
  shares: ChunkShares,
  start: number,
): readonly CandidateChunk[] {
  return all.map((facts, at) => ({
    facts,
    body: shares.body[start + at] ?? 0,
    names: shares.names[start + at] ?? 0,
    similarity: shares.similarity[start + at] ?? 0,
    bodyTerms: shares.bodyTerms[start + at] ?? 0,
    namesTerms: shares.namesTerms[start + at] ?? 0,
  }));
}
