// The text to parse, as UTF-16 code units. The parser reads it in pieces. The library would copy a substring
// unit by unit through a DataView, which takes three times as long.

/**
 * Maximum nesting of brackets. If every level is ambiguous (`{-{-{-` in Go or C), the parser recurses once
 * per level, and between 700 and 1000 levels it overwrites its own memory. None of 8,900 measured source
 * files reaches 500, brackets in strings included.
 */
const MAX_NESTING = 500;

/** Maximum code units per piece (`INPUT_BUFFER_SIZE` of web-tree-sitter, minus one unit of two bytes). */
const PIECE_UNITS = 5119;

/** The code units of the current text. The array is reused for the next one. */
let units = new Uint16Array(1 << 16);
let length = 0;

/** Sets the text to parse next. Returns false if its brackets are nested too deeply. */
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

/** Copies the piece at `index` to `address` in the memory. Returns its length in code units. */
export function copyPiece(memory: ArrayBuffer, address: number, index: number): number {
  const piece = units.subarray(Math.min(index, length), Math.min(index + PIECE_UNITS, length));
  new Uint16Array(memory, address, PIECE_UNITS).set(piece);
  return piece.length;
}
