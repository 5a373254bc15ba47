import type { FileTree, PageRanks } from "../port.ts";
import type { Catalog } from "./catalog/catalog.ts";
import { SHARDS_KEY } from "./catalog/meta-keys.ts";
import type { SegmentRow } from "./catalog/segment-table.ts";
import { isLive } from "./earlier-contents.ts";
import { FilePlaces } from "./file-places.ts";
import { damagedFile } from "../damage.ts";
import { Bm25Scorer } from "../scoring/bm25.ts";
import { fileTreeOf } from "../file-tree.ts";
import { pageRanksByPath, type SegmentRanks } from "./pagerank/segment-ranks.ts";
import { corpusStatsOf, type CorpusStats } from "../corpus-stats.ts";
import { viewsOf } from "../scoring/scored-segments.ts";
import type { LiveSegments, SegmentView } from "./segment/live-segments.ts";
import { SegmentReader } from "./segment/segment-reader.ts";
import { segmentShard } from "./segment-name.ts";
import { memoryFile } from "./storage/storage-memory.ts";
import type { Storage } from "./storage/storage.ts";
import { VectorStore } from "../vectors/vector-store.ts";

interface SnapshotParts {
  readonly vectors?: VectorStore;
  readonly shards?: number;
}

/** The immutable state of one generation. A search uses one snapshot from beginning to end. */
export class IndexSnapshot implements LiveSegments {
  readonly generation: number;
  readonly segments: readonly SegmentView[];
  readonly chunks: number;
  readonly files: number;
  readonly vectors: VectorStore;
  readonly places: FilePlaces;
  /** Number of shards. */
  readonly shards: number;
  readonly #ofShards = new Map<number, IndexSnapshot>();
  #fileLengths: Uint32Array | undefined;
  #scorer: Bm25Scorer | undefined;
  #corpusStats: CorpusStats | undefined;
  #fileTree: FileTree | undefined;
  #pageRanks: PageRanks | undefined;

  constructor(
    generation: number,
    segments: readonly SegmentView[],
    { vectors = new VectorStore(), shards = 1 }: SnapshotParts = {},
  ) {
    this.generation = generation;
    this.vectors = vectors;
    this.shards = shards;
    this.segments = segments;
    this.places = new FilePlaces(segments);
    this.chunks = segments.reduce((sum, { reader }) => sum + reader.chunks, 0);
    this.files = segments.reduce((sum, { reader }) => sum + reader.files, 0);
  }

  fileLengths(): Uint32Array {
    if (this.#fileLengths === undefined) {
      this.#fileLengths = new Uint32Array(this.files);
      for (const { reader, fileBase } of this.segments) {
        this.#fileLengths.set(reader.column("length"), fileBase);
      }
    }
    return this.#fileLengths;
  }

  /** Returns the scorer of all queries on this snapshot. */
  scorer(): Bm25Scorer {
    this.#scorer ??= new Bm25Scorer(this);
    return this.#scorer;
  }

  corpusStats(): CorpusStats {
    this.#corpusStats ??= corpusStatsOf(this);
    return this.#corpusStats;
  }

  /** `paths`: returns the paths of all files of this generation, in order. */
  fileTree(paths: () => readonly string[]): FileTree {
    this.#fileTree ??= fileTreeOf(paths());
    return this.#fileTree;
  }

  /** `read`: returns the ranks of a segment by its id in the catalogue. */
  pageRanks(read: (segment: number) => SegmentRanks | undefined): PageRanks {
    this.#pageRanks ??= pageRanksByPath(this.segments, this.places, read);
    return this.#pageRanks;
  }

  /** Returns the snapshot of one shard. */
  ofShard(number: number): IndexSnapshot {
    if (this.shards === 1) return this;
    let snapshot = this.#ofShards.get(number);
    if (snapshot === undefined) {
      const segments = this.segments.filter(({ reader }) => this.#shardOf(reader) === number);
      snapshot = new IndexSnapshot(this.generation, viewsOf(segments), { vectors: this.vectors });
      this.#ofShards.set(number, snapshot);
    }
    return snapshot;
  }

  /** Returns the shard of a segment by its id in the catalogue; undefined if it is not live. */
  shardOf(segment: number): number | undefined {
    const view = this.view(segment);
    return view && this.#shardOf(view.reader);
  }

  /** A segment of the time before the index was divided is in one shard too, until it is divided. */
  #shardOf({ name }: SegmentReader): number {
    return segmentShard(name).shard % this.shards;
  }

  /** Returns the segment with this id in the catalogue. */
  view(id: number): SegmentView | undefined {
    return this.segments.find((view) => view.id === id);
  }
}

/** How long a call may use an outdated snapshot: twice the longest call. */
const GRACE_MS = 60_000;

/** Follows the generations of a namespace. Returns the newest snapshot and opens only new segments. */
export class SnapshotSource {
  readonly #catalog: Catalog;
  readonly #storage: Storage;
  readonly #graceMs: number;
  readonly #vectors = new VectorStore();
  #readers = new Map<string, SegmentReader>();
  /** Readers of segments that are no longer live, the oldest first, with the time when they were replaced. */
  #retired: { readonly reader: SegmentReader; readonly atMs: number }[] = [];
  #dataVersion = -1;
  #snapshot: IndexSnapshot | undefined;

  constructor(catalog: Catalog, storage: Storage, graceMs = GRACE_MS) {
    this.#catalog = catalog;
    this.#storage = storage;
    this.#graceMs = graceMs;
  }

  current(): IndexSnapshot {
    this.#closeRetired(performance.now() - this.#graceMs);
    const dataVersion = this.#catalog.dataVersion();
    if (this.#snapshot !== undefined && dataVersion === this.#dataVersion) return this.#snapshot;
    const snapshot = this.#reload();
    this.#dataVersion = dataVersion;
    this.#snapshot = snapshot;
    return snapshot;
  }

  close(): void {
    this.#closeRetired(Infinity);
    for (const reader of this.#readers.values()) reader.close();
    this.#readers.clear();
  }

  #closeRetired(untilMs: number): void {
    const remaining = this.#retired.findIndex(({ atMs }) => atMs > untilMs);
    const over = this.#retired.splice(0, remaining < 0 ? this.#retired.length : remaining);
    for (const { reader } of over) {
      this.#vectors.forget(reader);
      reader.close();
    }
  }

  /** A writer may delete a segment between this process's read of the list and opening the files. */
  #reload(): IndexSnapshot {
    try {
      return this.#load();
    } catch (thrown) {
      if (this.#catalog.generation() === this.#snapshot?.generation) throw thrown;
      return this.#load();
    }
  }

  #load(): IndexSnapshot {
    // Segments in rows are read in the same transaction as the list, because a merge may delete them right
    // after it.
    const { generation, shards, opened } = this.#catalog.snapshot(() => ({
      generation: this.#catalog.generation(),
      shards: Number(this.#catalog.meta(SHARDS_KEY) ?? 1),
      opened: this.#catalog.segments
        .all()
        .filter(isLive)
        .map((row) => ({ row, reader: this.#open(row) })),
    }));
    const readers = new Map<string, SegmentReader>();
    for (const { row, reader } of opened) readers.set(row.name, reader);
    // The counts stay valid unless another file of the segment has been deleted.
    const counted = new Map(this.#snapshot?.segments.map(({ reader, live }) => [reader, live]));
    const segments = viewsOf(
      opened.map(({ row, reader }) => {
        const live = counted.get(reader);
        return { ...row, reader, live: live?.isOf(row.tombstones) === true ? live : undefined };
      }),
    );
    // Earlier calls still read from them.
    const atMs = performance.now();
    for (const [name, reader] of this.#readers) {
      if (!readers.has(name)) this.#retired.push({ reader, atMs });
    }
    this.#readers = readers;
    return new IndexSnapshot(generation, segments, { vectors: this.#vectors, shards });
  }

  #open(row: SegmentRow): SegmentReader {
    const known = this.#readers.get(row.name);
    if (known !== undefined) return known;
    const reader = openSegment(this.#catalog, this.#storage, row);
    // Stored at once, so that it is closed even if the next segment cannot be opened.
    this.#readers.set(row.name, reader);
    return reader;
  }
}

/**
 * Opens a segment, in a row or a file. `ahead`: for a merge, which reads each section from beginning to end; reading each
 * posting list separately takes longer than merging the lists. Throws INDEX_UNAVAILABLE.
 */
export function openSegment(
  catalog: Catalog,
  storage: Storage,
  { name, isRow }: Pick<SegmentRow, "name" | "isRow">,
  { ahead = false } = {},
): SegmentReader {
  if (!isRow) return new SegmentReader(storage.open(name), name, { ahead });
  const body = catalog.segments.body(name);
  if (body === undefined) throw damagedFile(name);
  return new SegmentReader(memoryFile(body, name), name, { ahead });
}
