// The text that the parser is at, as the UTF-16 units that it asks for in pieces. The library would copy them
// out of a part of the string, one by one and through a DataView, which takes three times as long.

/**
 * Brackets nested deeper than this are not parsed. Where every level is ambiguous (`{-{-{-` in Go
 * or C) the parser recurses once per level, and between 700 and 1000 levels it overwrites its own
 * memory. None of 8,900 source files measured comes to 500, brackets in strings included.
 */
const MAX_NESTING = 500;

/** Units that the parser has room for (`INPUT_BUFFER_SIZE` of web-tree-sitter, less one of two bytes). */
const PIECE_UNITS = 5119;

/** Of the text at hand; kept for the next one. */
let units = new Uint16Array(1 << 16);
let length = 0;

/** Makes `text` the one that is parsed next. False when its brackets are nested too deeply for that. */
export function setParserText(text: string): boolean {
  length = text.length;
  if (length > units.length) units = new Uint16Array(length * 2);
  let depth = 0;
  for (let index = 0; index < length; index += 1) {
    const code = text.charCodeAt(index);
    units[index] = code;
    // ( [ {
    if (code === 40 || code === 91 || code === 123) {
      depth += 1;
      if (depth > MAX_NESTING) return false;
    } else if ((code === 41 || code === 93 || code === 125) && depth > 0) {
      depth -= 1;
    }
  }
  return true;
}

/** Puts what is at `index` to `address` of the memory; returns how many units that is. */
export function copyPiece(memory: ArrayBuffer, address: number, index: number): number {
  const piece = units.subarray(Math.min(index, length), Math.min(index + PIECE_UNITS, length));
  new Uint16Array(memory, address, PIECE_UNITS).set(piece);
  return piece.length;
}
