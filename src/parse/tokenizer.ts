// Text -> terms. The same function reads files at index time and queries at query time, so a change here must
// raise FORMAT_VERSION in index/segment/format.ts: old segments contain other terms.

const MAX_TERM_LENGTH = 64;
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
 * Finds the words of a text: runs of letters, digits, `_` and `$` that satisfy `isWordLength`. `start` is an
 * offset in UTF-16 code units.
 */
export function scanWords(text: string, emit: (word: string, start: number) => void): void {
  const length = text.length;
  let at = 0;
  while (at < length) {
    if (!isWordCode(text.charCodeAt(at))) {
      at += 1;
      continue;
    }
    const start = at;
    let letters = false;
    while (at < length) {
      const code = text.charCodeAt(at);
      if (!isWordCode(code)) break;
      if (code > 57) letters = true;
      at += 1;
    }
    if (isWordLength(at - start, letters)) emit(text.slice(start, at), start);
  }
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

function isWordCode(code: number): boolean {
  if (code < 128) return ASCII_WORD_CODES[code] === 1;
  // Letters of other scripts. General punctuation, arrows, box drawing and symbols are not words.
  return code >= 0xc0 && !(code >= 0x2000 && code <= 0x2bff) && !(code >= 0x3000 && code <= 0x303f);
}

const CJK = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/** Returns the terms of one word without caching; see `Tokenizer.split`. */
export function splitWord(word: string): readonly string[] {
  if (CJK.test(word)) return bigrams(word);
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
  return at < word.length ? (CHARACTER_KINDS[word.charCodeAt(at)] ?? OTHER) : OTHER;
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

/** Scripts without spaces are indexed as overlapping pairs of characters, the usual solution. */
function bigrams(word: string): readonly string[] {
  const characters = Array.from(word);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index] ?? ""}${character}`);
}

/**
 * A light English stemmer: it removes plural, -ing, -ed and a final -e. Heavier stemmers (Porter) merge words
 * that programs distinguish ("general", "generate").
 */
export function stemWord(word: string): string {
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
