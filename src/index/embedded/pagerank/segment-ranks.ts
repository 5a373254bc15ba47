// PageRank of the files and symbols of segments: computed over their live files, and stored segment by segment.

import type { PageRanks } from "../../port.ts";
import { computeRanks, type RankCodes, type RankInput } from "../../pagerank/project-ranks.ts";
import { readImporting, readNamesUsed } from "../../references/reference-block.ts";
import type { SegmentView } from "../segment/live-segments.ts";
import type { SegmentReader } from "../segment/segment-reader.ts";
import type { FilePlaces } from "../file-places.ts";

/** Key in `meta`: how often PageRank has been computed. */
export const RANK_VERSION_KEY = "weighed";

/** The ranks of a segment's files and symbols. */
export type SegmentRanks = RankCodes;

/** Returns the ranks of the files and symbols of each segment; those of deleted files are 0. */
export function computeSegmentRanks(segments: readonly SegmentView[]): readonly SegmentRanks[] {
  // Sums depend on their order, which must not be that of the segments.
  const files = segments.flatMap((view) => liveFilesIn(view)).toSorted(byPath);
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

function byPath(
  { facts: { path: one } }: RankInput,
  { facts: { path: other } }: RankInput,
): number {
  return Number(one > other) - Number(one < other);
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
      imports: () => readImporting(reader.referenceBytes(ordinal)).imports,
    });
  }
  return files;
}

/** Returns the stored ranks by path. `read`: returns those of a segment by its id. */
export function pageRanksByPath(
  segments: readonly SegmentView[],
  places: FilePlaces,
  read: (segment: number) => SegmentRanks | undefined,
): PageRanks {
  const ranks = new Map(segments.map((view) => [view, read(view.id)]));
  return {
    fileRank: (path) => {
      const place = places.find(path);
      return (place && ranks.get(place.view)?.files[place.ordinal]) ?? 0;
    },
    symbolRank: (path, number) => {
      const place = places.find(path);
      if (place === undefined) return 0;
      const first = place.view.reader.column("firstSymbol")[place.ordinal] ?? 0;
      return ranks.get(place.view)?.symbols[first + number] ?? 0;
    },
  };
}
