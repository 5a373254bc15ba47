// Weighs the words of a query within one document. A gnuplot manual has "plot" on each page, so that word does not
// distinguish its pages, even if it is rare in the index.

import type { CandidateChunk } from "../index/scoring/candidates.ts";
import type { QueryFacts } from "./features.ts";

/**
 * Returns a function of the passages of a document, which are `chunks`: how much of the query a passage has, 0 to 1, if
 * each word counts by how few of them have it. A word that the document has only in headings, or not at all, does not count.
 */
export function rarityInDocument(
  chunks: readonly CandidateChunk[],
  { bits }: Pick<QueryFacts, "bits">,
): (chunk: Pick<CandidateChunk, "bodyTerms" | "namesTerms">) => number {
  const counts = bits.map(() => 0);
  for (const { bodyTerms } of chunks) {
    for (const bit of counts.keys()) counts[bit] = (counts[bit] ?? 0) + ((bodyTerms >>> bit) & 1);
  }
  const weights = bits.map((weight, bit) => {
    const found = counts[bit] ?? 0;
    const rarity = Math.log(1 + (chunks.length - found + 0.5) / (found + 0.5));
    return found === 0 ? 0 : weight * rarity ** 2;
  });
  const total = Math.max(
    1e-9,
    weights.reduce((sum, weight) => sum + weight, 0),
  );
  return ({ bodyTerms, namesTerms }) => {
    const terms = bodyTerms | namesTerms;
    let sum = 0;
    for (const [bit, weight] of weights.entries()) sum += weight * ((terms >>> bit) & 1);
    return sum / total;
  };
}
