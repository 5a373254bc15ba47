// Finds the terms of a query on lines of text.
import { scanWords } from "../parse/tokenizer.ts";
import type { ClipHit } from "./clip.ts";
import type { Query } from "./parse-query.ts";

/** The distinct query terms on a line, with their weights. */
export type LineTerms = ReadonlyMap<string, number>;

/** Returns the query terms on a line. */
export function lineTerms(line: string, { terms, joined, split }: Query): LineTerms {
  const found = new Map<string, number>();
  scanWords(line, (word) => {
    for (const term of split(word)) {
      const weight = terms.get(term);
      if (weight !== undefined && !joined.has(term)) found.set(term, weight);
    }
  });
  return found;
}

/** Returns the total weight of the terms. */
export function totalWeight(terms: LineTerms): number {
  let sum = 0;
  for (const weight of terms.values()) sum += weight;
  return sum;
}

/** Returns the positions of query terms on a line, in order. */
export function termHits(line: string, { terms, joined, split }: Query): readonly ClipHit[] {
  const hits: ClipHit[] = [];
  scanWords(line, (word, start) => {
    for (const term of split(word)) {
      const weight = terms.get(term);
      if (weight !== undefined && !joined.has(term)) hits.push({ start, weight });
    }
  });
  return hits;
}
