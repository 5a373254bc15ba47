// The kinds of non-ASCII characters, for splitting a text into words.

/** Punctuation, symbols, blanks: not part of a word. */
export const NO_WORD = 0;
/** A letter or digit of a script that has spaces between words. */
export const ALPHABETIC = 1;
/** A letter of a script without spaces between words, or of Korean, whose words are long compounds. */
export const UNSPACED = 2;
/** A mark that belongs to the character before it: an accent, a vowel sign, a part of a syllable. */
export const EXTENDING = 3;

const UNSPACED_LETTER =
  /^(?=[\p{L}\p{N}])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc\uff70]$/u;
/** Marks, soft hyphens, vowels and finals of decomposed Korean, the voicing marks of half-width Japanese. */
const EXTENDING_CHARACTER = /^[\p{M}\u00ad\u1160-\u11ff\uff9e\uff9f]$/u;
const LETTER_OR_DIGIT = /^[\p{L}\p{N}]$/u;
const PAGE_SIZE = 256;
const HIGH_SURROGATE = 0xd800;
const LOW_SURROGATE = 0xdc00;
const AFTER_SURROGATES = 0xe000;

/** Kinds by code unit, in pages that are made on first use: texts have characters of few pages. */
const pages: (Uint8Array | undefined)[] = [];

/**
 * Returns the kind of the character that begins at `at`, which is not ASCII. Half a surrogate pair without its other
 * half is not a word.
 */
export function kindOfCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= HIGH_SURROGATE && code < AFTER_SURROGATES) {
    const point = text.codePointAt(at) ?? 0;
    return point > 0xffff ? computeKind(point) : NO_WORD;
  }
  const number = Math.floor(code / PAGE_SIZE);
  const page = (pages[number] ??= Uint8Array.from({ length: PAGE_SIZE }, (_, offset) =>
    computeKind(number * PAGE_SIZE + offset),
  ));
  return page[code % PAGE_SIZE] ?? NO_WORD;
}

/** Returns the number of code units of the character at `at`: 2 for a surrogate pair. */
export function sizeOfCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < HIGH_SURROGATE || code >= LOW_SURROGATE) return 1;
  const next = text.charCodeAt(at + 1);
  return next >= LOW_SURROGATE && next < AFTER_SURROGATES ? 2 : 1;
}

function computeKind(point: number): number {
  const character = String.fromCodePoint(point);
  if (EXTENDING_CHARACTER.test(character)) return EXTENDING;
  if (UNSPACED_LETTER.test(character)) return UNSPACED;
  return LETTER_OR_DIGIT.test(character) ? ALPHABETIC : NO_WORD;
}
