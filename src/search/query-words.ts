// The words of a query: how rare each is in programs and in the index.

import { isPrefixTerm, partTerms } from "../parse/tokenizer.ts";
import type { CandidateTerm } from "../index/scoring/candidates.ts";
import { MIN_LONG_QUERY_CHARS, type Query } from "./parse-query.ts";
import { MIN_CODE_SHARE, TOPIC_WORDS, UNFAMILIAR } from "./weights.ts";

/** The sources of a word's rarity. */
export interface WordFacts {
  /** Number of files of the index. */
  readonly files: number;
  /** As `EmbeddingTable.logProbability`. */
  readonly logProbability: (word: string) => number | undefined;
}

/** Rarities of words: of common words, of rare ones, and of words that the table of vectors does not contain. */
const MIN_RARITY = 5;
const MAX_RARITY = 15;
const UNKNOWN_RARITY = 14;
/** Added to the mean rarity of the parts of a name: it is rarer than they are. */
const NAME_RARITY = 1;
/** A word can be more common in a small index than in any large one. */
const MAX_TYPICAL = 9;
/** Estimates the chunks of an index from its files. */
const CHUNKS_PER_FILE = 8;

/** A word of a query. */
export interface QueryWord {
  readonly isIdentifier: boolean;
  /** The bits of its parts in sets of terms; 0 for a part that no chunk contains. */
  readonly bits: readonly number[];
  /** Share of its parts that the index contains. */
  readonly known: number;
  /** Whether the index contains it as a whole. */
  readonly isWhole: boolean;
  readonly rarity: number;
  /** Its rarity in programs minus its rarity in the index. */
  readonly typical: number;
}

/** Returns the words of a query. `found`: its terms that the index contains, the rarest first. */
export function queryWords(
  query: Query,
  found: readonly CandidateTerm[],
  { files, logProbability }: WordFacts,
): readonly QueryWord[] {
  const termWeights = new Map(found.map(({ term, weight }) => [term, weight]));
  const bits = new Map(found.slice(0, 32).map(({ term }, at) => [term, 1 << at]));
  const rarest = Math.log(2 * CHUNKS_PER_FILE * Math.max(1, files));
  const rarityHere = (term: string): number => {
    const weight = termWeights.get(term) ?? 0;
    const asked = query.terms.get(term) ?? 0;
    return weight > 0 && asked > 0 ? weight / asked : rarest;
  };
  return query.words.flatMap((word): readonly QueryWord[] => {
    const terms = query.split(word);
    const parts = partTerms(terms);
    if (parts.length === 0) return [];
    const own = terms.filter((term) => !isPrefixTerm(term));
    const rarity = rarityOf(word, own, logProbability);
    return [
      {
        isIdentifier: query.identifiers.has(word),
        bits: parts.map((term) => bits.get(term) ?? 0),
        known: meanOf(parts.map((term) => Number(termWeights.has(term)))),
        isWhole: termWeights.has(terms.at(-1) ?? ""),
        rarity,
        typical: Math.min(MAX_TYPICAL, rarity - meanOf(parts.map(rarityHere))),
      },
    ];
  });
}

function rarityOf(
  word: string,
  terms: readonly string[],
  logProbability: WordFacts["logProbability"],
): number {
  const rarity = (text: string): number | undefined => {
    const known = logProbability(text);
    // A table without probabilities returns 0.
    return known === undefined || known === 0
      ? undefined
      : Math.min(MAX_RARITY, Math.max(MIN_RARITY, -known));
  };
  const own = rarity(word.toLowerCase());
  const [first = ""] = terms;
  if (terms.length < 2) return Math.min(own ?? UNKNOWN_RARITY, rarity(first) ?? UNKNOWN_RARITY);
  const parts = terms.slice(0, -1).map((term) => rarity(term) ?? UNKNOWN_RARITY);
  return own ?? meanOf(parts) + NAME_RARITY;
}

/**
 * Returns how unfamiliar the subject of a query is to the table of word vectors, 0 to 1. A subject is unfamiliar if its
 * words are rare in programs and common in this index. The query must have several words, and the project must be
 * mostly documentation.
 */
export function unfamiliarity(
  { words, length }: Pick<Query, "words" | "length">,
  asked: readonly Pick<QueryWord, "rarity" | "typical" | "known">[],
  docsShare: number,
): number {
  if (docsShare < 1 - MIN_CODE_SHARE || length > MIN_LONG_QUERY_CHARS) return 0;
  // A table without the words, or without probabilities, gives no evidence.
  if (asked.every(({ rarity }) => rarity >= UNKNOWN_RARITY)) return 0;
  // Words that the index lacks are not a subject of the project.
  const strange = meanOf(asked.map(({ rarity, typical, known }) => (rarity + typical) * known));
  return shareOf(strange, UNFAMILIAR) * shareOf(words.length, TOPIC_WORDS);
}

/** Returns how far a value is on the way between two others, 0 to 1. */
function shareOf(
  value: number,
  { from, to }: { readonly from: number; readonly to: number },
): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}

/** Returns 0 for an empty list. */
export function meanOf(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}
