import { randomBytes } from "node:crypto";

import { SvcError } from "../../base/errors.ts";
import { recordFile, recordRemoval } from "../change-log/record-version.ts";
import type { Catalog } from "./catalog/catalog.ts";
import type { SegmentRow } from "./catalog/segment-table.ts";
import { carriedRanks } from "./pagerank/carry-ranks.ts";
import type { PendingChanges } from "./pending-changes.ts";
import type { FinishedSegment } from "./segment/segment-assembly.ts";
import type { SegmentReader } from "./segment/segment-reader.ts";
import { openSegment } from "./snapshot.ts";
import type { Storage } from "./storage/storage.ts";

/**
 * A smaller segment is stored as a row of the catalogue, in SQLite's write-ahead log without a separate sync.
 * So other processes see a saved file within milliseconds.
 */
const MAX_ROW_BYTES = 256 << 10;
/** With more pending files than this, ranks are not carried over, because PageRank will soon be recomputed. */
const MAX_CARRIED_FILES = 200;

/** A reindexed file: its old location and its index in the new segment. */
interface MovedFile {
  readonly segment: number;
  readonly ordinal: number;
  readonly now: number;
}

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
  write({ files, sizeBytes: bytes, parts }: FinishedSegment): () => number {
    const name = `${Date.now().toString(36)}-${randomBytes(4).toString("hex")}`;
    const isRow = bytes <= MAX_ROW_BYTES;
    if (!isRow) this.#storage.write(name, parts);
    return () =>
      this.#catalog.segments.add({ name, files, bytes }, isRow ? Buffer.concat(parts) : null);
  }

  /** Publishes pending changes within a transaction. `write` adds their segment, if they have one. */
  publish(pending: PendingChanges, write: (() => number) | undefined): void {
    const { files, removed, superseded, segment } = pending;
    const old = this.#placesOf([...files.keys(), ...removed]);
    const moved = files.size > MAX_CARRIED_FILES ? [] : this.#movedFiles(files);
    const id = write?.() ?? null;
    if (id !== null && superseded.length > 0) {
      const tombstones = new Uint8Array(segment?.files ?? 0);
      for (const ordinal of superseded) tombstones[ordinal] = 1;
      this.#catalog.segments.setTombstones(id, tombstones);
    }
    this.#putFiles(files, id);
    for (const path of removed) {
      this.#catalog.files.remove(path);
      recordRemoval(this.#catalog.changeLog, path);
    }
    if (id !== null && old.size > 0) this.#carryRanks(id, moved);
    this.#markDeleted(old);
  }

  #putFiles(files: PendingChanges["files"], segment: number | null): void {
    const { changeLog } = this.#catalog;
    for (const { state, ordinal, version } of files.values()) {
      const place = ordinal === undefined ? { segment: null, ordinal: null } : { segment, ordinal };
      this.#catalog.files.put({ ...state, ...place });
      recordFile(changeLog, state, version);
    }
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
    return [...files].flatMap(([path, { ordinal }]) => {
      const place = ordinal === undefined ? undefined : this.#catalog.files.placeOf(path);
      return place === undefined || ordinal === undefined ? [] : [{ ...place, now: ordinal }];
    });
  }

  /** A saved file keeps its ranks until PageRank is recomputed. */
  #carryRanks(id: number, moved: readonly MovedFile[]): void {
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
        return [{ reader: readerOf(from), ranks, file: ordinal, now }];
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
