// Which words of a query a result contains, and where: the answer to "why is this a result?".

import { partTerms } from "../parse/tokenizer.ts";
import type { Candidates } from "../index/scoring/candidates.ts";
import type { Query } from "./parse-query.ts";

/** Words of the query as written, without stop words. */
export interface WordMatches {
  readonly words: readonly string[];
  /** Those of them in the names that the chunk defines or is in, */
  readonly inNames: readonly string[];
  /** in its text, */
  readonly inText: readonly string[];
  /** and in the path of its file. */
  readonly inPath: readonly string[];
}

/** Sets of terms, a bit for each of `Candidates.terms`. */
interface TermSets {
  readonly names: number;
  readonly text: number;
  readonly path: number;
}

/** Returns a function that finds the words in sets of terms. A word of several parts is found if all parts are. */
export function wordMatcher(
  { words, split }: Query,
  { terms }: Pick<Candidates, "terms">,
): (sets: TermSets) => WordMatches {
  const bits = new Map(terms.slice(0, 32).map(({ term }, at) => [term, 1 << at]));
  const known = [...new Set(words)].map((word) => {
    const parts = partTerms(split(word)).map((term) => bits.get(term) ?? 0);
    // A part that the index does not contain is in no chunk.
    const isKnown = parts.every((bit) => bit !== 0);
    return { word, mask: isKnown ? parts.reduce((mask, bit) => mask | bit, 0) : 0 };
  });
  const found = (set: number): readonly string[] =>
    known.filter(({ mask }) => mask !== 0 && (set & mask) === mask).map(({ word }) => word);
  return ({ names, text, path }) => ({
    words: known.map(({ word }) => word),
    inNames: found(names),
    inText: found(text),
    inPath: found(path),
  });
}
