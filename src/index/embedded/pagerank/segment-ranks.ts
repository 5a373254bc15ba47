// PageRank of the files and symbols of segments: computed over their live files, and stored segment by segment.

import type { PageRanks } from "../../port.ts";
import { computeRanks, type RankCodes, type RankInput } from "../../pagerank/project-ranks.ts";
import { readNamesUsed } from "../segment/reference-block.ts";
import type { SegmentView } from "../segment/live-segments.ts";
import type { SegmentReader } from "../segment/segment-reader.ts";

/** Key in `meta`: how often PageRank has been computed. */
export const RANK_VERSION_KEY = "weighed";

/** The ranks of a segment's files and symbols. */
export type SegmentRanks = RankCodes;

/** Returns the ranks of the files and symbols of each segment; those of deleted files are 0. */
export function computeSegmentRanks(segments: readonly SegmentView[]): readonly SegmentRanks[] {
  const files = segments.flatMap((view) => liveFilesIn(view));
  const ranks = computeRanks(files);
  const ofSegments = new Map(
    segments.map(({ reader }) => [
      reader,
      {
        files: new Uint8Array(reader.files),
        symbols: new Uint8Array(reader.directory.symbols),
      },
    ]),
  );
  let symbol = 0;
  for (const [at, { reader, ordinal, firstSymbol, symbolCount }] of files.entries()) {
    const codes = ofSegments.get(reader);
    if (codes !== undefined) codes.files[ordinal] = ranks.files[at] ?? 0;
    codes?.symbols.set(ranks.symbols.subarray(symbol, symbol + symbolCount), firstSymbol);
    symbol += symbolCount;
  }
  return [...ofSegments.values()];
}

/** A live file and its place. */
interface SegmentFile extends RankInput {
  readonly reader: SegmentReader;
  /** Index in its segment. */
  readonly ordinal: number;
  /** Index of its first symbol in its segment. */
  readonly firstSymbol: number;
}

function liveFilesIn({ reader, tombstones }: SegmentView): readonly SegmentFile[] {
  const files: SegmentFile[] = [];
  const firsts = reader.column("firstSymbol");
  for (let ordinal = 0; ordinal < reader.files; ordinal += 1) {
    if (tombstones[ordinal] === 1) continue;
    const firstSymbol = firsts[ordinal] ?? 0;
    files.push({
      reader,
      ordinal,
      firstSymbol,
      facts: reader.file(ordinal),
      symbolCount: (firsts[ordinal + 1] ?? reader.directory.symbols) - firstSymbol,
      symbols: () => reader.symbolsOf(ordinal),
      namesUsed: () => readNamesUsed(reader.referenceBytes(ordinal)),
    });
  }
  return files;
}

/** Returns the stored ranks by path. About 0.5 µs per file. */
export function pageRanksByPath(
  segments: readonly SegmentView[],
  read: (segment: number) => SegmentRanks | undefined,
): PageRanks {
  const places = new Map<string, { codes: SegmentRanks; file: number; first: number }>();
  for (const { id, reader, tombstones } of segments) {
    const codes = read(id);
    if (codes === undefined) continue;
    const firsts = reader.column("firstSymbol");
    for (let file = 0; file < reader.files; file += 1) {
      if (tombstones[file] !== 1)
        places.set(reader.path(file), { codes, file, first: firsts[file] ?? 0 });
    }
  }
  return {
    fileRank: (path) => {
      const place = places.get(path);
      return place?.codes.files[place.file] ?? 0;
    },
    symbolRank: (path, number) => {
      const place = places.get(path);
      return place?.codes.symbols[place.first + number] ?? 0;
    },
  };
}
