// Text -> terms. The same function reads files at index time and queries at query time, so a change here must
// raise FORMAT_VERSION in index/segment/format.ts: old segments contain other terms.

import { foldWord } from "../base/fold-word.ts";
import {
  ALPHABETIC,
  EXTENDING,
  kindOfCharacter,
  sizeOfCharacter,
  UNSPACED,
} from "./character-kinds.ts";

const MAX_TERM_LENGTH = 64;
/** Letters of a stem in an alphabet other than Latin. */
const STEM_LETTERS = 5;
const FIRST_GREEK = 0x370;
/** Marks that belong to one character; no language has more. */
const MAX_MARKS = 8;
/** Maximum identifiers in the cache of splits, about 40 MB. Then the cache is cleared. */
const MAX_MEMO_TERMS = 400_000;

/** Splits text into terms. One instance per thread, because it caches how identifiers split. */
export interface Tokenizer {
  /** Calls `emit` with the terms of every word of `text`, in order, including duplicates. */
  readonly terms: (text: string, emit: (term: string) => void) => void;
  /**
   * Returns the terms of one identifier or word: the stems of its parts, then the whole word if it has
   * several parts.
   */
  readonly split: (word: string) => readonly string[];
}

/** Returns a tokenizer with an empty cache. */
export function createTokenizer(): Tokenizer {
  let memo = new Map<string, readonly string[]>();
  const split = (word: string): readonly string[] => {
    let terms = memo.get(word);
    if (terms === undefined) {
      terms = splitWord(word);
      if (memo.size >= MAX_MEMO_TERMS) memo = new Map();
      memo.set(word, terms);
    }
    return terms;
  };
  return {
    split,
    terms(text, emit) {
      scanWords(text, (word) => {
        for (const term of split(word)) emit(term);
      });
    },
  };
}

/**
 * Finds the words of a text: runs of letters, digits, `_` and `$` that satisfy `isWordLength`, and in scripts without
 * spaces every pair of characters. `start` is an offset in UTF-16 code units.
 */
export function scanWords(text: string, emit: (word: string, start: number) => void): void {
  const length = text.length;
  let at = 0;
  while (at < length) {
    const start = at;
    let letters = false;
    let code = text.charCodeAt(at);
    while (code < 128 && ASCII_WORD_CODES[code] === 1) {
      if (code > 57) letters = true;
      at += 1;
      code = at < length ? text.charCodeAt(at) : 0;
    }
    if (code >= 128) {
      at = scanWideWords(text, start, emit);
    } else {
      if (at > start && isWordLength(at - start, letters)) emit(text.slice(start, at), start);
      // Not a word: the character after it.
      at += 1;
    }
  }
}

/** As `scanWords`, for the run of ASCII words and characters beyond ASCII at `from`. Returns its end. */
function scanWideWords(
  text: string,
  from: number,
  emit: (word: string, start: number) => void,
): number {
  let at = from;
  let start = from;
  let letters = false;
  const endWord = (): void => {
    if (at > start && isWordLength(at - start, letters)) emit(text.slice(start, at), start);
    letters = false;
  };
  for (;;) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    if (code < 128) {
      if (ASCII_WORD_CODES[code] !== 1) break;
      if (code > 57) letters = true;
      at += 1;
      continue;
    }
    const kind = kindOfCharacter(text, at);
    // A mark without a letter is not a word.
    if (kind === ALPHABETIC || (kind === EXTENDING && at > start)) {
      letters = true;
      at += sizeOfCharacter(text, at);
      continue;
    }
    endWord();
    at = kind === UNSPACED ? scanPairs(text, at, emit) : at + sizeOfCharacter(text, at);
    start = at;
  }
  endWord();
  return at;
}

/**
 * Emits the pairs of characters in the run of a script without spaces at `from`, or its only character. Returns its
 * end.
 */
function scanPairs(
  text: string,
  from: number,
  emit: (word: string, start: number) => void,
): number {
  let before = from;
  let at = from;
  let next = characterEnd(text, from);
  while (next < text.length && text.charCodeAt(next) >= 128) {
    if (kindOfCharacter(text, next) !== UNSPACED) break;
    before = at;
    at = next;
    next = characterEnd(text, next);
    emit(text.slice(before, next), before);
  }
  if (at === from) emit(text.slice(from, next), from);
  return next;
}

/** Returns the end of the character at `at` and of up to `MAX_MARKS` marks that belong to it. */
function characterEnd(text: string, at: number): number {
  let end = at + sizeOfCharacter(text, at);
  for (let marks = 0; marks < MAX_MARKS && end < text.length; marks += 1) {
    if (text.charCodeAt(end) < 128 || kindOfCharacter(text, end) !== EXTENDING) break;
    end += sizeOfCharacter(text, end);
  }
  return end;
}

/**
 * Returns whether a run is a word. Numbers of one digit or more than eight digits are not: nobody searches
 * for them.
 */
export function isWordLength(length: number, hasLetters: boolean): boolean {
  return hasLetters ? length <= 256 : length >= 2 && length <= 8;
}

const ASCII_WORD_CODES = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9_$]/.test(String.fromCharCode(code)) ? 1 : 0,
);

const BEYOND_ASCII = /[^\0-\x7f]/;

/** Returns the terms of one word without caching; see `Tokenizer.split`. */
export function splitWord(word: string): readonly string[] {
  if (!BEYOND_ASCII.test(word)) return termsOf(word);
  const folded = foldWord(word);
  if (folded === "") return [];
  // Nothing is cut off a pair of characters.
  if (kindOfCharacter(folded, 0) === UNSPACED) return [cutTerm(folded)];
  // The small letter of a capital sigma depends on its place.
  return termsOf(folded).map((term) => term.replaceAll("ς", "σ"));
}

function termsOf(word: string): readonly string[] {
  const parts = partsOf(word);
  const terms: string[] = [];
  for (const part of parts) {
    const term = cutTerm(stemWord(part.toLowerCase()));
    if (term.length > 1 && !terms.includes(term)) terms.push(term);
  }
  if (parts.length > 1) {
    const whole = cutTerm(parts.join("").toLowerCase());
    if (!terms.includes(whole)) terms.push(whole);
  }
  return terms;
}

/** The last character of the terms that `prefixTerm` makes; no other term has it. */
const PREFIX_MARK = "~";
const PREFIX_LETTERS = 5;
/** A word of one part in Latin letters, folded. */
const PLAIN_WORD = /^[A-Za-z][a-z]{3,}$/;

/**
 * Returns the term that a word of prose in a foreign language shares with its inflected forms: its first five letters,
 * with a mark. Undefined for shorter words, names of several parts and words in other alphabets.
 */
export function prefixTerm(word: string): string | undefined {
  const folded = BEYOND_ASCII.test(word) ? foldWord(word) : word;
  if (!PLAIN_WORD.test(folded)) return undefined;
  return folded.slice(0, PREFIX_LETTERS).toLowerCase() + PREFIX_MARK;
}

/** Whether `prefixTerm` made a term. */
export function isPrefixTerm(term: string): boolean {
  return term.endsWith(PREFIX_MARK);
}

/**
 * Returns those terms of a word that a text needs to contain its parts: all without the whole word, or the prefix, which
 * every form of the word has.
 */
export function partTerms(terms: readonly string[]): readonly string[] {
  const last = terms.at(-1);
  if (last !== undefined && isPrefixTerm(last)) return [last];
  return terms.slice(0, Math.max(1, terms.length - 1));
}

/** Returns a tokenizer for prose in a foreign language: the last term of a word is its prefix, if it has one. */
export function withPrefixes({ split }: Tokenizer): Tokenizer {
  const splitProse = (word: string): readonly string[] => {
    const prefix = prefixTerm(word);
    return prefix === undefined ? split(word) : [...split(word), prefix];
  };
  return {
    split: splitProse,
    terms(text, emit) {
      scanWords(text, (word) => {
        for (const term of splitProse(word)) emit(term);
      });
    },
  };
}

/** Character classes that determine the boundaries between the parts of a word. */
const OTHER = 0;
const SEPARATOR = 1;
const DIGIT = 2;
const LOWER = 3;
const UPPER = 4;
const CHARACTER_KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[_$]/.test(character)) return SEPARATOR;
  if (/[0-9]/.test(character)) return DIGIT;
  if (/[a-z]/.test(character)) return LOWER;
  return /[A-Z]/.test(character) ? UPPER : OTHER;
});

/** Splits an identifier: `parseHTTPBody2xx_a` -> parse, HTTP, Body, 2, xx, a. */
function partsOf(word: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let beforeLast = OTHER;
  let last = OTHER;
  let kind = kindAt(word, 0);
  for (let at = 0; at < word.length; at += 1) {
    const next = kindAt(word, at + 1);
    if (at > start && isBoundary(beforeLast, last, kind, next)) {
      parts.push(word.slice(start, at));
      start = at;
    }
    if (kind === SEPARATOR) start = at + 1;
    beforeLast = last;
    last = kind;
    kind = next;
  }
  if (start < word.length) parts.push(start === 0 ? word : word.slice(start));
  return parts;
}

function kindAt(word: string, at: number): number {
  if (at >= word.length) return OTHER;
  return CHARACTER_KINDS[word.charCodeAt(at)] ?? caseOf(word.charAt(at));
}

/** Returns the kind of a character beyond ASCII. */
function caseOf(character: string): number {
  if (character.toLowerCase() !== character) return UPPER;
  return character.toUpperCase() === character ? OTHER : LOWER;
}

/**
 * Returns whether a part ends before a character of `kind`, given the two characters before it and the next
 * one.
 */
// oxlint-disable-next-line max-params -- called once per character
function isBoundary(beforeLast: number, last: number, kind: number, next: number): boolean {
  switch (kind) {
    case SEPARATOR:
      return true;
    case UPPER:
      if (last === LOWER) return true;
      // "2D" begins a part, "HTTPServer" has a boundary before the S, and "2xx" one before two letters.
      return last === DIGIT || (last === UPPER && next === LOWER);
    case LOWER:
      return last === DIGIT && next >= LOWER;
    case DIGIT:
      return last >= LOWER && beforeLast >= LOWER && next === DIGIT;
    default:
      return false;
  }
}

/** Truncates a term to 64 characters. A cut may leave half a surrogate pair, which UTF-8 cannot encode. */
export function cutTerm(term: string): string {
  return term.length > MAX_TERM_LENGTH ? term.slice(0, MAX_TERM_LENGTH).toWellFormed() : term;
}

/**
 * Returns the stem of a word in lower case. In an alphabet other than Latin that is its first five letters, which
 * measures better than stemmers of single languages.
 */
export function stemWord(word: string): string {
  return word.charCodeAt(0) < FIRST_GREEK ? stemEnglish(word) : firstLetters(word);
}

function firstLetters(word: string): string {
  if (word.length <= STEM_LETTERS) return word;
  return Array.from(word.slice(0, STEM_LETTERS * 2))
    .slice(0, STEM_LETTERS)
    .join("");
}

/**
 * A light English stemmer: it removes plural, -ing, -ed and a final -e. Heavier stemmers (Porter) merge words
 * that programs distinguish ("general", "generate").
 */
function stemEnglish(word: string): string {
  if (word.length < 4 || word.length > 24) return word;
  const base = withoutSuffix(word);
  return base.length > 4 && base.endsWith("e") ? base.slice(0, -1) : base;
}

function withoutSuffix(word: string): string {
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (word.endsWith("ing") && word.length > 6) return withoutDoubleLetter(word.slice(0, -3));
  if (word.endsWith("ed") && word.length > 5) return withoutDoubleLetter(word.slice(0, -2));
  if (!word.endsWith("s")) return word;
  if (/(?:ch|sh|x|z)es$/.test(word)) return word.slice(0, -2);
  return /(?:ss|us|is)$/.test(word) ? word : word.slice(0, -1);
}

/** "mapp" (from "mapping") -> "map". "call" and "pass" keep their double letter. */
function withoutDoubleLetter(base: string): string {
  const last = base.at(-1) ?? "";
  return last === base.at(-2) && !"lsz".includes(last) ? base.slice(0, -1) : base;
}
