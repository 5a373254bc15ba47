// Carries ranks over while files move between segments, until PageRank is recomputed.

import { carriedCodes } from "../../pagerank/stale-ranks.ts";
import type { SegmentRanks } from "./segment-ranks.ts";
import type { SegmentReader } from "../segment/segment-reader.ts";

/** A segment and its ranks. */
export interface RankedSegment {
  readonly reader: SegmentReader;
  readonly ranks: SegmentRanks | undefined;
}

/** Returns the ranks of the segment that results from concatenating the live files of these. */
export function mergedRanks(
  inputs: readonly (RankedSegment & { readonly tombstones: Uint8Array })[],
): SegmentRanks {
  const files: number[] = [];
  const symbols: number[] = [];
  for (const { reader, ranks, tombstones } of inputs) {
    for (let file = 0; file < reader.files; file += 1) {
      if (tombstones[file] === 1) continue;
      files.push(ranks?.files[file] ?? 0);
      const [first, end] = symbolRange(reader, file);
      for (let at = first; at < end; at += 1) symbols.push(ranks?.symbols[at] ?? 0);
    }
  }
  return { files: Uint8Array.from(files), symbols: Uint8Array.from(symbols) };
}

/** A reindexed file: its old segment and index, and its index in the new segment. */
export interface RankedFileMove extends RankedSegment {
  /** Index in the old segment. */
  readonly file: number;
  /** Index in the new segment. */
  readonly now: number;
}

/**
 * Returns the ranks of a segment that has these files now: each file and symbol takes over the rank of the same name.
 * `before`: the ranks of a segment that is not new.
 */
export function carriedRanks(
  segment: SegmentReader,
  renewed: readonly RankedFileMove[],
  before?: SegmentRanks,
): SegmentRanks {
  const files = before?.files.slice() ?? new Uint8Array(segment.files);
  const symbols = before?.symbols.slice() ?? new Uint8Array(segment.directory.symbols);
  for (const { reader, ranks, file, now } of renewed) {
    if (ranks === undefined) continue;
    files[now] = ranks.files[file] ?? 0;
    const [firstBefore] = symbolRange(reader, file);
    const [first] = symbolRange(segment, now);
    const codeOf = (symbol: number): number => ranks.symbols[firstBefore + symbol] ?? 0;
    symbols.set(carriedCodes(reader.symbolsOf(file), codeOf, segment.symbolsOf(now)), first);
  }
  return { files, symbols };
}

function symbolRange(reader: SegmentReader, file: number): readonly [number, number] {
  const firsts = reader.column("firstSymbol");
  return [firsts[file] ?? 0, firsts[file + 1] ?? reader.directory.symbols];
}
