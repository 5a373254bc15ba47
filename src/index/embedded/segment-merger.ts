// Merges segments: their live files into one segment for each shard, and the earlier contents in them into another one.

import type { Catalog } from "./catalog/catalog.ts";
import type { EarlierPlace } from "./catalog/earlier-table.ts";
import type { SegmentRow } from "./catalog/segment-table.ts";
import { dividedByShard } from "./divide-segments.ts";
import { earlierIn, isLive, trimEarlier } from "./earlier-contents.ts";
import { MAX_MERGE_BYTES, MAX_QUICK_MERGE_BYTES, mergePolicy } from "./merge-policy.ts";
import { mergedRanks } from "./pagerank/carry-ranks.ts";
import { FORMAT_VERSION } from "./segment/format.ts";
import { mergeSegments } from "./segment/merge.ts";
import { formatOf, type SegmentReader } from "./segment/segment-reader.ts";
import { segmentShard } from "./segment-name.ts";
import type { NewSegment, SegmentPublisher } from "./segment-publisher.ts";
import type { SegmentRanks } from "./pagerank/segment-ranks.ts";
import { openSegment } from "./snapshot.ts";
import type { Storage } from "./storage/storage.ts";

interface MergeTarget {
  /** Number of shards of the index. */
  readonly of: number;
  /** Id of the embedding table; "" without one. */
  readonly embedder: string;
}

/** A segment to merge. */
interface MergeInput {
  readonly reader: SegmentReader;
  /** 0 for each file to keep. */
  readonly tombstones: Uint8Array;
  readonly ranks: SegmentRanks | undefined;
  readonly earlier: ReadonlyMap<number, EarlierPlace>;
}

/** A file of a merged segment. */
interface KeptFile {
  readonly path: string;
  /** Defined for an earlier content. */
  readonly place: EarlierPlace | undefined;
}

export class SegmentMerger {
  readonly #catalog: Catalog;
  readonly #storage: Storage;
  readonly #publisher: SegmentPublisher;
  /** The segments that are known to have the present format. */
  readonly #present = new Set<string>();

  constructor(catalog: Catalog, storage: Storage, publisher: SegmentPublisher) {
    this.#catalog = catalog;
    this.#storage = storage;
    this.#publisher = publisher;
  }

  /** Returns the segments that are to be merged next; empty if no merge is due. */
  due(of: number, quick: boolean): readonly SegmentRow[] {
    const rows = this.#catalog.segments.all();
    const limitBytes = quick ? MAX_QUICK_MERGE_BYTES : MAX_MERGE_BYTES;
    // Segments that were written for fewer shards are divided first.
    const [undivided] = rows.filter(({ name, bytes }) => {
      return segmentShard(name).of !== of && (!quick || bytes <= limitBytes);
    });
    if (undivided !== undefined) return [undivided];
    // A query converts what it reads in an older form, each time.
    const older = quick ? undefined : rows.find((row) => this.#isOlder(row));
    if (older !== undefined) return [older];
    const live = rows.filter(isLive);
    for (const alike of Map.groupBy(live, shardOfRow).values()) {
      const inputs = mergePolicy(alike, limitBytes);
      if (inputs.length > 0) return inputs;
    }
    return this.#dueOfEarlier(
      rows.filter((row) => !isLive(row)),
      limitBytes,
    );
  }

  /** Whether an older svc wrote a segment to a file. Small ones in rows are merged soon. */
  #isOlder({ name, isRow }: SegmentRow): boolean {
    if (isRow || this.#present.has(name)) return false;
    const file = this.#storage.open(name);
    try {
      if (formatOf(file) < FORMAT_VERSION) return true;
    } finally {
      file.close();
    }
    this.#present.add(name);
    return false;
  }

  #dueOfEarlier(rows: readonly SegmentRow[], limitBytes: number): readonly SegmentRow[] {
    if (rows.length === 0) return [];
    const earlier = earlierIn(this.#catalog);
    const kept = rows.map((row) => {
      return { ...row, tombstones: allBut(row.files, earlier.get(row.name)) };
    });
    for (const alike of Map.groupBy(kept, shardOfRow).values()) {
      const ids = new Set(mergePolicy(alike, limitBytes).map(({ id }) => id));
      if (ids.size > 0) return rows.filter(({ id }) => ids.has(id));
    }
    return [];
  }

  /** Writes the merged segments. Returns what replaces the others by them, within a transaction. */
  write(rows: readonly SegmentRow[], target: MergeTarget): () => void {
    const earlier = earlierIn(this.#catalog);
    const inputs = rows.map((row) => ({
      reader: openSegment(this.#catalog, this.#storage, row, { ahead: true }),
      tombstones: row.tombstones,
      ranks: this.#catalog.segments.ranks(row.id),
      earlier: earlier.get(row.name) ?? new Map<number, EarlierPlace>(),
    }));
    const old = inputs.map((input) => {
      return { ...input, tombstones: allBut(input.reader.files, input.earlier) };
    });
    try {
      const publishLive = this.#writeKept(inputs, target, ({ id }, files) => {
        for (const [ordinal, { path }] of files.entries())
          this.#catalog.files.move(path, id, ordinal);
      });
      const publishEarlier = this.#writeKept(old, target, ({ id, name: segment }, files) => {
        this.#catalog.segments.setTombstones(id, new Uint8Array(files.length).fill(1));
        for (const [ordinal, { place }] of files.entries())
          if (place !== undefined) this.#catalog.earlier.move({ ...place, segment, ordinal });
      });
      return () => {
        publishLive();
        publishEarlier();
        for (const row of rows) this.#catalog.segments.remove(row.id);
        trimEarlier(this.#catalog);
      };
    } finally {
      for (const { reader } of inputs) reader.close();
    }
  }

  /** Writes the files that are not marked as deleted. `place`: records where they are, within the transaction. */
  #writeKept(
    inputs: readonly MergeInput[],
    { of, embedder }: MergeTarget,
    place: (segment: NewSegment, files: readonly KeptFile[]) => void,
  ): () => void {
    const hasRanks = inputs.some(({ ranks }) => ranks !== undefined);
    const written = dividedByShard(inputs, of).map(({ shard, parts }) => ({
      add: this.#publisher.write(mergeSegments(parts, embedder), { shard, of }),
      files: parts.flatMap(keptFiles),
      ranks: hasRanks ? mergedRanks(parts) : undefined,
    }));
    return () => {
      for (const { add, files, ranks } of written) {
        const segment = add();
        place(segment, files);
        if (ranks !== undefined) this.#catalog.segments.setRanks(segment.id, ranks);
      }
    };
  }
}

function shardOfRow({ name }: SegmentRow): number {
  return segmentShard(name).shard;
}

/** 0 for each of these files, and 1 for all others. */
function allBut(files: number, kept: ReadonlyMap<number, unknown> | undefined): Uint8Array {
  return Uint8Array.from({ length: files }, (_, file) => (kept?.has(file) === true ? 0 : 1));
}

/** The files that a merged segment has of one of its inputs, in order. */
function keptFiles({ reader, tombstones, earlier }: MergeInput): readonly KeptFile[] {
  const files: KeptFile[] = [];
  for (let file = 0; file < reader.files; file += 1) {
    if (tombstones[file] !== 1) files.push({ path: reader.path(file), place: earlier.get(file) });
  }
  return files;
}
