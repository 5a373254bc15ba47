import { SvcError } from "../../base/errors.ts";
import { damagedFile } from "../damage.ts";
import { recordFile, recordRemoval } from "../change-log/record-version.ts";
import type { Catalog } from "./catalog/catalog.ts";
import type { EarlierContent } from "./catalog/earlier-table.ts";
import type { SegmentRow } from "./catalog/segment-table.ts";
import { replacedContent, trimEarlier } from "./earlier-contents.ts";
import { markPlaces, type ContentPlace } from "./mark-places.ts";
import { carriedRanks } from "./pagerank/carry-ranks.ts";
import type { PendingChanges } from "./pending-changes.ts";
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

/** A file with another content: its old location and its new one. */
interface MovedFile {
  readonly before: ContentPlace;
  readonly now: ContentPlace;
}

/** A segment that was added to the catalogue. */
export interface NewSegment {
  readonly id: number;
  readonly name: string;
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
   * transaction.
   */
  write({ files, parts }: FinishedSegment, shard: SegmentShard): () => NewSegment {
    const name = newSegmentName(shard);
    const { joined, rest } = joinedUpTo(MAX_ROW_BYTES, parts);
    const bytes = rest === undefined ? joined.length : this.#storage.write(name, rest);
    const body = rest === undefined ? joined : null;
    return () => ({ id: this.#catalog.segments.add({ name, files, bytes }, body), name });
  }

  /**
   * Publishes pending changes within a transaction. `writes` add their segments, by shard. `keepsReplaced`: whether contents
   * that they replace are kept for files that get them back.
   */
  publish(
    pending: PendingChanges,
    writes: ReadonlyMap<number, () => NewSegment>,
    keepsReplaced: boolean,
  ): void {
    const { files, removed, superseded, segments } = pending;
    const paths = [...files.keys(), ...removed];
    const old = this.#placesOf(paths);
    this.#keepBaselines(pending);
    const replaced = keepsReplaced ? this.#replacedContents(pending) : [];
    const ids = new Map(Array.from(writes, ([shard, write]) => [shard, write().id]));
    for (const [shard, places] of Map.groupBy(superseded, (place) => place.shard)) {
      const tombstones = new Uint8Array(segments.get(shard)?.files ?? 0);
      for (const { ordinal } of places) tombstones[ordinal] = 1;
      const id = ids.get(shard);
      if (id !== undefined) this.#catalog.segments.setTombstones(id, tombstones);
    }
    const now = this.#newPlaces(files, ids);
    this.#putFiles(files, now);
    for (const path of removed) {
      this.#catalog.files.remove(path);
      recordRemoval(this.#catalog.changeLog, path);
    }
    if (files.size <= MAX_CARRIED_FILES) this.#carryRanks(old, now);
    this.#noteEarlier(files, replaced);
    markPlaces(this.#catalog, { dead: [...old.values()], live: this.#restored(files, now) });
    if (replaced.length > 0) trimEarlier(this.#catalog);
  }

  /** Returns where the contents of the pending files are from now on. */
  #newPlaces(
    files: PendingChanges["files"],
    ids: ReadonlyMap<number, number>,
  ): ReadonlyMap<string, ContentPlace> {
    const isRestoring = [...files.values()].some(({ earlier }) => earlier !== undefined);
    const rows = isRestoring ? this.#catalog.segments.all() : [];
    const byName = new Map(rows.map(({ id, name }) => [name, id]));
    const places = new Map<string, ContentPlace>();
    for (const [path, { place, earlier }] of files) {
      const segment =
        earlier === undefined ? ids.get(place?.shard ?? -1) : byName.get(earlier.segment);
      const ordinal = (earlier ?? place)?.ordinal;
      if (segment !== undefined && ordinal !== undefined) places.set(path, { segment, ordinal });
      else if (earlier !== undefined) throw damagedFile(earlier.segment);
    }
    return places;
  }

  #putFiles(files: PendingChanges["files"], places: ReadonlyMap<string, ContentPlace>): void {
    const { changeLog } = this.#catalog;
    for (const { state, version } of files.values()) {
      const { segment, ordinal } = places.get(state.path) ?? { segment: null, ordinal: null };
      recordFile(changeLog, state, version);
      this.#catalog.files.put({ ...state, segment, ordinal });
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

  /** Returns the current places of files. */
  #placesOf(paths: readonly string[]): ReadonlyMap<string, ContentPlace> {
    const places = new Map<string, ContentPlace>();
    // A first build has no old locations.
    if (this.#catalog.segments.all().length === 0) return places;
    for (const path of paths) {
      const place = this.#catalog.files.placeOf(path);
      if (place !== undefined) places.set(path, place);
    }
    return places;
  }

  /** Returns the contents that pending changes replace, as far as they can be used again. */
  #replacedContents({ files, removed }: PendingChanges): readonly EarlierContent[] {
    const segments = new Map(this.#catalog.segments.all().map((row) => [row.id, row]));
    return [...files.keys(), ...removed].flatMap((path) => {
      const row = this.#catalog.files.get(path);
      const segment = segments.get(row?.segment ?? -1);
      if (row === undefined || segment === undefined) return [];
      if (files.get(path)?.state.hash === row.hash) return [];
      return replacedContent(this.#catalog, row, segment) ?? [];
    });
  }

  #noteEarlier(files: PendingChanges["files"], replaced: readonly EarlierContent[]): void {
    for (const { earlier } of files.values())
      if (earlier !== undefined) this.#catalog.earlier.remove(earlier.path, earlier.hash);
    for (const content of replaced) this.#catalog.earlier.put(content);
  }

  #restored(
    files: PendingChanges["files"],
    places: ReadonlyMap<string, ContentPlace>,
  ): readonly ContentPlace[] {
    return [...files].flatMap(([path, { earlier }]) =>
      earlier === undefined ? [] : (places.get(path) ?? []),
    );
  }

  /** A file with another content keeps its ranks until PageRank is recomputed. */
  #carryRanks(
    old: ReadonlyMap<string, ContentPlace>,
    places: ReadonlyMap<string, ContentPlace>,
  ): void {
    const moved: readonly MovedFile[] = [...old].flatMap(([path, before]) => {
      const now = places.get(path);
      return now === undefined ? [] : [{ before, now }];
    });
    if (moved.length === 0) return;
    const rows = new Map(this.#catalog.segments.all().map((row) => [row.id, row]));
    const opened = new Map<number, SegmentReader>();
    const readerOf = (segment: SegmentRow): SegmentReader => {
      const reader = opened.get(segment.id) ?? openSegment(this.#catalog, this.#storage, segment);
      opened.set(segment.id, reader);
      return reader;
    };
    try {
      for (const [id, files] of Map.groupBy(moved, ({ now }) => now.segment)) {
        const row = rows.get(id);
        const renewed = files.flatMap(({ before, now }) => {
          const ranks = this.#catalog.segments.ranks(before.segment);
          const from = rows.get(before.segment);
          if (ranks === undefined || from === undefined) return [];
          return [{ reader: readerOf(from), ranks, file: before.ordinal, now: now.ordinal }];
        });
        if (row === undefined || renewed.length === 0) continue;
        const known = this.#catalog.segments.ranks(id);
        this.#catalog.segments.setRanks(id, carriedRanks(readerOf(row), renewed, known));
      }
    } catch (thrown) {
      // A damaged old segment must not abort the run that replaces it.
      if (!(thrown instanceof SvcError) || thrown.code !== "INDEX_UNAVAILABLE") throw thrown;
    } finally {
      for (const reader of opened.values()) reader.close();
    }
  }
}

/** Joins parts of at most `maxBytes` in all. `rest`: all parts, if they are more. */
function joinedUpTo(
  maxBytes: number,
  parts: Iterable<Uint8Array>,
): { readonly joined: Buffer; readonly rest?: Iterable<Uint8Array> } {
  const iterator = parts[Symbol.iterator]();
  const taken: Uint8Array[] = [];
  let bytes = 0;
  for (let step = iterator.next(); step.done !== true; step = iterator.next()) {
    bytes += step.value.length;
    if (bytes > maxBytes) return { joined: NOTHING, rest: partsAgain(taken, step.value, iterator) };
    // A part is valid until the next one is asked for.
    taken.push(step.value.slice());
  }
  return { joined: Buffer.concat(taken) };
}

const NOTHING = Buffer.alloc(0);

function* partsAgain(
  taken: readonly Uint8Array[],
  current: Uint8Array,
  following: Iterator<Uint8Array>,
): Generator<Uint8Array, void> {
  yield* taken;
  yield current;
  yield* { [Symbol.iterator]: () => following };
}
