// Counts of the files of an index.

import type { FileStage, FileState, Totals } from "./types.ts";

/** Totals of the files whose content is indexed, and counts of all files. */
export interface FileTotals extends Totals {
  /** Number of files by stage, without skipped ones. */
  readonly stages: Readonly<Record<FileStage, number>>;
  /** Number of files whose content is not indexed, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Number of files that were indexed without their grammar, by reason. */
  readonly problems: Readonly<Record<string, number>>;
}

export const NO_FILES: FileTotals = {
  stages: { listed: 0, words: 0, complete: 0 },
  skipped: {},
  problems: {},
  files: 0,
  chunks: 0,
  symbols: 0,
  bytes: 0,
};

/** Returns the totals with one file added (`by` 1) or removed (-1). `hasContent`: whether its content is indexed. */
export function countingFile<T extends FileTotals>(
  totals: T,
  { stage, skipped, problem, size, chunks, symbols }: FileState,
  hasContent: boolean,
  by: 1 | -1,
): T {
  return {
    ...totals,
    stages:
      skipped === null ? { ...totals.stages, [stage]: totals.stages[stage] + by } : totals.stages,
    skipped: skipped === null ? totals.skipped : moved(totals.skipped, skipped, by),
    problems: problem === undefined ? totals.problems : moved(totals.problems, problem.reason, by),
    files: totals.files + (hasContent ? by : 0),
    chunks: totals.chunks + chunks * by,
    symbols: totals.symbols + symbols * by,
    bytes: totals.bytes + (hasContent ? size * by : 0),
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

/** Sorts counts by reason: the most frequent first. */
export function mostFrequentFirst(
  counts: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(counts).toSorted(
      ([one, few], [other, many]) => many - few || Number(one > other) - Number(one < other),
    ),
  );
}
