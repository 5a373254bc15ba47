// Which of the names of an index somebody may mean who wrote one, and how likely each is.

import { distanceWithin, maxTypos } from "../base/edit-distance.ts";
import { letterMask, subWords } from "../index/names/sub-words.ts";
import type { SymbolNames } from "../index/names/symbol-names.ts";
import type { SymbolQuery } from "./symbol-query.ts";

/** How a name is like the one that was asked for, the most likely first. */
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

export interface NameMatch {
  /** Its number in the table. */
  readonly name: number;
  readonly match: MatchKind;
  /** Slips, in a name that was misspelt; else 0. */
  readonly distance: number;
}

/** Two letters are the first ones of too many names. */
const ACRONYM_LENGTH = { min: 3, max: 8 } as const;
/** Fewer letters are in too many words; a word of more is rather misspelt. */
const ABBREVIATION_LENGTH = { min: 3, max: 4 } as const;
/** A part of a name that was written without the boundaries between its words. */
const MIN_RUN_LENGTH = 4;
/** In all words of a name together. */
export const MAX_TYPOS = 2;

/** The names that are like the one asked for, leaving out mere guesses, which the functions below have. */
export function matchingNames(names: SymbolNames, query: SymbolQuery): readonly NameMatch[] {
  const { mask, lowPairs, highPairs, words } = query;
  const isAcronym = mayBeAcronym(query);
  const found: NameMatch[] = [];
  const withWords = new NamesWith(names, words, (word, other) =>
    other.startsWith(word) ? 0 : undefined,
  );
  for (let name = 0; name < names.size; name += 1) {
    if ((mask & ~(names.masks[name] ?? 0)) !== 0) continue;
    const hasWords = withWords.has(name);
    const mayHaveRun =
      (lowPairs & ~(names.lowPairs[name] ?? 0)) === 0 &&
      (highPairs & ~(names.highPairs[name] ?? 0)) === 0;
    const hasInitials = isAcronym && (mask & ~(names.initials[name] ?? 0)) === 0;
    if (!hasWords && !mayHaveRun && !hasInitials) continue;
    const match = matchOf(names.name(name), query, { hasWords, hasInitials });
    if (match !== undefined) found.push({ name, match, distance: 0 });
  }
  return found;
}

/** The names of which the words of the one asked for may be abbreviations: `gUsr` of `getUser`. */
export function abbreviatedNames(names: SymbolNames, query: SymbolQuery): readonly NameMatch[] {
  const { lowerName, words } = query;
  if (words.length === 1 && lowerName.length < ABBREVIATION_LENGTH.min) return [];
  const withWords = new NamesWith(names, words, (word, other) =>
    isAbbreviation(word, other) ? 0 : undefined,
  );
  const found: NameMatch[] = [];
  for (let name = 0; name < names.size; name += 1) {
    if (!withWords.has(name)) continue;
    const isMatch = words.length === 1 || allMatch(words, names.name(name), isAbbreviation);
    if (isMatch) found.push({ name, match: "abbreviation", distance: 0 });
  }
  return found;
}

/** The names that were meant if the one asked for, or a sub-word of it, is misspelt. */
export function namesWithTypos(names: SymbolNames, query: SymbolQuery): readonly NameMatch[] {
  const { mask, lowerName, words } = query;
  const allowed = maxTypos(lowerName.length);
  const withWords = new NamesWith(names, words, (word, other) =>
    other.startsWith(word) ? 0 : distanceWithin(word, other, maxTypos(word.length)),
  );
  const found: NameMatch[] = [];
  for (let name = 0; name < names.size; name += 1) {
    const own = names.masks[name] ?? 0;
    const mayBeWhole =
      Math.abs(names.lengthOf(name) - lowerName.length) <= allowed &&
      bitCount(mask & ~own) <= allowed &&
      bitCount(own & ~mask) <= allowed;
    const whole = mayBeWhole
      ? distanceWithin(lowerName, names.name(name).toLowerCase(), allowed)
      : undefined;
    const distance = whole ?? (withWords.has(name) ? withWords.typosIn(name) : MAX_TYPOS + 1);
    if (distance <= MAX_TYPOS) found.push({ name, match: "misspelt", distance });
  }
  return found;
}

/** The names that have words like those of a question. */
class NamesWith {
  /** Of each name, how many of the words of the question, from the first on, it has a word like. */
  readonly #checked: Uint8Array | undefined;
  /** The slips in the words of each name, taken together; undefined when there are none at all. */
  #typos: Uint8Array | undefined;
  readonly #wanted: number;

  /** `like`: the slips by which one word is another. Two words of a question may be like the same of a name. */
  constructor(names: SymbolNames, words: readonly string[], like: WordSimilarity) {
    this.#wanted = words.length;
    const found = words.map((word) => similarWords(names, word, like));
    if (words.length === 0 || found.some(({ length }) => length === 0)) return;
    const checked = new Uint8Array(names.size);
    for (const [at, likely] of found.entries()) {
      // Of the words of a name the most like comes first.
      for (const { number, typos } of likely) {
        if (typos > 0) this.#typos ??= new Uint8Array(names.size);
        for (const name of names.namesOf(number)) {
          if (checked[name] !== at) continue;
          checked[name] = at + 1;
          if (this.#typos !== undefined) this.#typos[name] = (this.#typos[name] ?? 0) + typos;
        }
      }
    }
    this.#checked = checked;
  }

  has(name: number): boolean {
    return this.#checked?.[name] === this.#wanted;
  }

  typosIn(name: number): number {
    return this.#typos?.[name] ?? 0;
  }
}

type WordSimilarity = (word: string, other: string) => number | undefined;

function similarWords(
  { words, wordMasks }: SymbolNames,
  word: string,
  like: WordSimilarity,
): readonly { readonly number: number; readonly typos: number }[] {
  const mask = letterMask(word);
  const allowed = maxTypos(word.length);
  const found: { number: number; typos: number }[] = [];
  for (let number = 0; number < words.length; number += 1) {
    // Each slip loses one letter at most.
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

/** Whether each of the words is like another sub-word of the name, in whatever order. */
function allMatch(
  words: readonly string[],
  name: string,
  isLike: (word: string, other: string) => boolean,
): boolean {
  const own = subWords(name);
  const free = new Set(own.keys());
  // The longest has the fewest to choose from.
  return words
    .toSorted((one, other) => other.length - one.length)
    .every((word) => {
      const at = own.findIndex((other, index) => free.has(index) && isLike(word, other));
      return free.delete(at);
    });
}

function isBeginning(word: string, other: string): boolean {
  return other.startsWith(word);
}

/** Whether the words without the boundaries between them begin where a sub-word of the name does. */
function isRun(words: readonly string[], name: string, lowerName: string): boolean {
  const run = words.join("");
  if (run.length < MIN_RUN_LENGTH) return false;
  if (!lowerName.includes(run) && !/[^\p{L}\p{N}]/u.test(name)) return false;
  const own = subWords(name);
  return own.some((_, at) => own.slice(at).join("").startsWith(run));
}

/** `usr` of `user`: letters of a word in their order, the first among them. */
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
