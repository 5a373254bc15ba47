// Tables in text: CSV and TSV. Their first line names the columns. Only the first rows are cut into chunks: thousands of
// rows of numbers would be most of an index, and text search finds the others.
import { emptyCuts, sizeOf, type TextLines } from "../parse/text-lines.ts";

/** In lines of chunks; a long line counts as several. */
const MAX_INDEXED_SIZE = 400;
const ROW = 1;
const QUOTE = 34;

/** Where a table may be cut, and which part of it is. */
export interface TableRows {
  /** See `ParsedOutline.cuts`. A row may have several lines, and is not cut. */
  readonly cuts: Uint8Array;
  /** Last line of the rows that become chunks. */
  readonly endLine: number;
}

/** Returns the rows of a table that become chunks. The first line always does. */
export function indexedRows(lines: TextLines): TableRows {
  const cuts = emptyCuts(lines.count);
  let endLine = 0;
  let isQuoted = false;
  for (let line = 1; line <= lines.count; line += 1) {
    if (!isQuoted) {
      if (line > 1 && sizeOf(lines, 1, line) > MAX_INDEXED_SIZE) break;
      cuts[line - 1] = ROW;
    }
    endLine = line;
    if (hasOddQuotes(lines, line)) isQuoted = !isQuoted;
    // A quote that is never closed.
    if (isQuoted && sizeOf(lines, 1, line) > 2 * MAX_INDEXED_SIZE) break;
  }
  return { cuts, endLine };
}

function hasOddQuotes(lines: TextLines, line: number): boolean {
  const end = lines.endOf(line);
  let isOdd = false;
  for (let at = lines.starts[line - 1] ?? 0; at < end; at += 1) {
    if (lines.text.charCodeAt(at) === QUOTE) isOdd = !isOdd;
  }
  return isOdd;
}
