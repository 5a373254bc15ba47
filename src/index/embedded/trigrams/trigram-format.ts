// The trigrams of a segment on disk: which files contain which three consecutive bytes, after folding.
// Two sections, numbers little endian:
//
//   keys      blocks u32 | bytes of `postings` u32 | directory | block | block | ...
//   directory for each block: first key u32 | offset of the block in `keys` u32 |
//             offset of its first list in `postings` u32
//   block     up to 64 times: key minus the one before (0 for the first) | files minus 1 |
//             2 x (bytes minus the least for so many files), or 2 x bytes + 1 when the list is a bitmap; all varints
//   postings  the lists one after the other, as those of the words (posting-list.ts); or, where that is smaller, a
//             bitmap, file 0 in the lowest bit

import { foldText } from "../../fold-text.ts";

export const KEYS_PER_BLOCK = 64;
export const HEADER_BYTES = 8;
export const DIRECTORY_ENTRY_BYTES = 12;

const CLASS_BITS = 7;
export const CLASS_COUNT = 1 << CLASS_BITS;
/** Keys are below this. */
export const KEY_COUNT = 1 << (3 * CLASS_BITS);
export const KEY_MASK = KEY_COUNT - 1;

/** The class of the bytes that end a line. No trigram contains one, because no match crosses a line. */
const BREAK = CLASS_COUNT - 1;

/**
 * Characters of source text, the most frequent first. Classes are assigned in this order, so that the keys of
 * most texts are close together: collecting them is bound by the memory that is touched.
 */
const COMMON = " etaoinsrldcupmfgh_.,()*b-;/0v1=x\"k2y><&:{}+w3'4#[]q58j6z7|9!%\\@$\t?~^`";

/** The class of each byte; a key consists of three classes, the first in the highest bits. */
export const CLASS_OF_BYTE: Readonly<Uint8Array> = classes();

function classes(): Uint8Array {
  const table = new Uint8Array(256);
  // 0 is for control characters.
  let next = 1;
  for (const character of COMMON) table[character.charCodeAt(0)] = next++;
  for (const byte of [0x0a, 0x0d]) table[byte] = BREAK;
  for (let byte = 0x41; byte <= 0x5a; byte += 1) table[byte] = table[byte + 0x20] ?? 0;
  const free = BREAK - next;
  for (let byte = 0x80; byte < 0x100; byte += 1) table[byte] = next + ((byte - 0x80) % free);
  return table;
}

/** The initial key of a text, as if only line ends came before. */
export const START_KEY = KEY_COUNT - 1;

/** Whether a key contains a line end. */
export function hasBreak(key: number): boolean {
  return (
    (key & BREAK) === BREAK ||
    ((key >> CLASS_BITS) & BREAK) === BREAK ||
    key >> (2 * CLASS_BITS) === BREAK
  );
}

/** Returns the distinct keys of every file that contains this text, in text order. */
export function keysOfText(text: string): readonly number[] {
  const keys = new Set<number>();
  // U+FFFD may represent bytes that are not UTF-8, which are indexed unchanged.
  for (const piece of foldText(text).toWellFormed().split("\ufffd")) {
    let key = START_KEY;
    for (const byte of Buffer.from(piece)) {
      key = ((key << CLASS_BITS) | (CLASS_OF_BYTE[byte] ?? 0)) & KEY_MASK;
      if (!hasBreak(key)) keys.add(key);
    }
  }
  return [...keys];
}
