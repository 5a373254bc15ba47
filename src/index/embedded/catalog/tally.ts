// Totals of the catalogue, updated with each change. They reveal missing rows, and save counting.

import { crc32 } from "node:zlib";

import type { PlacedFile } from "./file-row.ts";
import { countingFile, NO_FILES, type FileTotals } from "../../file-totals.ts";
import { STAGES } from "../../types.ts";
import { subtractRow, NO_ROWS, addRow } from "./row-count.ts";
import type { Count } from "../../../base/row-sum.ts";

/** Totals of the catalogue's tables. */
export interface Tally extends FileTotals {
  /** Counts of table rows; those of `file` by `rowSum`, and by the CRC-32 of their paths. */
  readonly file: Count;
  readonly paths: Count;
  readonly segment: Count;
  readonly importance: Count;
}

export const EMPTY_TALLY: Tally = {
  file: NO_ROWS,
  paths: NO_ROWS,
  segment: NO_ROWS,
  importance: NO_ROWS,
  ...NO_FILES,
};

/** Returns the tally with one file added. */
export function withFile(tally: Tally, row: PlacedFile, sum: number): Tally {
  const counted = counting(tally, row, 1);
  return {
    ...counted,
    file: addRow(tally.file, sum),
    paths: addRow(tally.paths, crc32(row.path)),
  };
}

/** Returns the tally with one file removed. */
export function withoutFile(tally: Tally, row: PlacedFile, sum: number): Tally {
  const counted = counting(tally, row, -1);
  return {
    ...counted,
    file: subtractRow(tally.file, sum),
    paths: subtractRow(tally.paths, crc32(row.path)),
  };
}

function counting(tally: Tally, row: PlacedFile, by: 1 | -1): Tally {
  return countingFile(tally, row, row.segment !== null, by);
}

/** Whether these are the counted files. */
export function isTallyOf(tally: Tally, rows: readonly PlacedFile[]): boolean {
  const counted = rows.reduce((sum, row) => counting(sum, row, 1), EMPTY_TALLY);
  const { files, chunks, symbols, bytes } = tally;
  return (
    counted.files === files &&
    counted.chunks === chunks &&
    counted.symbols === symbols &&
    counted.bytes === bytes &&
    STAGES.every((stage) => counted.stages[stage] === tally.stages[stage])
  );
}
