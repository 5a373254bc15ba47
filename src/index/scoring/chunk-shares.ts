// The scores of chunks in the results of a search.

import type { ChunkFacts } from "../types.ts";
import type { CandidateChunk, ChunkShares } from "./candidates.ts";

export function sharesFor(chunks: number): ChunkShares {
  return {
    body: new Float32Array(chunks),
    names: new Float32Array(chunks),
    similarity: new Float32Array(chunks),
    bodyTerms: new Uint32Array(chunks),
    namesTerms: new Uint32Array(chunks),
  };
}

/** Returns the scores of `count` chunks from `start` on. */
export function sharesOf(shares: ChunkShares, start: number, count: number): ChunkShares {
  const end = start + count;
  return {
    body: shares.body.subarray(start, end),
    names: shares.names.subarray(start, end),
    similarity: shares.similarity.subarray(start, end),
    bodyTerms: shares.bodyTerms.subarray(start, end),
    namesTerms: shares.namesTerms.subarray(start, end),
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
