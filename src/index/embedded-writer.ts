import { randomBytes } from "node:crypto";

import { SvcError } from "../base/errors.ts";
import type { EmbeddingSource } from "../embed/embedding-source.ts";
import type { FileState, IndexWriter, Version, WatchKeeper } from "./backend.ts";
import type { Catalog } from "./catalog/catalog.ts";
import type { FileRow } from "./catalog/file-row.ts";
import type { SegmentRow } from "./catalog/segment-table.ts";
import { mergeSegments } from "./segment/merge.ts";
import type { Settlement, Sighting } from "./journal/journal.ts";
import { SegmentWriter, type FileInput } from "./segment/segment-writer.ts";
import type { FinishedSegment } from "./segment/segment-assembly.ts";
import { carriedImportance, foldedImportance } from "./importance/importance-upkeep.ts";
import { importanceOf, WEIGHED } from "./importance/importance.ts";
import type { SegmentReader } from "./segment/segment-reader.ts";
import { ownersOfUses } from "./reference-lookup.ts";
import { loadSegment, openSegment, viewsOf, type SegmentView } from "./snapshot.ts";
import type { Storage } from "./storage/storage.ts";
import {
  giveBackTrigramWriter,
  takeTrigramWriter,
  type TrigramWriter,
} from "./trigrams/trigram-writer.ts";
import { Embedder } from "./segment/vector-writer.ts";

/** A segment is closed when so much waits in memory. Searches see it at once. */
const SEGMENT_MEMORY_BYTES = 64 << 20;
/** The first segments of an index are smaller, each four times the one before: something is found soon. */
const FIRST_SEGMENT_BYTES = 4 << 20;
/**
 * A smaller segment is a row of the catalogue: written ahead in SQLite's log, without a sync of its own,
 * so that a saved file is seen by other processes within milliseconds.
 */
const ROW_BYTES = 256 << 10;
/** Segments are folded when so many are of one size, each size being four times the one before. */
const FAN_IN = 4;
const SMALLEST_SIZE = 16 << 10;
/** Folding takes the memory of its inputs; what is larger stays as it is until half of it is dead. */
const MERGE_BYTES = 64 << 20;
/** What is folded within some 50 ms. */
const QUICK_MERGE_BYTES = 2 << 20;

/** Under this the catalogue says how many files changed since importance was worked out … */
const UNWEIGHED = "unweighed";
/** … which is done again when they are more than this share of all. */
const UNWEIGHED_SHARE = 0.02;
/** With more files than this to be published it is soon worked out anew. */
const MOST_CARRIED = 200;

/** Under this the catalogue says what the vectors are made with. */
const EMBEDDER = "embedder";
const NOTE = "note ";

/** A file whose new state waits for the next commit. */
interface Waiting {
  readonly state: FileState;
  /** Number in the segment that is being collected; undefined when there is no content. */
  readonly ordinal: number | undefined;
  /** When it is complete. */
  readonly seen: Sighting | undefined;
}

/** A file that is read anew: where it has been, and its number in the new segment. */
interface Moved {
  readonly segment: number;
  readonly ordinal: number;
  readonly now: number;
}

/** Writes to the embedded index, behind the writer's lock. */
export class EmbeddedWriter implements IndexWriter {
  readonly #catalog: Catalog;
  readonly #storage: Storage;
  readonly #release: () => void;
  readonly #embeddings: EmbeddingSource | undefined;
  readonly isOfOtherTable: boolean;
  /** Made when the first content comes: most runs find none. */
  #trigrams: TrigramWriter | undefined;
  #embedder: Embedder | undefined;
  #segment: SegmentWriter | undefined;
  /** How much may wait in memory now. */
  #fullBytes: number;
  #waiting = new Map<string, Waiting>();
  /** Files of the segment at hand that were replaced before it was published. */
  #superseded: number[] = [];
  #touched: FileState[] = [];
  #removed = new Set<string>();
  #notes = new Map<string, string>();

  /** Without embeddings the chunks of new files get no vectors. */
  constructor(
    catalog: Catalog,
    storage: Storage,
    { release, embeddings }: { release: () => void; embeddings: EmbeddingSource | undefined },
  ) {
    this.#catalog = catalog;
    this.#storage = storage;
    this.#release = release;
    this.#embeddings = embeddings;
    removeLeftovers(catalog, storage);
    this.isOfOtherTable = this.#changeTable();
    const isNew = catalog.segments.all().length === 0;
    this.#fullBytes = isNew ? FIRST_SEGMENT_BYTES : SEGMENT_MEMORY_BYTES;
  }

  readonly files = async (): Promise<ReadonlyMap<string, FileRow>> =>
    new Map(this.#catalog.files.all().map((row) => [row.path, row]));

  readonly filesIn: IndexWriter["filesIn"] = async ({ direct, whole }) => {
    const rows = [
      ...direct.flatMap((folder) => this.#catalog.files.in(folder, false)),
      ...whole.flatMap((folder) => this.#catalog.files.in(folder, true)),
    ];
    return new Map(rows.map((row) => [row.path, row]));
  };

  /** What vectors are made with; "" without. */
  get #embedderId(): string {
    return this.#embeddings?.id ?? "";
  }

  /**
   * Vectors of two tables cannot be compared. Where others are there, every file goes back to the stage of
   * its words, at once and for good: a run that is killed leaves what it has made, and the next goes on.
   */
  #changeTable(): boolean {
    const before = this.#catalog.meta(EMBEDDER) ?? "";
    if (before === this.#embedderId) return false;
    this.#catalog.change(() => {
      this.#catalog.files.backToWords();
      // They may say that all is done.
      this.#catalog.removeMeta(NOTE);
      this.#catalog.setMeta(EMBEDDER, this.#embedderId);
    });
    return this.#catalog.generation() > 0;
  }

  note(name: string): string | undefined {
    return this.#catalog.meta(`${NOTE}${name}`);
  }

  setNote(name: string, value: string): void {
    this.#notes.set(name, value);
  }

  add(state: FileState, content: FileInput, seen?: Sighting): void {
    this.#trigrams ??= takeTrigramWriter();
    this.#embedder ??= this.#embeddings && new Embedder(this.#embeddings);
    this.#segment ??= new SegmentWriter(this.#trigrams, this.#embedder);
    this.#wait(state, this.#segment.add(content), seen);
  }

  put(state: FileState): void {
    this.#wait(state, undefined, undefined);
  }

  #wait(state: FileState, ordinal: number | undefined, seen: Sighting | undefined): void {
    this.#supersede(state.path);
    this.#waiting.set(state.path, { state, ordinal, seen });
    this.#removed.delete(state.path);
  }

  /** What waits for a path is no longer wanted; the segment at hand has it already. */
  #supersede(path: string): void {
    const ordinal = this.#waiting.get(path)?.ordinal;
    if (ordinal !== undefined) this.#superseded.push(ordinal);
    this.#waiting.delete(path);
  }

  touch(state: FileState): void {
    this.#touched.push(state);
  }

  remove(path: string): void {
    this.#supersede(path);
    this.#removed.add(path);
  }

  get isFull(): boolean {
    return (this.#segment?.sizeBytes ?? 0) >= this.#fullBytes;
  }

  readonly commit = async (settle?: Settlement): Promise<Version> => {
    const isUntold = settle !== undefined && this.#catalog.journal.isUnsettled(settle);
    const isNews = this.#waiting.size > 0 || this.#removed.size > 0 || isUntold;
    const isFirst = this.#catalog.generation() === 0;
    if (isNews || isFirst) this.#publish(settle);
    else if (this.#touched.length > 0 || this.#notes.size > 0) {
      this.#catalog.change(() => this.#writeRemarks());
    }
    return this.#version();
  };

  readonly compact: IndexWriter["compact"] = async ({ quick } = { quick: false }) => {
    const inputs = nextToFold(
      this.#catalog.segments.all(),
      quick ? QUICK_MERGE_BYTES : MERGE_BYTES,
    );
    if (inputs.length === 0) return false;
    this.#fold(inputs);
    return true;
  };

  readonly weigh = async (): Promise<boolean> => {
    const changed = Number(this.#catalog.meta(UNWEIGHED) ?? 0);
    if (changed <= this.#catalog.files.totals().files * UNWEIGHED_SHARE) return false;
    const rows = this.#catalog.segments.all();
    const views = viewsOf(rows.map((row) => ({ ...row, reader: this.#openRow(row) })));
    try {
      const found = importanceOf(views);
      // No new generation: what is found is as it was, only what is told first may change.
      this.#catalog.change(() => {
        for (const [at, { id }] of rows.entries()) {
          const importance = found[at];
          if (importance !== undefined) this.#catalog.segments.setImportance(id, importance);
        }
        this.#catalog.setMeta(UNWEIGHED, "0");
        this.#catalog.setMeta(WEIGHED, String(Number(this.#catalog.meta(WEIGHED) ?? 0) + 1));
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

  #version(): Version {
    return { epoch: this.#catalog.meta("epoch") ?? "", at: this.#catalog.generation() };
  }

  #publish(settle: Settlement | undefined): void {
    const segment = this.#segment;
    const waiting = this.#waiting;
    const removed = this.#removed;
    this.#waiting = new Map();
    this.#removed = new Set();
    const superseded = this.#superseded;
    this.#superseded = [];
    this.#segment = undefined;
    this.#fullBytes = Math.min(this.#fullBytes * 4, SEGMENT_MEMORY_BYTES);
    const write = segment && this.#writeSegment(segment.finish());
    let emptied: readonly SegmentRow[] = [];
    this.#catalog.publish(() => {
      const old = this.#placesOf([...waiting.keys(), ...removed]);
      const before = waiting.size > MOST_CARRIED ? [] : this.#renewed(waiting);
      const id = write?.() ?? null;
      if (id !== null && superseded.length > 0) {
        const dead = new Uint8Array(segment?.files ?? 0);
        for (const ordinal of superseded) dead[ordinal] = 1;
        this.#catalog.segments.setDead(id, dead);
      }
      for (const { state, ordinal, seen } of waiting.values()) {
        const isIndexed = ordinal !== undefined;
        this.#catalog.files.put({
          ...state,
          segment: isIndexed ? id : null,
          ordinal: isIndexed ? ordinal : null,
        });
        this.#see(state, seen);
      }
      for (const path of removed) {
        this.#catalog.files.remove(path);
        this.#catalog.journal.seeGone(path);
      }
      this.#noteUnweighed(waiting.size + removed.size);
      if (id !== null && old.size > 0) this.#carryImportance(id, before);
      // With what they speak of, or a kill between the two would leave a note that is wrong.
      this.#writeRemarks();
      emptied = this.#bury(old);
    }, settle);
    this.#removeFiles(emptied);
  }

  /** Until a file is complete, the journal knows what it was before. */
  #see(state: FileState, seen: Sighting | undefined): void {
    const { journal } = this.#catalog;
    if (seen !== undefined) journal.see(state.path, state, seen);
    else if (state.skipped !== null) journal.seeUnread(state.path, state.source);
  }

  get watch(): WatchKeeper {
    const { journal } = this.#catalog;
    return {
      note: (name) => journal.note(name),
      withoutLines: () => journal.withoutLines(),
      hasUntold: () => journal.hasUntold(),
      unlikeTold: () => journal.unlikeTold(),
      lines: (path) => journal.lines(path),
      watched: (path) => journal.watched(path),
      change: (change) => this.#catalog.change(() => change(journal)),
      usesOf: (name) => this.#withAll((segments) => ownersOfUses(segments, name)),
    };
  }

  #withAll<T>(read: (segments: readonly SegmentView[]) => T): T {
    const rows = this.#catalog.segments.all();
    const views = viewsOf(rows.map((row) => ({ ...row, reader: this.#openRow(row) })));
    try {
      return read(views);
    } finally {
      for (const { reader } of views) reader.close();
    }
  }

  #noteUnweighed(files: number): void {
    const before = Number(this.#catalog.meta(UNWEIGHED) ?? 0);
    this.#catalog.setMeta(UNWEIGHED, String(before + files));
  }

  /** Where the files that wait have been until now. */
  #renewed(waiting: ReadonlyMap<string, Waiting>): readonly Moved[] {
    return [...waiting].flatMap(([path, { ordinal }]) => {
      const place = ordinal === undefined ? undefined : this.#catalog.files.placeOf(path);
      return place === undefined || ordinal === undefined ? [] : [{ ...place, now: ordinal }];
    });
  }

  /** A file that is saved is worth what it was, until all is weighed again. */
  #carryImportance(id: number, moved: readonly Moved[]): void {
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
        const importance = this.#catalog.segments.importance(segment);
        const from = rows.get(segment);
        if (importance === undefined || from === undefined) return [];
        return [{ reader: readerOf(from), importance, file: ordinal, now }];
      });
      if (renewed.length > 0) {
        this.#catalog.segments.setImportance(id, carriedImportance(readerOf(row), renewed));
      }
    } catch (thrown) {
      // What a damaged segment has is not worth a run that replaces it.
      if (!(thrown instanceof SvcError) || thrown.code !== "INDEX_UNAVAILABLE") throw thrown;
    } finally {
      for (const reader of opened.values()) reader.close();
    }
  }

  #openRow(row: SegmentRow): SegmentReader {
    return openSegment(this.#catalog, this.#storage, row);
  }

  /** Puts the bytes where they belong; what is returned adds the segment to the catalogue. */
  #writeSegment({ files, sizeBytes: bytes, parts }: FinishedSegment): () => number {
    const name = `${Date.now().toString(36)}-${randomBytes(4).toString("hex")}`;
    const isRow = bytes <= ROW_BYTES;
    if (!isRow) this.#storage.write(name, parts);
    return () =>
      this.#catalog.segments.add({ name, files, bytes }, isRow ? Buffer.concat(parts) : null);
  }

  #writeRemarks(): void {
    for (const state of this.#touched) {
      const known = this.#catalog.files.get(state.path);
      if (known === undefined) continue;
      this.#catalog.files.put({ ...state, segment: known.segment, ordinal: known.ordinal });
    }
    for (const [name, value] of this.#notes) this.#catalog.setMeta(`${NOTE}${name}`, value);
    this.#touched = [];
    this.#notes = new Map();
  }

  /** The numbers of files by the segment that they are in now. */
  #placesOf(paths: readonly string[]): ReadonlyMap<number, readonly number[]> {
    const places = new Map<number, number[]>();
    // In a first build there is nothing to be found.
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

  /** Marks the old versions of files dead; removes and returns the segments with nothing left alive. */
  #bury(old: ReadonlyMap<number, readonly number[]>): readonly SegmentRow[] {
    const emptied: SegmentRow[] = [];
    if (old.size === 0) return emptied;
    for (const segment of this.#catalog.segments.all()) {
      const ordinals = old.get(segment.id);
      if (ordinals === undefined) continue;
      const dead = segment.dead.slice();
      for (const ordinal of ordinals) dead[ordinal] = 1;
      if (dead.every((value) => value === 1)) {
        this.#catalog.segments.remove(segment.id);
        emptied.push(segment);
      } else {
        this.#catalog.segments.setDead(segment.id, dead);
      }
    }
    return emptied;
  }

  #fold(rows: readonly SegmentRow[]): void {
    const inputs = rows.map((row) => ({
      reader: loadSegment(this.#catalog, this.#storage, row),
      dead: row.dead,
      importance: this.#catalog.segments.importance(row.id),
    }));
    try {
      const write = this.#writeSegment(mergeSegments(inputs, this.#embedderId));
      this.#catalog.publish(() => {
        const id = write();
        let ordinal = 0;
        for (const { reader, dead } of inputs) {
          for (let file = 0; file < reader.files; file += 1) {
            if (dead[file] === 1) continue;
            this.#catalog.files.move(reader.path(file), id, ordinal);
            ordinal += 1;
          }
        }
        if (inputs.some(({ importance }) => importance !== undefined)) {
          this.#catalog.segments.setImportance(id, foldedImportance(inputs));
        }
        for (const row of rows) this.#catalog.segments.remove(row.id);
      });
    } finally {
      for (const { reader } of inputs) reader.close();
    }
    this.#removeFiles(rows);
  }

  /** Readers that have them open keep them; nobody opens them any more. */
  #removeFiles(rows: readonly SegmentRow[]): void {
    for (const { name, isRow } of rows) if (!isRow) removeIfPossible(this.#storage, name);
  }
}

/** Files that a killed writer wrote and never published. */
function removeLeftovers(catalog: Catalog, storage: Storage): void {
  const published = new Set(catalog.segments.all().map(({ name }) => name));
  for (const name of storage.list()) if (!published.has(name)) removeIfPossible(storage, name);
}

/** What cannot be removed (open elsewhere, on Windows) takes up room until a later writer removes it. */
function removeIfPossible(storage: Storage, name: string): void {
  try {
    storage.remove(name);
  } catch {
    // What is published does not need it.
  }
}

/** The segments that should become one; none when all is well. */
function nextToFold(segments: readonly SegmentRow[], limitBytes: number): readonly SegmentRow[] {
  const bySize = Map.groupBy(segments, sizeClass);
  for (const [, alike] of [...bySize].toSorted(([one], [other]) => one - other)) {
    const inputs = fitting(alike, limitBytes);
    if (inputs.length >= FAN_IN) return inputs;
  }
  return segments
    .filter((row) => live(row) * 2 < row.files && row.bytes <= limitBytes * 2)
    .slice(0, 1);
}

/** As many, in order, as may be folded at once. */
function fitting(rows: readonly SegmentRow[], limitBytes: number): readonly SegmentRow[] {
  let bytes = 0;
  return rows.filter((row) => {
    if (bytes + row.bytes > limitBytes) return false;
    bytes += row.bytes;
    return true;
  });
}

/** 0 for the smallest; one more for each four times the bytes. What is dead does not count. */
function sizeClass(row: SegmentRow): number {
  const bytes = (row.bytes * live(row)) / Math.max(1, row.files);
  return Math.max(0, Math.ceil(Math.log2(bytes / SMALLEST_SIZE) / Math.log2(FAN_IN)));
}

function live({ files, dead }: SegmentRow): number {
  return files - dead.reduce((sum, value) => sum + value, 0);
}
