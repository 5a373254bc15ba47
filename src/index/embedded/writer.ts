import { randomBytes } from "node:crypto";

import { SvcError } from "../../base/errors.ts";
import type { EmbeddingSource } from "../../embed/embedding-source.ts";
import type { FileState, IndexWriter, IndexVersion, MonitorState } from "../port.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { FileRow } from "../catalog/file-row.ts";
import type { SegmentRow } from "../catalog/segment-table.ts";
import { mergeSegments } from "../segment/merge.ts";
import type { FlushPlan, FileVersion } from "../change-log/change-event.ts";
import { SegmentWriter, type FileInput } from "../segment/segment-writer.ts";
import type { FinishedSegment } from "../segment/segment-assembly.ts";
import { carriedRanks, mergedRanks } from "../pagerank/carry-ranks.ts";
import { computeSegmentRanks, RANK_VERSION_KEY } from "../pagerank/segment-ranks.ts";
import type { SegmentReader } from "../segment/segment-reader.ts";
import { MAX_MERGE_BYTES, MAX_QUICK_MERGE_BYTES, mergePolicy } from "./merge-policy.ts";
import { ownersOfUses } from "./reference-lookup.ts";
import type { SegmentView } from "../segment/live-segments.ts";
import { loadSegment, openSegment, viewsOf } from "./snapshot.ts";
import type { Storage } from "../storage/storage.ts";
import {
  giveBackTrigramWriter,
  takeTrigramWriter,
  type TrigramWriter,
} from "../trigrams/trigram-writer.ts";
import { Embedder } from "../segment/vector-writer.ts";

/** Memory limit of a segment. A full segment is committed, and searches see it at once. */
const SEGMENT_MEMORY_BYTES = 64 << 20;
/** The first segments of an index are smaller, each four times the one before, so that first results come soon. */
const FIRST_SEGMENT_BYTES = 4 << 20;
/**
 * A smaller segment is stored as a row of the catalogue, in SQLite's write-ahead log without a separate sync.
 * So other processes see a saved file within milliseconds.
 */
const MAX_ROW_BYTES = 256 << 10;

/** Key in `meta`: the number of files changed since PageRank was computed … */
const STALE_COUNT_KEY = "unweighed";
/** PageRank is recomputed when more than this share of the files has changed. */
const MAX_STALE_SHARE = 0.02;
/** With more pending files than this, ranks are not carried over, because PageRank will soon be recomputed. */
const MAX_CARRIED_FILES = 200;

/** Key in `meta`: the id of the embedding table that made the vectors. */
const EMBEDDER_KEY = "embedder";
const NOTE_PREFIX = "note ";

/** A file with a pending new state. */
interface PendingFile {
  readonly state: FileState;
  /** Index in the current segment; undefined if the file has no content. */
  readonly ordinal: number | undefined;
  /** Defined if the file is complete. */
  readonly version: FileVersion | undefined;
}

/** A reindexed file: its old location and its index in the new segment. */
interface MovedFile {
  readonly segment: number;
  readonly ordinal: number;
  readonly now: number;
}

/** Writes the embedded index. The creator must hold the writer's lock. */
export class EmbeddedWriter implements IndexWriter {
  readonly #catalog: Catalog;
  readonly #storage: Storage;
  readonly #release: () => void;
  readonly #embeddings: EmbeddingSource | undefined;
  readonly hasOtherEmbeddings: boolean;
  /** Created with the first content: most runs find none. */
  #trigrams: TrigramWriter | undefined;
  #embedder: Embedder | undefined;
  #segment: SegmentWriter | undefined;
  /** Current memory limit of pending content, in bytes. */
  #maxPendingBytes: number;
  #pending = new Map<string, PendingFile>();
  /** Files of the current segment that were replaced before it was published. */
  #superseded: number[] = [];
  #touchedTimes: FileState[] = [];
  #removed = new Set<string>();
  #notes = new Map<string, string>();

  /** Without `embeddings`, the chunks of new files get no vectors. */
  constructor(
    catalog: Catalog,
    storage: Storage,
    { release, embeddings }: { release: () => void; embeddings: EmbeddingSource | undefined },
  ) {
    this.#catalog = catalog;
    this.#storage = storage;
    this.#release = release;
    this.#embeddings = embeddings;
    removeUnpublished(catalog, storage);
    this.hasOtherEmbeddings = this.#resetIfEmbedderChanged();
    const isNew = catalog.segments.all().length === 0;
    this.#maxPendingBytes = isNew ? FIRST_SEGMENT_BYTES : SEGMENT_MEMORY_BYTES;
  }

  readonly files = async (): Promise<ReadonlyMap<string, FileRow>> =>
    new Map(this.#catalog.files.all().map((row) => [row.path, row]));

  readonly filesIn: IndexWriter["filesIn"] = async ({ direct, recursive }) => {
    const rows = [
      ...direct.flatMap((folder) => this.#catalog.files.inFolder(folder, false)),
      ...recursive.flatMap((folder) => this.#catalog.files.inFolder(folder, true)),
    ];
    return new Map(rows.map((row) => [row.path, row]));
  };

  /** Id of the embedding table; "" without one. */
  get #embedderId(): string {
    return this.#embeddings?.id ?? "";
  }

  /**
   * Vectors of two tables cannot be compared. If the index has others, this resets every file to the stage
   * "words" in one durable transaction. If the run is killed, the next one continues its work.
   */
  #resetIfEmbedderChanged(): boolean {
    const before = this.#catalog.meta(EMBEDDER_KEY) ?? "";
    if (before === this.#embedderId) return false;
    this.#catalog.change(() => {
      this.#catalog.files.resetToWords();
      // Notes may record that indexing is complete.
      this.#catalog.removeMeta(NOTE_PREFIX);
      this.#catalog.setMeta(EMBEDDER_KEY, this.#embedderId);
    });
    return this.#catalog.generation() > 0;
  }

  note(name: string): string | undefined {
    return this.#catalog.meta(`${NOTE_PREFIX}${name}`);
  }

  setNote(name: string, value: string): void {
    this.#notes.set(name, value);
  }

  add(state: FileState, content: FileInput, version?: FileVersion): void {
    this.#trigrams ??= takeTrigramWriter();
    this.#embedder ??= this.#embeddings && new Embedder(this.#embeddings);
    this.#segment ??= new SegmentWriter(this.#trigrams, this.#embedder);
    this.#enqueue(state, this.#segment.add(content), version);
  }

  put(state: FileState): void {
    this.#enqueue(state, undefined, undefined);
  }

  #enqueue(state: FileState, ordinal: number | undefined, version: FileVersion | undefined): void {
    this.#supersede(state.path);
    this.#pending.set(state.path, { state, ordinal, version });
    this.#removed.delete(state.path);
  }

  /** Drops the pending state of a path; the current segment already has its content. */
  #supersede(path: string): void {
    const ordinal = this.#pending.get(path)?.ordinal;
    if (ordinal !== undefined) this.#superseded.push(ordinal);
    this.#pending.delete(path);
  }

  touch(state: FileState): void {
    this.#touchedTimes.push(state);
  }

  remove(path: string): void {
    this.#supersede(path);
    this.#removed.add(path);
  }

  get isFull(): boolean {
    return (this.#segment?.sizeBytes ?? 0) >= this.#maxPendingBytes;
  }

  readonly commit = async (plan?: FlushPlan): Promise<IndexVersion> => {
    const hasPending = plan !== undefined && this.#catalog.changeLog.needsFlush(plan);
    const hasChanges = this.#pending.size > 0 || this.#removed.size > 0 || hasPending;
    const isFirst = this.#catalog.generation() === 0;
    if (hasChanges || isFirst) this.#publish(plan);
    else if (this.#touchedTimes.length > 0 || this.#notes.size > 0) {
      this.#catalog.change(() => this.#writeNotes());
    }
    return this.#version();
  };

  readonly merge: IndexWriter["merge"] = async ({ quick } = { quick: false }) => {
    const inputs = mergePolicy(
      this.#catalog.segments.all(),
      quick ? MAX_QUICK_MERGE_BYTES : MAX_MERGE_BYTES,
    );
    if (inputs.length === 0) return false;
    this.#mergeRows(inputs);
    return true;
  };

  readonly computePageRank = async (): Promise<boolean> => {
    const changed = Number(this.#catalog.meta(STALE_COUNT_KEY) ?? 0);
    if (changed <= this.#catalog.files.totals().files * MAX_STALE_SHARE) return false;
    const rows = this.#catalog.segments.all();
    const views = viewsOf(rows.map((row) => ({ ...row, reader: this.#openRow(row) })));
    try {
      const found = computeSegmentRanks(views);
      // No new generation: the same files match, only their order may change.
      this.#catalog.change(() => {
        for (const [at, { id }] of rows.entries()) {
          const ranks = found[at];
          if (ranks !== undefined) this.#catalog.segments.setRanks(id, ranks);
        }
        this.#catalog.setMeta(STALE_COUNT_KEY, "0");
        this.#catalog.setMeta(
          RANK_VERSION_KEY,
          String(Number(this.#catalog.meta(RANK_VERSION_KEY) ?? 0) + 1),
        );
      });
    } finally {
      for (const { reader } of views) reader.close();
    }
    return true;
  };

  readonly close = (): void => {
    if (this.#trigrams !== undefined) giveBackTrigramWriter(this.#trigrams);
    this.#trigrams = undefined;
    this.#catalog.close();
    this.#release();
  };

  #version(): IndexVersion {
    return { epoch: this.#catalog.meta("epoch") ?? "", at: this.#catalog.generation() };
  }

  #publish(plan: FlushPlan | undefined): void {
    const segment = this.#segment;
    const pending = this.#pending;
    const removed = this.#removed;
    this.#pending = new Map();
    this.#removed = new Set();
    const superseded = this.#superseded;
    this.#superseded = [];
    this.#segment = undefined;
    this.#maxPendingBytes = Math.min(this.#maxPendingBytes * 4, SEGMENT_MEMORY_BYTES);
    const write = segment && this.#writeSegment(segment.finish());
    let emptySegments: readonly SegmentRow[] = [];
    this.#catalog.publish(() => {
      const old = this.#placesOf([...pending.keys(), ...removed]);
      const before = pending.size > MAX_CARRIED_FILES ? [] : this.#movedFiles(pending);
      const id = write?.() ?? null;
      if (id !== null && superseded.length > 0) {
        const tombstones = new Uint8Array(segment?.files ?? 0);
        for (const ordinal of superseded) tombstones[ordinal] = 1;
        this.#catalog.segments.setTombstones(id, tombstones);
      }
      for (const { state, ordinal, version } of pending.values()) {
        const isIndexed = ordinal !== undefined;
        this.#catalog.files.put({
          ...state,
          segment: isIndexed ? id : null,
          ordinal: isIndexed ? ordinal : null,
        });
        this.#recordVersion(state, version);
      }
      for (const path of removed) {
        this.#catalog.files.remove(path);
        this.#catalog.changeLog.recordRemoval(path);
      }
      this.#addStaleCount(pending.size + removed.size);
      if (id !== null && old.size > 0) this.#carryRanks(id, before);
      // In the transaction of the changes they describe: otherwise a kill in between would leave a wrong note.
      this.#writeNotes();
      emptySegments = this.#markDeleted(old);
    }, plan);
    this.#removeFiles(emptySegments);
  }

  /** Until a file is complete, the change log keeps its earlier state. */
  #recordVersion(state: FileState, version: FileVersion | undefined): void {
    const { changeLog } = this.#catalog;
    if (version !== undefined) changeLog.recordVersion(state.path, state, version);
    else if (state.skipped !== null) changeLog.recordSkipped(state.path, state.source);
  }

  get monitorState(): MonitorState {
    const { changeLog } = this.#catalog;
    return {
      note: (name) => changeLog.note(name),
      withoutLineHashes: () => changeLog.withoutLineHashes(),
      hasPending: () => changeLog.hasPending(),
      changedSinceBaseline: () => changeLog.changedSinceBaseline(),
      lineHashes: (path) => changeLog.lineHashes(path),
      watched: (path) => changeLog.watched(path),
      change: (change) => this.#catalog.change(() => change(changeLog)),
      usesOf: (name) => this.#withAllSegments((segments) => ownersOfUses(segments, name)),
    };
  }

  #withAllSegments<T>(read: (segments: readonly SegmentView[]) => T): T {
    const rows = this.#catalog.segments.all();
    const views = viewsOf(rows.map((row) => ({ ...row, reader: this.#openRow(row) })));
    try {
      return read(views);
    } finally {
      for (const { reader } of views) reader.close();
    }
  }

  #addStaleCount(files: number): void {
    const before = Number(this.#catalog.meta(STALE_COUNT_KEY) ?? 0);
    this.#catalog.setMeta(STALE_COUNT_KEY, String(before + files));
  }

  /** Returns the current locations of the pending files. */
  #movedFiles(pending: ReadonlyMap<string, PendingFile>): readonly MovedFile[] {
    return [...pending].flatMap(([path, { ordinal }]) => {
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
      const reader = opened.get(segment.id) ?? this.#openRow(segment);
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

  #openRow(row: SegmentRow): SegmentReader {
    return openSegment(this.#catalog, this.#storage, row);
  }

  /**
   * Writes the segment's file if it needs one. Returns a function that adds the segment to the catalogue and
   * returns its id.
   */
  #writeSegment({ files, sizeBytes: bytes, parts }: FinishedSegment): () => number {
    const name = `${Date.now().toString(36)}-${randomBytes(4).toString("hex")}`;
    const isRow = bytes <= MAX_ROW_BYTES;
    if (!isRow) this.#storage.write(name, parts);
    return () =>
      this.#catalog.segments.add({ name, files, bytes }, isRow ? Buffer.concat(parts) : null);
  }

  #writeNotes(): void {
    for (const state of this.#touchedTimes) {
      const known = this.#catalog.files.get(state.path);
      if (known === undefined) continue;
      this.#catalog.files.put({ ...state, segment: known.segment, ordinal: known.ordinal });
    }
    for (const [name, value] of this.#notes) this.#catalog.setMeta(`${NOTE_PREFIX}${name}`, value);
    this.#touchedTimes = [];
    this.#notes = new Map();
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

  /** Marks the old versions of files as deleted. Removes and returns segments without live files. */
  #markDeleted(old: ReadonlyMap<number, readonly number[]>): readonly SegmentRow[] {
    const emptySegments: SegmentRow[] = [];
    if (old.size === 0) return emptySegments;
    for (const segment of this.#catalog.segments.all()) {
      const ordinals = old.get(segment.id);
      if (ordinals === undefined) continue;
      const tombstones = segment.tombstones.slice();
      for (const ordinal of ordinals) tombstones[ordinal] = 1;
      if (tombstones.every((value) => value === 1)) {
        this.#catalog.segments.remove(segment.id);
        emptySegments.push(segment);
      } else {
        this.#catalog.segments.setTombstones(segment.id, tombstones);
      }
    }
    return emptySegments;
  }

  #mergeRows(rows: readonly SegmentRow[]): void {
    const inputs = rows.map((row) => ({
      reader: loadSegment(this.#catalog, this.#storage, row),
      tombstones: row.tombstones,
      ranks: this.#catalog.segments.ranks(row.id),
    }));
    try {
      const write = this.#writeSegment(mergeSegments(inputs, this.#embedderId));
      this.#catalog.publish(() => {
        const id = write();
        let ordinal = 0;
        for (const { reader, tombstones } of inputs) {
          for (let file = 0; file < reader.files; file += 1) {
            if (tombstones[file] === 1) continue;
            this.#catalog.files.move(reader.path(file), id, ordinal);
            ordinal += 1;
          }
        }
        if (inputs.some(({ ranks }) => ranks !== undefined)) {
          this.#catalog.segments.setRanks(id, mergedRanks(inputs));
        }
        for (const row of rows) this.#catalog.segments.remove(row.id);
      });
    } finally {
      for (const { reader } of inputs) reader.close();
    }
    this.#removeFiles(rows);
  }

  /** Deletes segment files. Processes that have them open can still read them; none opens them again. */
  #removeFiles(rows: readonly SegmentRow[]): void {
    for (const { name, isRow } of rows) if (!isRow) removeIfPossible(this.#storage, name);
  }
}

/** Removes files that a killed writer wrote and never published. */
function removeUnpublished(catalog: Catalog, storage: Storage): void {
  const published = new Set(catalog.segments.all().map(({ name }) => name));
  for (const name of storage.list()) if (!published.has(name)) removeIfPossible(storage, name);
}

/** A file that cannot be removed (open elsewhere, on Windows) stays until a later writer removes it. */
function removeIfPossible(storage: Storage, name: string): void {
  try {
    storage.remove(name);
  } catch {
    // The published index does not need it.
  }
}
