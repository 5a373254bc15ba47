// Keeps what is known of importance while files move from segment to segment, until it is worked out anew.

import type { SegmentRanks } from "./segment-ranks.ts";
import type { SegmentReader } from "../segment/segment-reader.ts";

/** A segment with what is known of it. */
export interface RankedSegment {
  readonly reader: SegmentReader;
  readonly ranks: SegmentRanks | undefined;
}

/** Of the segment that is made of these by putting their living files behind each other. */
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

/** A file that was read anew: what it was before, and its number in the new segment. */
export interface RankedFileMove extends RankedSegment {
  readonly file: number;
  readonly now: number;
}

/** Of a new segment: each file and each symbol has what those of the same name had. */
export function carriedRanks(
  segment: SegmentReader,
  renewed: readonly RankedFileMove[],
): SegmentRanks {
  const files = new Uint8Array(segment.files);
  const symbols = new Uint8Array(segment.directory.symbols);
  for (const { reader, ranks, file, now } of renewed) {
    if (ranks === undefined) continue;
    files[now] = ranks.files[file] ?? 0;
    const [before] = symbolRange(reader, file);
    const known = new Map<string, number>();
    for (const [at, { qualifiedName }] of reader.symbolsOf(file).entries()) {
      const code = ranks.symbols[before + at] ?? 0;
      known.set(qualifiedName, Math.max(code, known.get(qualifiedName) ?? 0));
    }
    const [first] = symbolRange(segment, now);
    for (const [at, { qualifiedName }] of segment.symbolsOf(now).entries()) {
      symbols[first + at] = known.get(qualifiedName) ?? 0;
    }
  }
  return { files, symbols };
}

function symbolRange(reader: SegmentReader, file: number): readonly [number, number] {
  const firsts = reader.column("firstSymbol");
  return [firsts[file] ?? 0, firsts[file + 1] ?? reader.directory.symbols];
}
