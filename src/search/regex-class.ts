// Parses escapes and character classes of RE2's syntax: https://github.com/google/re2/wiki/Syntax

/** Up to MAX_CHARACTERS possible code points; undefined when there are more or they are unknown. */
export type Characters = readonly number[] | undefined;

/** A parsed item of a pattern, and the offset of its end. */
export interface ClassItem {
  readonly characters: Characters;
  /** Offset after the item, in UTF-16 units. */
  readonly end: number;
}

const MAX_CHARACTERS = 32;

const CONTROL: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };
const SETS = /^\\(?:[dswDSW]|[pP](?:\{[^}]*\}|[^{]))/u;
const HEXADECIMAL = /^\\x(?:\{([0-9A-Fa-f]{1,8})\}|([0-9A-Fa-f]{2}))/;
const OCTAL = /^\\(0[0-7]{0,2}|[1-7][0-7]{1,2})/;
const POSIX = /^\[:\^?[a-z]+:\]/;
/** Length of the slice in which an item is parsed; no item is longer. */
const MAX_ITEM_CHARS = 64;

/** Parses the escape that begins at `at`; returns undefined when it is not supported. */
export function readEscape(source: string, at: number): ClassItem | undefined {
  const rest = source.slice(at, at + MAX_ITEM_CHARS);
  const set = SETS.exec(rest);
  if (set !== null) return { characters: undefined, end: at + set[0].length };
  const hexadecimal = HEXADECIMAL.exec(rest);
  if (hexadecimal !== null) {
    const value = Number.parseInt(hexadecimal[1] ?? hexadecimal[2] ?? "", 16);
    return value > 0x10ffff ? undefined : one(value, at + hexadecimal[0].length);
  }
  const octal = OCTAL.exec(rest);
  if (octal !== null) return one(Number.parseInt(octal[1] ?? "", 8), at + octal[0].length);
  const letter = rest[1] ?? "";
  const control = CONTROL[letter];
  if (control !== undefined) return one(control, at + 2);
  return /^[!-/:-@[-`{-~ ]$/.test(letter) ? one(letter.charCodeAt(0), at + 2) : undefined;
}

function one(character: number, end: number): ClassItem {
  return { characters: [character], end };
}

/** Parses the class whose `[` is at `at`; returns undefined when it is not supported. */
export function readClass(source: string, at: number): ClassItem | undefined {
  const isNegated = source[at + 1] === "^";
  const first = at + (isNegated ? 2 : 1);
  const found = new Set<number>();
  let isKnown = !isNegated;
  for (let place = first; place < source.length;) {
    // A bracket in first position is literal.
    if (source[place] === "]" && place > first) {
      const isSmall = isKnown && found.size > 0 && found.size <= MAX_CHARACTERS;
      return { characters: isSmall ? [...found] : undefined, end: place + 1 };
    }
    const range = readRange(source, place);
    if (range === undefined) return undefined;
    for (const character of range.characters ?? []) found.add(character);
    isKnown &&= range.characters !== undefined && found.size <= MAX_CHARACTERS;
    place = range.end;
  }
  return undefined;
}

/** Parses one member of a class: a set, a character or a range. */
function readRange(source: string, at: number): ClassItem | undefined {
  const posix = POSIX.exec(source.slice(at, at + MAX_ITEM_CHARS));
  if (posix !== null) return { characters: undefined, end: at + posix[0].length };
  const low = readMember(source, at);
  const from = low?.characters?.[0];
  if (low === undefined || from === undefined || source[low.end] !== "-") return low;
  // A hyphen before the closing bracket is literal.
  if (source[low.end + 1] === "]") return low;
  const high = readMember(source, low.end + 1);
  const to = high?.characters?.[0];
  if (high === undefined || to === undefined || to < from) return undefined;
  const length = to - from + 1;
  const characters =
    length > MAX_CHARACTERS ? undefined : Array.from({ length }, (_, offset) => from + offset);
  return { characters, end: high.end };
}

function readMember(source: string, at: number): ClassItem | undefined {
  if (source[at] === "\\") return readEscape(source, at);
  const character = source.codePointAt(at);
  return character === undefined ? undefined : one(character, at + (character > 0xffff ? 2 : 1));
}
