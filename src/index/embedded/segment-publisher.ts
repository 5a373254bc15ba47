import { SvcError } from "../../base/errors.ts";
import { recordFile, recordRemoval } from "../change-log/record-version.ts";
import type { Catalog } from "./catalog/catalog.ts";
import type { SegmentRow } from "./catalog/segment-table.ts";
import { carriedRanks } from "./pagerank/carry-ranks.ts";
import type { PendingChanges, PendingPlace } from "./pending-changes.ts";
import type { FinishedSegment } from "./segment/segment-assembly.ts";
import type { SegmentReader } from "./segment/segment-reader.ts";
import { newSegmentName, type SegmentShard } from "./segment-name.ts";
import { openSegment } from "./snapshot.ts";
import type { Storage } from "./storage/storage.ts";

/**
 * A smaller segment is stored as a row of the catalogue, in SQLite's write-ahead log without a separate sync.
 * So other processes see a saved file within milliseconds.
 */
const MAX_ROW_BYTES = 256 << 10;
/** With more pending files than this, ranks are not carried over, because PageRank will soon be recomputed. */
const MAX_CARRIED_FILES = 200;

/** A reindexed file: its old location and its place in a new segment. */
interface MovedFile {
  readonly segment: number;
  readonly ordinal: number;
  readonly now: PendingPlace;
}

/** Ids of new segments by shard. */
type NewSegments = ReadonlyMap<number, number>;

/** Writes segments and replaces the versions of files that they supersede. */
export class SegmentPublisher {
  readonly #catalog: Catalog;
  readonly #storage: Storage;

  constructor(catalog: Catalog, storage: Storage) {
    this.#catalog = catalog;
    this.#storage = storage;
  }

  /**
   * Writes the segment's file if it needs one. Returns a function that adds the segment to the catalogue within a
   * transaction and returns its id.
   */
  write({ files, sizeBytes: bytes, parts }: FinishedSegment, shard: SegmentShard): () => number {
    const name = newSegmentName(shard);
    const isRow = bytes <= MAX_ROW_BYTES;
    if (!isRow) this.#storage.write(name, parts);
    return () =>
      this.#catalog.segments.add({ name, files, bytes }, isRow ? Buffer.concat(parts) : null);
  }

  /** Publishes pending changes within a transaction. `writes` add their segments, by shard. */
  publish(pending: PendingChanges, writes: ReadonlyMap<number, () => number>): void {
    const { files, removed, superseded, segments } = pending;
    const old = this.#placesOf([...files.keys(), ...removed]);
    this.#keepBaselines(pending);
    const moved = files.size > MAX_CARRIED_FILES ? [] : this.#movedFiles(files);
    const ids = new Map(Array.from(writes, ([shard, write]) => [shard, write()]));
    for (const [shard, places] of Map.groupBy(superseded, (place) => place.shard)) {
      const tombstones = new Uint8Array(segments.get(shard)?.files ?? 0);
      for (const { ordinal } of places) tombstones[ordinal] = 1;
      const id = ids.get(shard);
      if (id !== undefined) this.#catalog.segments.setTombstones(id, tombstones);
    }
    this.#putFiles(files, ids);
    for (const path of removed) {
      this.#catalog.files.remove(path);
      recordRemoval(this.#catalog.changeLog, path);
    }
    if (old.size > 0) for (const [shard, id] of ids) this.#carryRanks(id, moved, shard);
    this.#markDeleted(old);
  }

  #putFiles(files: PendingChanges["files"], segments: NewSegments): void {
    const { changeLog } = this.#catalog;
    for (const { state, place, version } of files.values()) {
      const segment = place === undefined ? null : (segments.get(place.shard) ?? null);
      recordFile(changeLog, state, version);
      this.#catalog.files.put({ ...state, segment, ordinal: place?.ordinal ?? null });
    }
  }

  /** Before the content that is the baseline of a file is replaced. */
  #keepBaselines({ files, removed }: PendingChanges): void {
    const { changeLog } = this.#catalog;
    // A first build replaces nothing.
    if (this.#catalog.segments.all().length === 0) return;
    for (const [path, { state, version }] of files)
      changeLog.keepBaseline(path, version === undefined ? undefined : state.hash);
    for (const path of removed) changeLog.keepBaseline(path);
  }

  /** Returns the current locations of files: indexes by segment. */
  #placesOf(paths: readonly string[]): ReadonlyMap<number, readonly number[]> {
    const places = new Map<number, number[]>();
    // A first build has no old locations.
    if (this.#catalog.segments.all().length === 0) return places;
    for (const path of paths) {
      const place = this.#catalog.files.placeOf(path);
      if (place === undefined) continue;
      const ordinals = places.get(place.segment);
      if (ordinals === undefined) places.set(place.segment, [place.ordinal]);
      else ordinals.push(place.ordinal);
    }
    return places;
  }

  /** Returns the current locations of the pending files. */
  #movedFiles(files: PendingChanges["files"]): readonly MovedFile[] {
    return [...files].flatMap(([path, { place: now }]) => {
      const place = now === undefined ? undefined : this.#catalog.files.placeOf(path);
      return place === undefined || now === undefined ? [] : [{ ...place, now }];
    });
  }

  /** A saved file keeps its ranks until PageRank is recomputed. */
  #carryRanks(id: number, all: readonly MovedFile[], shard: number): void {
    const moved = all.filter(({ now }) => now.shard === shard);
    const rows = new Map(this.#catalog.segments.all().map((row) => [row.id, row]));
    const row = rows.get(id);
    if (row === undefined || moved.length === 0) return;
    const opened = new Map<number, SegmentReader>();
    const readerOf = (segment: SegmentRow): SegmentReader => {
      const reader = opened.get(segment.id) ?? openSegment(this.#catalog, this.#storage, segment);
      opened.set(segment.id, reader);
      return reader;
    };
    try {
      const renewed = moved.flatMap(({ segment, ordinal, now }) => {
        const ranks = this.#catalog.segments.ranks(segment);
        const from = rows.get(segment);
        if (ranks === undefined || from === undefined) return [];
        return [{ reader: readerOf(from), ranks, file: ordinal, now: now.ordinal }];
      });
      if (renewed.length > 0) {
        this.#catalog.segments.setRanks(id, carriedRanks(readerOf(row), renewed));
      }
    } catch (thrown) {
      // A damaged old segment must not abort the run that replaces it.
      if (!(thrown instanceof SvcError) || thrown.code !== "INDEX_UNAVAILABLE") throw thrown;
    } finally {
      for (const reader of opened.values()) reader.close();
    }
  }

  /** Marks the old versions of files as deleted, and drops segments without live files. */
  #markDeleted(old: ReadonlyMap<number, readonly number[]>): void {
    if (old.size === 0) return;
    for (const segment of this.#catalog.segments.all()) {
      const ordinals = old.get(segment.id);
      if (ordinals === undefined) continue;
      const tombstones = segment.tombstones.slice();
      for (const ordinal of ordinals) tombstones[ordinal] = 1;
      if (tombstones.every((value) => value === 1)) this.#catalog.segments.remove(segment.id);
      else this.#catalog.segments.setTombstones(segment.id, tombstones);
    }
  }
}
