// Decides which segments to merge. Each commit writes a segment, so small ones accumulate, and a query reads
// them all. Segments are grouped into size classes, each four times as large as the one before, and the
// smallest class with four segments is merged first. So each byte is written once per class: the logarithm of
// the index size. A segment with more than half of its files deleted is rewritten alone.

import type { SegmentRow } from "./catalog/segment-table.ts";

/** This many segments of one size class are merged. */
const MERGE_FAN_IN = 4;
/** Segments up to this size are all in the smallest class. */
const MIN_SIZE_CLASS_BYTES = 16 << 10;
/** A merge takes a second for 20 MB. A larger segment is left as it is until half of it is deleted. */
export const MAX_MERGE_BYTES = 64 << 20;
/** A merge of this many bytes takes some 50 ms. */
export const MAX_QUICK_MERGE_BYTES = 2 << 20;

/** Returns the segments to merge into one, up to `limitBytes` in total; empty if no merge is due. */
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

/** Returns the rows, in order, that fit into one merge. */
function fittingMerge(rows: readonly SegmentRow[], limitBytes: number): readonly SegmentRow[] {
  let bytes = 0;
  return rows.filter((row) => {
    if (bytes + row.bytes > limitBytes) return false;
    bytes += row.bytes;
    return true;
  });
}

/** The size class: 0 for the smallest, plus 1 for each factor of four. Deleted files do not count. */
function sizeClass(row: SegmentRow): number {
  const bytes = (row.bytes * liveFiles(row)) / Math.max(1, row.files);
  return Math.max(0, Math.ceil(Math.log2(bytes / MIN_SIZE_CLASS_BYTES) / Math.log2(MERGE_FAN_IN)));
}

function liveFiles({ files, tombstones }: SegmentRow): number {
  return files - tombstones.reduce((sum, value) => sum + value, 0);
}
