// Finds the terms of a query on lines of text.
import { scanWords } from "../parse/tokenizer.ts";
import type { ClipHit } from "./clip.ts";
import type { Query } from "./parse-query.ts";

/** The distinct query terms on a line, with their weights. */
export type LineTerms = ReadonlyMap<string, number>;

/** A name of several parts counts as this many words in addition to its parts, which other names share. */
const WHOLE_NAME_WEIGHT = 3;

/** Returns the query terms on a line. */
export function lineTerms(line: string, { terms, joined, split }: Query): LineTerms {
  const found = new Map<string, number>();
  scanWords(line, (word) => {
    const parts = split(word);
    for (const [at, term] of parts.entries()) {
      const weight = terms.get(term);
      const isWhole = at > 0 && at === parts.length - 1;
      if (weight !== undefined && !joined.has(term))
        found.set(term, isWhole ? weight * WHOLE_NAME_WEIGHT : weight);
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
