// Matches the name in a symbol query against the names of an index, by how likely each is meant.

import { distanceWithin, maxTypos } from "../base/edit-distance.ts";
import { letterMask, subWords } from "../index/names/sub-words.ts";
import type { SymbolNames } from "../index/names/symbol-names.ts";
import type { SymbolQuery } from "./symbol-query.ts";

/** How a name matches the query, the most likely kind first. */
export const MATCH_KINDS = [
  "exact",
  "other case",
  "qualified",
  "prefix",
  "words",
  "acronym",
  "abbreviation",
  "misspelt",
] as const;
export type MatchKind = (typeof MATCH_KINDS)[number];

/** A name that matches a query. */
export interface NameMatch {
  /** Its number in the name table. */
  readonly name: number;
  readonly match: MatchKind;
  /** Number of typos for "misspelt"; else 0. */
  readonly distance: number;
  /** For "misspelt": whether the query only has words of the name, and the whole name is another one. */
  readonly isInPart?: boolean;
}

/** Two letters are the initials of too many names. */
const ACRONYM_LENGTH = { min: 3, max: 8 } as const;
/** Fewer letters occur in too many words; a longer word is more likely misspelt. */
const ABBREVIATION_LENGTH = { min: 3, max: 4 } as const;
/** Minimum length of several words of a name written without boundaries. */
const MIN_RUN_LENGTH = 4;
/** Maximum typos in all words of a name together. */
export const MAX_TYPOS = 2;

/** Returns the names that match, without the weaker kinds that the functions below return. */
export function matchingNames(names: SymbolNames, query: SymbolQuery): readonly NameMatch[] {
  const { mask, lowPairs, highPairs, words } = query;
  const { table } = names;
  const isAcronym = mayBeAcronym(query);
  const found: NameMatch[] = [];
  const wordMatcher = new SimilarWordMatcher(names, words, (word, other) =>
    other.startsWith(word) ? 0 : undefined,
  );
  for (let name = 0; name < names.size; name += 1) {
    if ((mask & ~(table.masks[name] ?? 0)) !== 0) continue;
    const hasWords = wordMatcher.has(name);
    const mayHaveRun =
      (lowPairs & ~(table.lowPairs[name] ?? 0)) === 0 &&
      (highPairs & ~(table.highPairs[name] ?? 0)) === 0;
    const hasInitials = isAcronym && (mask & ~(table.initials[name] ?? 0)) === 0;
    if (!hasWords && !mayHaveRun && !hasInitials) continue;
    const match = matchOf(names.name(name), query, { hasWords, hasInitials });
    if (match !== undefined) found.push({ name, match, distance: 0 });
  }
  return found;
}

/** Returns the names that the query may abbreviate: `gUsr` matches `getUser`. */
export function abbreviatedNames(names: SymbolNames, query: SymbolQuery): readonly NameMatch[] {
  const { lowerName, words } = query;
  if (words.length === 1 && lowerName.length < ABBREVIATION_LENGTH.min) return [];
  const wordMatcher = new SimilarWordMatcher(names, words, (word, other) =>
    isAbbreviation(word, other) ? 0 : undefined,
  );
  const found: NameMatch[] = [];
  for (let name = 0; name < names.size; name += 1) {
    if (!wordMatcher.has(name)) continue;
    const isMatch = words.length === 1 || allMatch(words, names.name(name), isAbbreviation);
    if (isMatch) found.push({ name, match: "abbreviation", distance: 0 });
  }
  return found;
}

/** Returns the names that match if the query, or a sub-word of it, has typos. */
export function namesWithTypos(names: SymbolNames, query: SymbolQuery): readonly NameMatch[] {
  const { mask, lowerName, words } = query;
  const { masks } = names.table;
  const allowed = maxTypos(lowerName.length);
  const wordMatcher = new SimilarWordMatcher(names, words, (word, other) =>
    other.startsWith(word) ? 0 : distanceWithin(word, other, maxTypos(word.length)),
  );
  const found: NameMatch[] = [];
  for (let name = 0; name < names.size; name += 1) {
    const own = masks[name] ?? 0;
    const mayBeWhole =
      Math.abs(names.lengthOf(name) - lowerName.length) <= allowed &&
      bitCount(mask & ~own) <= allowed &&
      bitCount(own & ~mask) <= allowed;
    const whole = mayBeWhole
      ? distanceWithin(lowerName, names.name(name).toLowerCase(), allowed)
      : undefined;
    const distance = whole ?? (wordMatcher.has(name) ? wordMatcher.typosIn(name) : MAX_TYPOS + 1);
    if (distance > MAX_TYPOS) continue;
    found.push({ name, match: "misspelt", distance, isInPart: whole === undefined });
  }
  return found;
}

/** The names that contain words similar to those of a query. */
class SimilarWordMatcher {
  /** For each name, how many of the query's words, counted from the first, it has a similar word for. */
  readonly #matchedWords: Uint8Array | undefined;
  /** Number of typos in each name's words; undefined when no name has any. */
  #typos: Uint8Array | undefined;
  readonly #wordCount: number;

  /** `like` returns the typos between two words. Two query words may match the same word of a name. */
  constructor(names: SymbolNames, words: readonly string[], like: WordSimilarity) {
    this.#wordCount = words.length;
    const found = words.map((word) => similarWords(names, word, like));
    if (words.length === 0 || found.some(({ length }) => length === 0)) return;
    const checked = new Uint8Array(names.size);
    for (const [at, likely] of found.entries()) {
      // The most similar word of a name comes first.
      for (const { number, typos } of likely) {
        if (typos > 0) this.#typos ??= new Uint8Array(names.size);
        for (const name of names.namesOf(number)) {
          if (checked[name] !== at) continue;
          checked[name] = at + 1;
          if (this.#typos !== undefined) this.#typos[name] = (this.#typos[name] ?? 0) + typos;
        }
      }
    }
    this.#matchedWords = checked;
  }

  has(name: number): boolean {
    return this.#matchedWords?.[name] === this.#wordCount;
  }

  typosIn(name: number): number {
    return this.#typos?.[name] ?? 0;
  }
}

type WordSimilarity = (word: string, other: string) => number | undefined;

function similarWords(
  { table: { words, wordMasks } }: SymbolNames,
  word: string,
  like: WordSimilarity,
): readonly { readonly number: number; readonly typos: number }[] {
  const mask = letterMask(word);
  const allowed = maxTypos(word.length);
  const found: { number: number; typos: number }[] = [];
  for (let number = 0; number < words.length; number += 1) {
    // Each typo loses at most one letter.
    if (bitCount(mask & ~(wordMasks[number] ?? 0)) > allowed) continue;
    const typos = like(word, words[number] ?? "");
    if (typos !== undefined) found.push({ number, typos });
  }
  return found.toSorted((one, other) => one.typos - other.typos);
}

function matchOf(
  text: string,
  { name, lowerName, words }: SymbolQuery,
  { hasWords, hasInitials }: { hasWords: boolean; hasInitials: boolean },
): MatchKind | undefined {
  if (text === name) return "exact";
  const lower = text.toLowerCase();
  if (lower === lowerName) return "other case";
  if (lower.startsWith(lowerName)) return "prefix";
  if (hasWords && (words.length === 1 || allMatch(words, text, isBeginning))) return "words";
  if (isRun(words, text, lower)) return "words";
  if (hasInitials && initialsOf(text).startsWith(lowerName)) return "acronym";
  return undefined;
}

function mayBeAcronym({ lowerName, words }: SymbolQuery): boolean {
  const { min, max } = ACRONYM_LENGTH;
  return words.length === 1 && lowerName.length >= min && lowerName.length <= max;
}

function initialsOf(text: string): string {
  return subWords(text)
    .map((word) => word.charAt(0))
    .join("");
}

/** Returns true when each word matches a different sub-word of the name, in any order. */
function allMatch(
  words: readonly string[],
  name: string,
  isMatch: (word: string, other: string) => boolean,
): boolean {
  const own = subWords(name);
  const free = new Set(own.keys());
  // The longest word has the fewest candidates.
  return words
    .toSorted((one, other) => other.length - one.length)
    .every((word) => {
      const at = own.findIndex((other, index) => free.has(index) && isMatch(word, other));
      return free.delete(at);
    });
}

function isBeginning(word: string, other: string): boolean {
  return other.startsWith(word);
}

/** Returns true when the joined words start at the beginning of a sub-word of the name. */
function isRun(words: readonly string[], name: string, lowerName: string): boolean {
  const run = words.join("");
  if (run.length < MIN_RUN_LENGTH) return false;
  if (!lowerName.includes(run) && !/[^\p{L}\p{N}]/u.test(name)) return false;
  const own = subWords(name);
  return own.some((_, at) => own.slice(at).join("").startsWith(run));
}

/** True for `usr` and `user`: letters of the word in order, including the first one. */
function isAbbreviation(word: string, other: string): boolean {
  if (other.startsWith(word)) return true;
  if (word.charCodeAt(0) !== other.charCodeAt(0)) return false;
  if (word.length < 2 || word.length > ABBREVIATION_LENGTH.max) return false;
  let at = 0;
  for (const character of word) {
    at = other.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

function bitCount(mask: number): number {
  let bits = mask - ((mask >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
