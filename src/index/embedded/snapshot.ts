import type { FileTree, PageRanks } from "../port.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { SegmentRow } from "../catalog/segment-table.ts";
import { damagedFile } from "../damage.ts";
import { Bm25Scorer } from "../scoring/bm25.ts";
import { fileTreeOf } from "../file-tree.ts";
import { pageRanksByPath, type SegmentRanks } from "../pagerank/segment-ranks.ts";
import { corpusStatsOf, type CorpusStats } from "../corpus-stats.ts";
import { SegmentReader } from "../segment/segment-reader.ts";
import { memoryFile } from "../storage/storage-memory.ts";
import type { Storage } from "../storage/storage.ts";
import { VectorStore } from "../segment/vector-store.ts";

/** A live segment with the place of its documents in the whole index. */
export interface SegmentView {
  readonly id: number;
  readonly reader: SegmentReader;
  /** 1 for each file that a later segment replaced. */
  readonly tombstones: Uint8Array;
  readonly chunkBase: number;
  readonly fileBase: number;
}

/** The state of one generation. It never changes; a search works on one from beginning to end. */
export class IndexSnapshot {
  readonly generation: number;
  readonly segments: readonly SegmentView[];
  readonly chunks: number;
  readonly files: number;
  readonly vectors: VectorStore;
  #fileLengths: Uint32Array | undefined;
  #scorer: Bm25Scorer | undefined;
  #corpusStats: CorpusStats | undefined;
  #fileTree: FileTree | undefined;
  #pageRanks: PageRanks | undefined;

  constructor(generation: number, segments: readonly SegmentView[], vectors = new VectorStore()) {
    this.generation = generation;
    this.vectors = vectors;
    this.segments = segments;
    this.chunks = segments.reduce((sum, { reader }) => sum + reader.chunks, 0);
    this.files = segments.reduce((sum, { reader }) => sum + reader.files, 0);
  }

  /** Length in terms of each file. */
  fileLengths(): Uint32Array {
    if (this.#fileLengths === undefined) {
      this.#fileLengths = new Uint32Array(this.files);
      for (const { reader, fileBase } of this.segments) {
        this.#fileLengths.set(reader.column("length"), fileBase);
      }
    }
    return this.#fileLengths;
  }

  /** The arrays that questions on this snapshot share: one question at a time. */
  scorer(): Bm25Scorer {
    this.#scorer ??= new Bm25Scorer(this);
    return this.#scorer;
  }

  corpusStats(): CorpusStats {
    this.#corpusStats ??= corpusStatsOf(this);
    return this.#corpusStats;
  }

  /** `paths`: of all files of this generation, in order. */
  fileTree(paths: () => readonly string[]): FileTree {
    this.#fileTree ??= fileTreeOf(paths());
    return this.#fileTree;
  }

  /** `read`: what is known of a segment, by its number in the catalogue. */
  pageRanks(read: (segment: number) => SegmentRanks | undefined): PageRanks {
    this.#pageRanks ??= pageRanksByPath(this.segments, read);
    return this.#pageRanks;
  }

  /** The segment of the catalogue's number. */
  view(id: number): SegmentView | undefined {
    return this.segments.find((view) => view.id === id);
  }
}

/** Segments one behind the other, as one index. */
export function viewsOf(
  opened: readonly Pick<SegmentView, "id" | "reader" | "tombstones">[],
): readonly SegmentView[] {
  let chunkBase = 0;
  let fileBase = 0;
  return opened.map(({ id, reader, tombstones }) => {
    const view = { id, reader, tombstones, chunkBase, fileBase };
    chunkBase += reader.chunks;
    fileBase += reader.files;
    return view;
  });
}

/** How long a call may go on with a snapshot that is no longer the newest: twice the longest call. */
const GRACE_MS = 60_000;

/** Follows the generations of a namespace: gives the newest snapshot, reopening only what is new. */
export class SnapshotSource {
  readonly #catalog: Catalog;
  readonly #storage: Storage;
  readonly #graceMs: number;
  readonly #vectors = new VectorStore();
  #readers = new Map<string, SegmentReader>();
  /** Readers of segments that are no longer live, the oldest first, with when they were given up. */
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

  /** A writer may retire a segment between our reading of the list and the opening of its files. */
  #reload(): IndexSnapshot {
    try {
      return this.#load();
    } catch (thrown) {
      if (this.#catalog.generation() === this.#snapshot?.generation) throw thrown;
      return this.#load();
    }
  }

  #load(): IndexSnapshot {
    // Rows are read in the same transaction as the list: what is in them may be folded right after it.
    const { generation, opened } = this.#catalog.snapshot(() => ({
      generation: this.#catalog.generation(),
      opened: this.#catalog.segments.all().map((row) => ({ row, reader: this.#open(row) })),
    }));
    const readers = new Map<string, SegmentReader>();
    for (const { row, reader } of opened) readers.set(row.name, reader);
    const segments = viewsOf(opened.map(({ row, reader }) => ({ ...row, reader })));
    // Calls that began before still read from them.
    const atMs = performance.now();
    for (const [name, reader] of this.#readers) {
      if (!readers.has(name)) this.#retired.push({ reader, atMs });
    }
    this.#readers = readers;
    return new IndexSnapshot(generation, segments, this.#vectors);
  }

  #open(row: SegmentRow): SegmentReader {
    const known = this.#readers.get(row.name);
    if (known !== undefined) return known;
    const reader = openSegment(this.#catalog, this.#storage, row);
    // Kept at once, so that it is closed even when the next segment cannot be opened.
    this.#readers.set(row.name, reader);
    return reader;
  }
}

/** Opens a segment wherever it is kept. Throws INDEX_UNAVAILABLE. */
export function openSegment(
  catalog: Catalog,
  storage: Storage,
  { name, isRow }: Pick<SegmentRow, "name" | "isRow">,
): SegmentReader {
  if (!isRow) return new SegmentReader(storage.open(name), name);
  const body = catalog.segments.body(name);
  if (body === undefined) throw damagedFile(name);
  return new SegmentReader(memoryFile(body, name), name);
}

/**
 * The same for who reads all of it, with one read, and verifies it as a whole: asking the system for each posting
 * list by itself takes longer than folding the lists. Takes the memory of the whole segment.
 */
export function loadSegment(
  catalog: Catalog,
  storage: Storage,
  { name, isRow }: Pick<SegmentRow, "name" | "isRow">,
): SegmentReader {
  const bytes = isRow ? catalog.segments.body(name) : readWhole(storage, name);
  if (bytes === undefined) throw damagedFile(name);
  return new SegmentReader(memoryFile(bytes, name), name, { whole: true });
}

function readWhole(storage: Storage, name: string): Uint8Array {
  const file = storage.open(name);
  try {
    return file.read(0, file.sizeBytes);
  } finally {
    file.close();
  }
}
