// Which segments become one. A commit writes a segment of its own, so that small ones gather; a query reads
// them all. Segments are put into classes by their size, each class four times as large as the one before, and
// the smallest class that has four is merged first. A byte is so written once a class, which is the logarithm of
// the size of the index. A segment of which more than half is deleted is written again by itself.

import type { SegmentRow } from "../catalog/segment-table.ts";

/** Segments are merged when this many are of one size class. */
const MERGE_FAN_IN = 4;
/** Segments up to this size are all in the smallest class. */
const MIN_SIZE_CLASS_BYTES = 16 << 10;
/** A merge holds its inputs in memory: what is larger stays as it is until half of it is deleted. */
export const MAX_MERGE_BYTES = 64 << 20;
/** A merge of this many bytes takes some 50 ms. */
export const MAX_QUICK_MERGE_BYTES = 2 << 20;

/** The segments to merge into one, of at most `limitBytes` together; none when no merge is due. */
export function mergePolicy(
  segments: readonly SegmentRow[],
  limitBytes: number,
): readonly SegmentRow[] {
  const bySize = Map.groupBy(segments, sizeClass);
  for (const [, alike] of [...bySize].toSorted(([one], [other]) => one - other)) {
    const inputs = fittingMerge(alike, limitBytes);
    if (inputs.length >= MERGE_FAN_IN) return inputs;
  }
  return segments
    .filter((row) => liveFiles(row) * 2 < row.files && row.bytes <= limitBytes * 2)
    .slice(0, 1);
}

/** As many, in order, as fit into one merge. */
function fittingMerge(rows: readonly SegmentRow[], limitBytes: number): readonly SegmentRow[] {
  let bytes = 0;
  return rows.filter((row) => {
    if (bytes + row.bytes > limitBytes) return false;
    bytes += row.bytes;
    return true;
  });
}

/** 0 for the smallest; one more for each four times the bytes. Deleted files do not count. */
function sizeClass(row: SegmentRow): number {
  const bytes = (row.bytes * liveFiles(row)) / Math.max(1, row.files);
  return Math.max(0, Math.ceil(Math.log2(bytes / MIN_SIZE_CLASS_BYTES) / Math.log2(MERGE_FAN_IN)));
}

function liveFiles({ files, tombstones }: SegmentRow): number {
  return files - tombstones.reduce((sum, value) => sum + value, 0);
}
