// Which terms of a question stand on which lines.
import { scanWords } from "../parse/tokenizer.ts";
import type { ClipHit } from "./clip.ts";
import type { Query } from "./parse-query.ts";

/** The distinct terms of the question on a line, with how much each counts. */
export type LineTerms = ReadonlyMap<string, number>;

export function lineTerms(line: string, { terms, split }: Query): LineTerms {
  const found = new Map<string, number>();
  scanWords(line, (word) => {
    for (const term of split(word)) {
      const weight = terms.get(term);
      if (weight !== undefined) found.set(term, weight);
    }
  });
  return found;
}

/** How much of the question a line has. */
export function totalWeight(terms: LineTerms): number {
  let sum = 0;
  for (const weight of terms.values()) sum += weight;
  return sum;
}

/** Where terms of the question stand on a line, in order. */
export function termHits(line: string, { terms, split }: Query): readonly ClipHit[] {
  const hits: ClipHit[] = [];
  scanWords(line, (word, start) => {
    for (const term of split(word)) {
      const weight = terms.get(term);
      if (weight !== undefined) hits.push({ start, weight });
    }
  });
  return hits;
}
