// Terms that stand for the same thing as words of a query: synonyms, other spellings, acronyms, and words written together.

import type { Tokenizer } from "../parse/tokenizer.ts";
import { ACRONYMS } from "./acronyms.ts";
import { verbStemsOf } from "./agent-nouns.ts";
import { nounsOf } from "./phrasal-verbs.ts";
import { spellingsOf } from "./spellings.ts";
import { synonymsOf } from "./synonyms.ts";

/** Weights of other terms for a word or phrase of the query; the word itself has 1. */
export const RELATED_WEIGHTS = {
  spelling: 1,
  synonym: 0.4,
  acronym: 0.6,
  spelledOut: 0.3,
  phrasal: 0.6,
  verb: 0.4,
} as const;
/** Weight of neighbouring words written together. */
export const JOINED_WEIGHT = 0.2;

const MAX_JOINED_LENGTH = 24;
const JOINABLE = /^[A-Za-z][a-z0-9]+$/;

/** The words of a query. */
export interface QueryWords {
  /** In their order. */
  readonly words: readonly string[];
  /** The words that are not stop words. */
  readonly distinctive: readonly string[];
}

/** Returns other terms for the words of a query, with weights. */
export function relatedTerms(
  { words, distinctive }: QueryWords,
  { split }: Pick<Tokenizer, "split">,
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const add = (word: string, weight: number): void => {
    for (const term of split(word)) found.set(term, Math.max(weight, found.get(term) ?? 0));
  };
  for (const word of distinctive) {
    for (const other of spellingsOf(word)) add(other, RELATED_WEIGHTS.spelling);
    for (const other of synonymsOf(word)) add(other, RELATED_WEIGHTS.synonym);
    // Only for names: a word in a sentence means the noun.
    const parts = split(word).slice(0, -1);
    for (const other of parts.flatMap(verbStemsOf)) add(other, RELATED_WEIGHTS.verb);
  }
  for (const [at, word] of words.entries()) {
    for (const noun of nounsOf(word, words[at + 1] ?? "")) add(noun, RELATED_WEIGHTS.phrasal);
  }
  const lower = words.map((word) => word.toLowerCase());
  for (const [acronym, phrase] of ACRONYMS) {
    if (lower.includes(acronym)) for (const word of phrase) add(word, RELATED_WEIGHTS.spelledOut);
    else if (contains(lower, phrase)) add(acronym, RELATED_WEIGHTS.acronym);
  }
  return found;
}

/**
 * Returns the terms of neighbouring words written together: `parse flags` also finds the name `parseFlags` and the word
 * `parseflags`, which has a stem.
 */
export function joinedTerms(
  { words, distinctive }: QueryWords,
  { split }: Pick<Tokenizer, "split">,
): ReadonlySet<string> {
  const kept = new Set(distinctive);
  const found = new Set<string>();
  for (const [at, word] of words.entries()) {
    const next = words[at + 1] ?? "";
    if (!kept.has(word) || !kept.has(next)) continue;
    if (!JOINABLE.test(word) || !JOINABLE.test(next)) continue;
    const joined = `${word}${next}`.toLowerCase();
    if (joined.length > MAX_JOINED_LENGTH) continue;
    for (const term of [joined, ...split(joined)]) found.add(term);
  }
  return found;
}

function contains(words: readonly string[], phrase: readonly string[]): boolean {
  return words.some((_word, at) =>
    phrase.every((part, offset) => isSame(words[at + offset], part)),
  );
}

/** Whether a word is this one, or its plural. */
function isSame(word: string | undefined, part: string): boolean {
  return word === part || word === `${part}s`;
}
