// Splits names into the words that people see in them. Unlike terms, sub-words are neither stemmed nor joined,
// and they keep their order.

const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return LOWER;
  if (/[A-Z]/.test(character)) return UPPER;
  return /\d/.test(character) ? DIGIT : OTHER;
});
/** The bit of all characters beyond ASCII. */
const OTHER_BIT = 1 << 27;
/** The bit of each letter in any case, and one bit for all digits. */
const BITS = Uint32Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase();
  if (/\d/.test(character)) return 1 << 26;
  return /[a-z]/.test(character) ? 1 << (character.charCodeAt(0) - 97) : 0;
});

/** Maximum sub-words per name. A heading may be a whole sentence; its further words are ignored. */
const MAX_SUB_WORDS = 12;

/**
 * Returns the letters and digits of a text as bits, with one bit for everything beyond ASCII. The mask of a
 * substring is a subset of the text's mask, and each typo makes at most one bit missing.
 */
export function letterMask(text: string): number {
  let mask = 0;
  for (let at = 0; at < text.length; at += 1) mask |= BITS[text.charCodeAt(at)] ?? OTHER_BIT;
  return mask >>> 0;
}

/** Returns the `letterMask` of the first bytes of a text of ASCII. */
export function lettersOfAscii(bytes: Uint8Array, length: number): number {
  let mask = 0;
  for (let at = 0; at < length; at += 1) mask |= BITS[bytes[at] ?? 0] ?? 0;
  return mask >>> 0;
}

/** Returns the sub-words of a name in lower case: parse, http, body2 and x for `parseHTTPBody2_x`. */
export function subWords(name: string): readonly string[] {
  const words: string[] = [];
  const text = name.toLowerCase();
  // A few letters become longer in lower case.
  const isSame = text.length === name.length;
  const add = (from: number, to: number): void => {
    words.push(isSame ? text.slice(from, to) : name.slice(from, to).toLowerCase());
  };
  let start = -1;
  let last = OTHER;
  let kind = characterKind(name, 0);
  for (let at = 0; at < name.length && words.length < MAX_SUB_WORDS; at += 1) {
    const next = characterKind(name, at + 1);
    if (start >= 0 && (kind === OTHER || isStart(last, kind, next))) {
      add(start, at);
      start = -1;
    }
    if (start < 0 && kind !== OTHER) start = at;
    last = kind;
    kind = next;
  }
  if (start >= 0 && words.length < MAX_SUB_WORDS) add(start, name.length);
  return words;
}

/** Whether a sub-word begins at a character, from its kind and those of its neighbours. */
function isStart(last: number, kind: number, next: number): boolean {
  if (kind === OTHER) return false;
  if (last === OTHER) return true;
  if (kind === DIGIT) return false;
  if (last === DIGIT) return true;
  return kind === UPPER && (last === LOWER || next === LOWER);
}

function characterKind(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 128) return KINDS[code] ?? OTHER;
  // NaN after the end.
  if (!(code >= 128)) return OTHER;
  const character = text.charAt(at);
  if (character !== character.toLowerCase()) return UPPER;
  // Halves of surrogate pairs count as letters, so that no pair is split.
  return /[\p{L}\p{N}\p{M}\p{Cs}]/u.test(character) ? LOWER : OTHER;
}
