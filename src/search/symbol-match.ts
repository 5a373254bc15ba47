// Matches the name in a symbol query against the names of an index, by how likely each is meant.

import { distanceWithin, maxTypos } from "../base/edit-distance.ts";
import { NumberList } from "../index/coding/bytes.ts";
import { initialsOf, INITIALS_LENGTH, initialsTerm, isSubWord } from "../index/names/name-terms.ts";
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
const ACRONYM_LENGTH = { min: INITIALS_LENGTH, max: 8 } as const;
/** Fewer letters occur in too many words; a longer word is more likely misspelt. */
const ABBREVIATION_LENGTH = { min: 3, max: 4 } as const;
/** Up to this number of names, reading all of them is faster than finding those with the second word. */
const FEW_NAMES = 16;
/** Minimum length of several words of a name written without boundaries. */
const MIN_RUN_LENGTH = 4;
/** Maximum typos in all words of a name together. */
export const MAX_TYPOS = 2;

/** Returns the names that match, without the weaker kinds that the functions below return. */
export function matchingNames(names: SymbolNames, query: SymbolQuery): readonly NameMatch[] {
  const { lowerName, words } = query;
  const { table } = names;
  if (words.length === 0) return namesFrom(names, query);
  const withWords = new SimilarWordMatcher(names, words, (word) =>
    [...table.termsFrom(word)].map((term) => ({ names: term.names(), typos: 0 })),
  );
  const withInitials = new NameSet(names);
  if (mayBeAcronym(query)) withInitials.add(table.namesWith(initialsTerm(lowerName)));
  const candidates = new NameSet(names);
  candidates.add(withWords.found());
  candidates.add(withInitials.numbers());
  addRuns(names, words, candidates);
  const found: NameMatch[] = [];
  for (const name of candidates.numbers()) {
    const has = { hasWords: withWords.has(name), hasInitials: withInitials.has(name) };
    const match = matchOf(names.name(name), query, has);
    if (match !== undefined) found.push({ name, match, distance: 0 });
  }
  return found;
}

/** Returns the names that begin with a query that has no letters: `_` or `$`. */
function namesFrom(names: SymbolNames, query: SymbolQuery): readonly NameMatch[] {
  const found: NameMatch[] = [];
  for (let name = names.table.firstName(query.name); name < names.size; name += 1) {
    const match = matchOf(names.name(name), query, { hasWords: false, hasInitials: false });
    if (match === undefined) break;
    found.push({ name, match, distance: 0 });
  }
  return found;
}

/**
 * Adds the names in which some words, joined, match from the beginning of a sub-word: the sub-word begins with them, or
 * they begin with the sub-word and continue with the next one.
 */
function addRuns(names: SymbolNames, words: readonly string[], to: NameSet): void {
  const { table } = names;
  const run = words.join("");
  // Only one word was searched.
  if (words.length > 1) for (const term of table.termsFrom(run)) to.add(term.names());
  for (let length = 1; length < run.length; length += 1) {
    const having = table.namesWith(run.slice(0, length));
    if (having.length <= FEW_NAMES) to.add(having);
    else addGoingOn(names, { having, rest: run.slice(length) }, to);
  }
}

/** Adds the names with a sub-word that begins with `rest`, or that is a prefix of `rest`. */
function addGoingOn(
  { table }: SymbolNames,
  { having, rest }: { readonly having: Uint32Array; readonly rest: string },
  to: NameSet,
): void {
  for (const term of table.termsFrom(rest)) to.addCommon(having, term.names());
  for (let length = 1; length < rest.length; length += 1)
    to.addCommon(having, table.namesWith(rest.slice(0, length)));
}

/** Returns the names that the query may abbreviate: `gUsr` matches `getUser`. */
export function abbreviatedNames(names: SymbolNames, query: SymbolQuery): readonly NameMatch[] {
  const { lowerName, words } = query;
  if (words.length === 1 && lowerName.length < ABBREVIATION_LENGTH.min) return [];
  const wordMatcher = new SimilarWordMatcher(names, words, (word) =>
    [...names.table.termsFrom(firstLetterOf(word))]
      .filter(({ text }) => isAbbreviation(word, text))
      .map((term) => ({ names: term.names(), typos: 0 })),
  );
  const found: NameMatch[] = [];
  for (const name of wordMatcher.found()) {
    const isMatch = words.length === 1 || allMatch(words, names.name(name), isAbbreviation);
    if (isMatch) found.push({ name, match: "abbreviation", distance: 0 });
  }
  return found;
}

/** Returns the names that match if the query, or a sub-word of it, has typos. */
export function namesWithTypos(names: SymbolNames, query: SymbolQuery): readonly NameMatch[] {
  const { lowerName, words } = query;
  const wordMatcher = new SimilarWordMatcher(names, words, (word) => misspeltWords(names, word));
  const wholes = wholeWithTypos(names, lowerName);
  const candidates = new NameSet(names);
  candidates.add(wholes.keys());
  candidates.add(wordMatcher.found());
  const found: NameMatch[] = [];
  for (const name of candidates.numbers()) {
    const whole = wholes.get(name);
    const distance = whole ?? wordMatcher.typosIn(name);
    if (distance > MAX_TYPOS) continue;
    found.push({ name, match: "misspelt", distance, isInPart: whole === undefined });
  }
  return found;
}

/** Returns the numbers of the names that are a text with typos, and of each the number of typos. */
function wholeWithTypos({ table }: SymbolNames, lowerName: string): ReadonlyMap<number, number> {
  const mask = letterMask(lowerName);
  const { length } = lowerName;
  const allowed = maxTypos(length);
  const found = new Map<number, number>();
  const mayBe = (own: number): boolean =>
    bitCount(mask & ~own) <= allowed && bitCount(own & ~mask) <= allowed;
  const lengths = { least: length - allowed, most: length + allowed };
  for (const { number, text } of table.scan("names", { ...lengths, mayBe })) {
    const distance = distanceWithin(lowerName, text.toLowerCase(), allowed);
    if (distance !== undefined) found.set(number, distance);
  }
  return found;
}

/** Returns the names with each word that begins with a word or is one with typos, the most similar word first. */
function misspeltWords({ table }: SymbolNames, word: string): readonly SimilarWord[] {
  const mask = letterMask(word);
  const allowed = maxTypos(word.length);
  const found: SimilarWord[] = [...table.termsFrom(word)].map((term) => {
    return { names: term.names(), typos: 0 };
  });
  const lengths = { least: word.length - allowed, most: word.length + allowed };
  // Each typo loses at most one letter.
  const mayBe = (own: number): boolean => bitCount(mask & ~own) <= allowed;
  for (const { text } of table.scan("terms", { ...lengths, mayBe })) {
    if (!isSubWord(text) || text.startsWith(word)) continue;
    const typos = distanceWithin(word, text, allowed);
    if (typos !== undefined) found.push({ names: table.namesWith(text), typos });
  }
  return found.toSorted((one, other) => one.typos - other.typos);
}

/** Some names of a table. */
class NameSet {
  readonly #marks: Uint8Array;
  readonly #numbers = new NumberList();

  constructor({ size }: SymbolNames) {
    this.#marks = new Uint8Array(size);
  }

  add(names: Iterable<number>): void {
    for (const name of names) this.addOne(name);
  }

  /** Adds the common elements of two ascending lists. */
  addCommon(one: Uint32Array, other: Uint32Array): void {
    let at = 0;
    for (const name of other) {
      while (at < one.length && (one[at] ?? 0) < name) at += 1;
      if (at === one.length) return;
      if (one[at] === name) this.addOne(name);
    }
  }

  addOne(name: number): void {
    if (this.#marks[name] !== 0) return;
    this.#marks[name] = 1;
    this.#numbers.push(name);
  }

  has(name: number): boolean {
    return this.#marks[name] === 1;
  }

  /** Returns their numbers, ascending. */
  numbers(): Uint32Array {
    return this.#numbers.finish().toSorted();
  }
}

/** The names with a word that is similar to one of a query, and the number of typos. */
interface SimilarWord {
  readonly names: Uint32Array;
  readonly typos: number;
}

/** The names that contain words similar to those of a query. */
class SimilarWordMatcher {
  /** For each name, how many of the query's words, counted from the first, it has a similar word for. */
  readonly #matchedWords: Uint8Array | undefined;
  /** Number of typos in each name's words; undefined when no name has any. */
  #typos: Uint8Array | undefined;
  readonly #wordCount: number;
  /** The names that have one for the last word. */
  readonly #last = new NumberList();

  /** `similarTo`: the most similar words come first. Two query words may match the same word of a name. */
  constructor(
    { size }: SymbolNames,
    words: readonly string[],
    similarTo: (word: string) => readonly SimilarWord[],
  ) {
    this.#wordCount = words.length;
    const checked = new Uint8Array(size);
    for (const [at, word] of words.entries()) {
      const similar = similarTo(word);
      if (similar.length === 0) return;
      for (const { names, typos } of similar) {
        if (typos > 0) this.#typos ??= new Uint8Array(size);
        for (const name of names) {
          if (checked[name] !== at) continue;
          checked[name] = at + 1;
          if (this.#typos !== undefined) this.#typos[name] = (this.#typos[name] ?? 0) + typos;
          if (at + 1 === words.length) this.#last.push(name);
        }
      }
    }
    this.#matchedWords = checked;
  }

  has(name: number): boolean {
    return this.#matchedWords?.[name] === this.#wordCount;
  }

  /** Returns the numbers of the names with a similar word for each, ascending. */
  found(): Uint32Array {
    return this.#last.finish().toSorted();
  }

  typosIn(name: number): number {
    return this.#typos?.[name] ?? 0;
  }
}

function matchOf(
  text: string,
  { name, lowerName, words }: SymbolQuery,
  { hasWords, hasInitials }: { hasWords: boolean; hasInitials: boolean },
): MatchKind | undefined {
  if (text === name || isLastPart(name, text)) return "exact";
  const lower = text.toLowerCase();
  if (lower === lowerName) return "other case";
  if (lower.startsWith(lowerName)) return "prefix";
  if (hasWords && (words.length === 1 || allMatch(words, text, isBeginning))) return "words";
  if (isRun(words, text, lower)) return "words";
  if (hasInitials && initialsOf(subWords(text)).startsWith(lowerName)) return "acronym";
  return undefined;
}

/** Whether a name in full ends with another: modules of Elixir are called `Ecto.Changeset` where they are defined. */
function isLastPart(name: string, text: string): boolean {
  return text.endsWith(name) && text.at(-1 - name.length) === "." && /^\p{Lu}/u.test(name);
}

function mayBeAcronym({ lowerName, words }: SymbolQuery): boolean {
  const { min, max } = ACRONYM_LENGTH;
  return words.length === 1 && lowerName.length >= min && lowerName.length <= max;
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

/** Returns the first UTF-16 unit, in which an abbreviation and its word are equal; none of a surrogate pair. */
function firstLetterOf(word: string): string {
  return word.charAt(0).isWellFormed() ? word.charAt(0) : "";
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
