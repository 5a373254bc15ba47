import { collectGarbage } from "../../base/small-heap.ts";
import type { EmbeddingSource } from "../../embed/embedding-source.ts";
import type { EarlierContents } from "../earlier-contents.ts";
import type { IndexWriter, IndexVersion, MonitorState, WriteOptions } from "../port.ts";
import { FENCE_KEY, REPLICA_KEY, type Catalog, type Confirmation } from "./catalog/catalog.ts";
import {
  EMBEDDER_KEY,
  noteKey,
  NOTE_PREFIX,
  SHARDS_KEY,
  STALE_COUNT_KEY,
} from "./catalog/meta-keys.ts";
import type { SegmentRow } from "./catalog/segment-table.ts";
import type { EncodedFileInput, FileState, FileRow, FileInput } from "../types.ts";
import type { FlushPlan, FileVersion } from "../change-log/change-event.ts";
import { collectSegments } from "./collector.ts";
import { Fence } from "../fence.ts";
import { isLive, trimEarlier } from "./earlier-contents.ts";
import type { FetchedContents } from "./fetched-contents.ts";
import { RestorableContents } from "./restorable-contents.ts";
import { areRanksStale } from "../pagerank/stale-ranks.ts";
import { computeSegmentRanks, RANK_VERSION_KEY } from "./pagerank/segment-ranks.ts";
import { PendingChanges } from "./pending-changes.ts";
import { ownersOfUses } from "./reference-lookup.ts";
import { viewsOf } from "../scoring/scored-segments.ts";
import type { ShardCount } from "../shards/shard-count.ts";
import { shardOf } from "../shards/shard-of.ts";
import type { SegmentView } from "./segment/live-segments.ts";
import { SegmentWriter } from "./segment/segment-writer.ts";
import { Embedder } from "../vectors/vector-writer.ts";
import { SegmentFingerprints } from "./change-log/segment-fingerprints.ts";
import { SegmentMerger } from "./segment-merger.ts";
import { SegmentPublisher } from "./segment-publisher.ts";
import { openSegment } from "./snapshot.ts";
import type { Storage } from "./storage/storage.ts";
import {
  giveBackTrigramWriter,
  takeTrigramWriter,
  type TrigramWriter,
} from "./trigrams/trigram-writer.ts";

/** Memory limit of a segment. A full segment is committed, and searches see it at once. */
const SEGMENT_MEMORY_BYTES = 64 << 20;
/** The first segments of an index are smaller, each four times the one before, so that first results come soon. */
const FIRST_SEGMENT_BYTES = 4 << 20;

/** A merge of more bytes takes seconds. */
const LARGE_MERGE_BYTES = 16 << 20;

/** What a transaction changed. */
export interface PublishedChange {
  /** The changes of all rows of the catalogue, as a changeset of SQLite. */
  readonly changes: Uint8Array;
  /** Names of the live segments that are files. */
  readonly segmentFiles: readonly string[];
}

/** The store that an index is a copy of: each transaction is published there before it commits here. */
export interface Publication {
  /** True if that store has another index, or none: then the first transaction is made at once. */
  readonly isNew: boolean;
  /** The value of REPLICA_KEY after the next transaction. */
  readonly nextMark: () => string;
  /** Refuses the transaction by throwing. */
  readonly publish: (change: PublishedChange) => Promise<void>;
  /** Deletes what no copy needs any more. */
  readonly collect: () => Promise<void>;
  /** Called when the writer is closed. Does not throw. */
  readonly end: () => Promise<void>;
}

/** Opens what was fetched for the index, if it has this embedding table. */
type OpenFetched = (embedder: string) => FetchedContents | undefined;

interface EmbeddedWriterOptions extends Pick<
  WriteOptions,
  "embeddings" | "beforeCommit" | "shards"
> {
  readonly catalog: Catalog;
  readonly storage: Storage;
  readonly publication?: Publication | undefined;
  readonly openFetched: OpenFetched;
  /** Releases the writer's lock. */
  readonly release: () => void;
}

/** Writes the embedded index. The creator must hold the writer's lock. */
export class EmbeddedWriter implements IndexWriter {
  readonly #catalog: Catalog;
  readonly #storage: Storage;
  readonly #release: () => void;
  readonly #embeddings: EmbeddingSource | undefined;
  readonly #publication: Publication | undefined;
  readonly #confirmation: Confirmation | undefined;
  readonly #fence: Fence;
  readonly #publisher: SegmentPublisher;
  readonly #fingerprints: SegmentFingerprints;
  readonly #merger: SegmentMerger;
  #hasOtherEmbeddings = false;
  readonly #shardCount: ShardCount | undefined;
  /** By shard. Created with the first content: most runs find none. */
  readonly #trigrams = new Map<number, TrigramWriter>();
  #embedder: Embedder | undefined;
  /** Current memory limit of pending content, in bytes. */
  #maxPendingBytes: number;
  #pending: PendingChanges;
  #touchedTimes: FileState[] = [];
  readonly #openFetched: OpenFetched;
  #restorable: RestorableContents | undefined;
  #notes = new Map<string, string>();

  private constructor(options: EmbeddedWriterOptions) {
    const { catalog, storage, release, embeddings, publication } = options;
    this.#catalog = catalog;
    this.#storage = storage;
    this.#release = release;
    this.#embeddings = embeddings;
    this.#publication = publication;
    this.#openFetched = options.openFetched;
    this.#confirmation = confirmationOf(options);
    this.#fence = new Fence(catalog.meta(FENCE_KEY));
    this.#publisher = new SegmentPublisher(catalog, storage);
    this.#fingerprints = new SegmentFingerprints(catalog, storage);
    catalog.changeLog.readFrom(this.#fingerprints.of);
    this.#merger = new SegmentMerger(catalog, storage, this.#publisher);
    this.#shardCount = options.shards;
    this.#pending = this.#nextChanges();
    const isNew = catalog.segments.all().length === 0;
    this.#maxPendingBytes = isNew ? FIRST_SEGMENT_BYTES : SEGMENT_MEMORY_BYTES;
  }

  /** Removes what a killed writer left, and prepares an index with vectors of another embedding table. */
  static async open(options: EmbeddedWriterOptions): Promise<EmbeddedWriter> {
    const writer = new EmbeddedWriter(options);
    writer.#collect();
    if (options.publication?.isNew === true) await writer.#change(() => undefined);
    await writer.#resetIfEmbedderChanged();
    return writer;
  }

  get fence(): number {
    return this.#fence.number;
  }

  get hasOtherEmbeddings(): boolean {
    return this.#hasOtherEmbeddings;
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
  async #resetIfEmbedderChanged(): Promise<void> {
    const before = this.#catalog.meta(EMBEDDER_KEY) ?? "";
    if (before === this.#embedderId) return;
    await this.#change(() => {
      this.#catalog.changeLog.keepBaselines();
      this.#catalog.files.resetToWords();
      this.#catalog.earlier.clear();
      trimEarlier(this.#catalog);
      // Notes may record that indexing is complete.
      this.#catalog.removeMeta(NOTE_PREFIX);
      this.#catalog.setMeta(EMBEDDER_KEY, this.#embedderId);
    });
    this.#hasOtherEmbeddings = this.#catalog.generation() > 0;
  }

  /** Number of shards of the last commit. */
  get #shards(): number {
    return Number(this.#catalog.meta(SHARDS_KEY) ?? 1);
  }

  /** The number of shards grows from one commit to the next. */
  #nextChanges(): PendingChanges {
    if (this.#shardCount === undefined) return new PendingChanges(this.#shards);
    const { chunks } = this.#catalog.files.totals();
    return new PendingChanges(this.#shardCount(chunks, this.#shards));
  }

  note(name: string): string | undefined {
    return this.#catalog.meta(noteKey(name));
  }

  setNote(name: string, value: string): void {
    this.#notes.set(name, value);
  }

  add(state: FileState, content: FileInput | EncodedFileInput, version?: FileVersion): void {
    const shard = shardOf(state.path, this.#pending.shards);
    const ordinal = this.#segmentOf(shard).add(content, version?.fingerprints);
    this.#pending.put(state, { shard, ordinal }, version);
  }

  /** Returns the segment of the pending content of a shard. */
  #segmentOf(shard: number): SegmentWriter {
    const known = this.#pending.segments.get(shard);
    if (known !== undefined) return known;
    const trigrams = this.#trigrams.get(shard) ?? takeTrigramWriter();
    this.#trigrams.set(shard, trigrams);
    this.#embedder ??= this.#embeddings && new Embedder(this.#embeddings);
    const created = new SegmentWriter(trigrams, this.#embedder);
    this.#pending.segments.set(shard, created);
    return created;
  }

  get earlier(): EarlierContents | undefined {
    // Copies of a shared index have what the others publish.
    if (this.#publication !== undefined) return undefined;
    this.#restorable ??= new RestorableContents({
      catalog: this.#catalog,
      fingerprints: this.#fingerprints,
      pending: () => this.#pending,
      openFetched: () => this.#openFetched(this.#embedderId),
    });
    return this.#restorable;
  }

  put(state: FileState): void {
    this.#pending.put(state);
  }

  touch(state: FileState): void {
    this.#touchedTimes.push(state);
  }

  remove(path: string): void {
    this.#pending.remove(path);
  }

  get isFull(): boolean {
    return this.#pending.sizeBytes >= this.#maxPendingBytes;
  }

  readonly commit = async (plan?: FlushPlan): Promise<IndexVersion> => {
    const needsFlush = plan !== undefined && this.#catalog.changeLog.needsFlush(plan);
    const isFirst = this.#catalog.generation() === 0;
    if (!this.#pending.isEmpty || needsFlush || isFirst) await this.#publishPending(plan);
    else if (this.#touchedTimes.length > 0 || this.#notes.size > 0) {
      await this.#change(() => this.#writeNotes());
    }
    return { epoch: this.#catalog.meta("epoch") ?? "", at: this.#catalog.generation() };
  };

  async #publishPending(plan: FlushPlan | undefined): Promise<void> {
    const pending = this.#pending;
    this.#pending = new PendingChanges(pending.shards);
    this.#maxPendingBytes = Math.min(this.#maxPendingBytes * 4, SEGMENT_MEMORY_BYTES);
    const of = pending.shards;
    const writes = new Map(
      Array.from(pending.segments, ([shard, segment]) => [
        shard,
        this.#publisher.write(segment.finish(), { shard, of }),
      ]),
    );
    const linked = this.#restorable?.link(pending);
    await this.#publish(() => {
      linked?.add();
      this.#publisher.publish(pending, writes, this.#restorable?.keepsReplaced === true);
      linked?.moveEqual();
      if (of !== this.#shards) this.#catalog.setMeta(SHARDS_KEY, String(of));
      this.#addStaleCount(pending.files.size + pending.removed.size);
      // In the transaction of the changes they describe: otherwise a kill in between would leave a wrong note.
      this.#writeNotes();
    }, plan);
    this.#pending = this.#nextChanges();
  }

  readonly merge: IndexWriter["merge"] = async ({ quick } = { quick: false }) => {
    const of = this.#shards;
    const rows = this.#merger.due(of, quick);
    if (rows.length === 0) return false;
    if (rows.reduce((sum, { bytes }) => sum + bytes, 0) > LARGE_MERGE_BYTES) this.#releaseMemory();
    await this.#publish(this.#merger.write(rows, { of, embedder: this.#embedderId }));
    return true;
  };

  /** A large merge needs as much memory as the segments before it, whose buffers are garbage by now. */
  #releaseMemory(): void {
    if (this.#pending.isEmpty) this.#trigrams.clear();
    collectGarbage();
  }

  readonly collect = async (): Promise<void> => {
    this.#collect();
    await this.#publication?.collect();
  };

  #collect(): void {
    collectSegments(this.#catalog, this.#storage);
  }

  readonly computePageRank = async (): Promise<boolean> => {
    const changed = Number(this.#catalog.meta(STALE_COUNT_KEY) ?? 0);
    if (!areRanksStale(changed, this.#catalog.files.totals().files)) return false;
    const found = this.#withAllSegments(computeSegmentRanks);
    const rows = this.#catalog.segments.all().filter(isLive);
    // No new generation: the same files match, only their order may change.
    await this.#change(() => {
      for (const [at, { id }] of rows.entries()) {
        const ranks = found[at];
        if (ranks !== undefined) this.#catalog.segments.setRanks(id, ranks);
      }
      this.#catalog.setMeta(STALE_COUNT_KEY, "0");
      const version = Number(this.#catalog.meta(RANK_VERSION_KEY) ?? 0) + 1;
      this.#catalog.setMeta(RANK_VERSION_KEY, String(version));
    });
    return true;
  };

  readonly close = async (): Promise<void> => {
    for (const trigrams of this.#trigrams.values()) giveBackTrigramWriter(trigrams);
    this.#trigrams.clear();
    this.#restorable?.close();
    this.#catalog.close();
    this.#release();
    await this.#publication?.end();
  };

  get monitorState(): MonitorState {
    const { changeLog } = this.#catalog;
    return {
      note: (name) => changeLog.note(name),
      withoutLineHashes: () => changeLog.withoutLineHashes(),
      hasPending: () => changeLog.hasPending(),
      changedSinceBaseline: () => changeLog.changedSinceBaseline(),
      lineHashes: (path) => changeLog.lineHashes(path),
      watched: (path) => changeLog.watched(path),
      change: (change) => this.#change(() => change(changeLog)),
      usesOf: (name) => this.#withAllSegments((segments) => ownersOfUses(segments, name)),
    };
  }

  /** Runs `change` in one transaction without a new generation. */
  async #change(change: () => void): Promise<void> {
    try {
      await this.#catalog.changeConfirmed(this.#fenced(change), this.#confirmation);
    } finally {
      this.#fingerprints.close();
    }
  }

  /** Runs `change` in one transaction, which becomes the next generation. */
  async #publish(change: () => void, plan?: FlushPlan): Promise<void> {
    try {
      await this.#catalog.publishConfirmed(this.#fenced(change), plan, this.#confirmation);
    } finally {
      this.#fingerprints.close();
    }
  }

  #fenced(change: () => void): () => void {
    return () => {
      const last = this.#catalog.meta(FENCE_KEY);
      const mark = this.#fence.markOver(last);
      if (mark !== last) this.#catalog.setMeta(FENCE_KEY, mark);
      if (this.#publication !== undefined) {
        this.#catalog.setMeta(REPLICA_KEY, this.#publication.nextMark());
      }
      change();
    };
  }

  #withAllSegments<T>(read: (segments: readonly SegmentView[]) => T): T {
    const rows = this.#catalog.segments.all().filter(isLive);
    const open = (row: SegmentRow) => openSegment(this.#catalog, this.#storage, row);
    const views = viewsOf(rows.map((row) => ({ ...row, reader: open(row) })));
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

  #writeNotes(): void {
    for (const state of this.#touchedTimes) {
      const known = this.#catalog.files.get(state.path);
      if (known === undefined) continue;
      this.#catalog.files.put({ ...state, segment: known.segment, ordinal: known.ordinal });
    }
    for (const [name, value] of this.#notes) this.#catalog.setMeta(noteKey(name), value);
    this.#touchedTimes = [];
    this.#notes = new Map();
  }
}

function confirmationOf({
  catalog,
  beforeCommit,
  publication,
}: EmbeddedWriterOptions): Confirmation | undefined {
  if (publication === undefined) {
    return beforeCommit && { confirm: beforeCommit, needsChanges: false };
  }
  return {
    confirm: async (changes) => {
      await beforeCommit?.();
      const segmentFiles = catalog.segments
        .all()
        .flatMap(({ name, isRow }) => (isRow ? [] : [name]));
      await publication.publish({ changes, segmentFiles });
    },
    needsChanges: true,
  };
}
