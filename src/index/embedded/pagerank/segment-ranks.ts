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

/** A live file of a segment with stored ranks. */
interface RankedFile {
  readonly codes: SegmentRanks;
  readonly ordinal: number;
  /** Index of its first symbol in its segment. */
  readonly firstSymbol: number;
}

interface RankedSegment extends Pick<SegmentView, "reader" | "tombstones"> {
  readonly codes: SegmentRanks;
}

/** Returns the stored ranks by path. `read`: returns those of a segment by its id. */
export function pageRanksByPath(
  segments: readonly SegmentView[],
  read: (segment: number) => SegmentRanks | undefined,
): PageRanks {
  const files = new RankedFiles(
    segments.flatMap(({ id, reader, tombstones }) => {
      const codes = read(id);
      return codes === undefined ? [] : [{ reader, tombstones, codes }];
    }),
  );
  return {
    fileRank: (path) => {
      const file = files.find(path);
      return file?.codes.files[file.ordinal] ?? 0;
    },
    symbolRank: (path, number) => {
      const file = files.find(path);
      return file?.codes.symbols[file.firstSymbol + number] ?? 0;
    },
  };
}

/** A search for each file costs as much as that many files of a table of all files, which takes 0.5 µs each. */
const FILES_PER_SEARCH = 16;

/** Finds files by path: the first ones by a search in each segment, many in a table of all. */
class RankedFiles {
  readonly #segments: readonly RankedSegment[];
  readonly #known = new Map<string, RankedFile | undefined>();
  /** Searches left before the table is built; below 0 once it is. */
  #left: number;

  constructor(segments: readonly RankedSegment[]) {
    this.#segments = segments;
    this.#left = segments.reduce((sum, { reader }) => sum + reader.files, 0) / FILES_PER_SEARCH;
  }

  find(path: string): RankedFile | undefined {
    if (this.#left < 0 || this.#known.has(path)) return this.#known.get(path);
    this.#left -= 1;
    if (this.#left < 0) {
      for (const segment of this.#segments) this.#addAll(segment);
      return this.#known.get(path);
    }
    const file = this.#search(path);
    this.#known.set(path, file);
    return file;
  }

  #search(path: string): RankedFile | undefined {
    for (const segment of this.#segments) {
      const { reader, tombstones } = segment;
      const order = reader.pathOrder();
      for (let at = reader.firstAfter(path, true); at < order.length; at += 1) {
        const ordinal = order[at] ?? 0;
        if (reader.path(ordinal) !== path) break;
        if (tombstones[ordinal] !== 1) return rankedFile(segment, ordinal);
      }
    }
    return undefined;
  }

  #addAll(segment: RankedSegment): void {
    const { reader, tombstones } = segment;
    for (let ordinal = 0; ordinal < reader.files; ordinal += 1) {
      if (tombstones[ordinal] === 1) continue;
      this.#known.set(reader.path(ordinal), rankedFile(segment, ordinal));
    }
  }
}

function rankedFile({ reader, codes }: RankedSegment, ordinal: number): RankedFile {
  return { codes, ordinal, firstSymbol: reader.column("firstSymbol")[ordinal] ?? 0 };
}
