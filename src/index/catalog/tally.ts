// Totals of the catalogue, updated with each change. They reveal missing rows, and save counting.

import { crc32 } from "node:zlib";

import { STAGES, type FileRow, type FileStage, type Totals } from "./file-row.ts";
import { subtractRow, NO_ROWS, addRow } from "./row-count.ts";
import type { Count } from "../../base/row-sum.ts";

/** Totals of the catalogue's tables. */
export interface Tally extends Totals {
  /** Counts of table rows; those of `file` by `rowSum`, and by the CRC-32 of their paths. */
  readonly file: Count;
  readonly paths: Count;
  readonly segment: Count;
  readonly importance: Count;
  /** Number of files by stage, without skipped ones. */
  readonly stages: Readonly<Record<FileStage, number>>;
  /** Number of files whose content is not indexed, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Number of files that were indexed without their grammar, by reason. */
  readonly problems: Readonly<Record<string, number>>;
}

export const EMPTY_TALLY: Tally = {
  file: NO_ROWS,
  paths: NO_ROWS,
  segment: NO_ROWS,
  importance: NO_ROWS,
  stages: { listed: 0, words: 0, complete: 0 },
  skipped: {},
  problems: {},
  files: 0,
  chunks: 0,
  symbols: 0,
  bytes: 0,
};

/** Returns the tally with one file added. */
export function withFile(tally: Tally, row: FileRow, sum: number): Tally {
  const counted = counting(tally, row, 1);
  return {
    ...counted,
    file: addRow(tally.file, sum),
    paths: addRow(tally.paths, crc32(row.path)),
  };
}

/** Returns the tally with one file removed. */
export function withoutFile(tally: Tally, row: FileRow, sum: number): Tally {
  const counted = counting(tally, row, -1);
  return {
    ...counted,
    file: subtractRow(tally.file, sum),
    paths: subtractRow(tally.paths, crc32(row.path)),
  };
}

function counting(tally: Tally, row: FileRow, by: 1 | -1): Tally {
  const { stage, skipped, problem, segment, size, chunks, symbols } = row;
  const isIndexed = segment !== null;
  return {
    ...tally,
    stages:
      skipped === null ? { ...tally.stages, [stage]: tally.stages[stage] + by } : tally.stages,
    skipped: skipped === null ? tally.skipped : moved(tally.skipped, skipped, by),
    problems: problem === undefined ? tally.problems : moved(tally.problems, problem.reason, by),
    files: tally.files + (isIndexed ? by : 0),
    chunks: tally.chunks + chunks * by,
    symbols: tally.symbols + symbols * by,
    bytes: tally.bytes + (isIndexed ? size * by : 0),
  };
}

function moved(
  counts: Readonly<Record<string, number>>,
  reason: string,
  by: number,
): Readonly<Record<string, number>> {
  const { [reason]: before = 0, ...others } = counts;
  return before + by === 0 ? others : { ...others, [reason]: before + by };
}

/** Whether these are the counted files. */
export function isTallyOf(tally: Tally, rows: readonly FileRow[]): boolean {
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
