// Positions of SCIP: offsets in a line, in the unit that a document states.

/** The values of `PositionEncoding` in scip.proto. */
export const PositionEncoding = { unspecified: 0, utf8: 1, utf16: 2, utf32: 3 } as const;

const ASCII = /^[\0-\x7F]*$/;

/**
 * Returns the index in a line (UTF-16 code units) of an offset in the given unit; undefined if it is outside the
 * line or inside a character. Without a unit it is that of the indexers that state none: UTF-16.
 */
export function columnOf(line: string, offset: number, encoding: number): number | undefined {
  const isUtf16 = encoding !== PositionEncoding.utf8 && encoding !== PositionEncoding.utf32;
  if (isUtf16 || ASCII.test(line)) return offset <= line.length ? offset : undefined;
  let left = offset;
  let column = 0;
  for (const character of line) {
    if (left <= 0) break;
    left -= encoding === PositionEncoding.utf8 ? Buffer.byteLength(character) : 1;
    column += character.length;
  }
  return left === 0 ? column : undefined;
}
