import type { Catalog } from "./catalog.ts";
import { SegmentReader, type ChunkFacts, type FileFacts } from "./segment-reader.ts";
import type { Storage } from "./storage.ts";

/** A live segment with the place of its documents in the whole index. */
export interface SegmentView {
  readonly reader: SegmentReader;
  /** 1 for each file that a later segment replaced. */
  readonly dead: Uint8Array;
  readonly chunkBase: number;
  readonly fileBase: number;
}

/** The state of one generation. It never changes; a search works on one from beginning to end. */
export interface Snapshot {
  readonly generation: number;
  readonly segments: readonly SegmentView[];
  readonly chunks: number;
  readonly files: number;
}

interface Located {
  readonly view: SegmentView;
  /** Number of the chunk within its segment. */
  readonly chunk: number;
}

/** Finds the segment of a chunk numbered over the whole index. */
function locate(snapshot: Snapshot, chunk: number): Located {
  const view = snapshot.segments.findLast(({ chunkBase }) => chunkBase <= chunk);
  if (view === undefined) throw new RangeError(`no chunk ${chunk}`);
  return { view, chunk: chunk - view.chunkBase };
}

export function factsOf(snapshot: Snapshot, chunk: number): { chunk: ChunkFacts; file: FileFacts } {
  const at = locate(snapshot, chunk);
  return {
    chunk: at.view.reader.chunk(at.chunk),
    file: at.view.reader.file(at.view.reader.filesOfChunks()[at.chunk] ?? 0),
  };
}

/** Follows the generations of a namespace: gives the newest snapshot, reopening only what is new. */
export class SnapshotSource {
  readonly #catalog: Catalog;
  readonly #storage: Storage;
  #readers = new Map<string, SegmentReader>();
  #dataVersion = -1;
  #snapshot: Snapshot | undefined;

  constructor(catalog: Catalog, storage: Storage) {
    this.#catalog = catalog;
    this.#storage = storage;
  }

  current(): Snapshot {
    const dataVersion = this.#catalog.dataVersion();
    if (this.#snapshot !== undefined && dataVersion === this.#dataVersion) return this.#snapshot;
    const snapshot = this.#loadAgain();
    this.#dataVersion = dataVersion;
    this.#snapshot = snapshot;
    return snapshot;
  }

  close(): void {
    for (const reader of this.#readers.values()) reader.close();
    this.#readers.clear();
  }

  /** A writer may retire a segment between our reading of the list and the opening of its files. */
  #loadAgain(): Snapshot {
    try {
      return this.#load();
    } catch (thrown) {
      if (this.#catalog.generation() === this.#snapshot?.generation) throw thrown;
      return this.#load();
    }
  }

  #load(): Snapshot {
    const { generation, rows } = this.#catalog.snapshot(() => ({
      generation: this.#catalog.generation(),
      rows: this.#catalog.segments(),
    }));
    const readers = new Map<string, SegmentReader>();
    const segments: SegmentView[] = [];
    let chunkBase = 0;
    let fileBase = 0;
    for (const row of rows) {
      const reader = this.#readers.get(row.name) ?? new SegmentReader(this.#storage, row.name);
      readers.set(row.name, reader);
      segments.push({ reader, dead: row.dead, chunkBase, fileBase });
      chunkBase += reader.chunks;
      fileBase += reader.files;
    }
    for (const [name, reader] of this.#readers) if (!readers.has(name)) reader.close();
    this.#readers = readers;
    return { generation, segments, chunks: chunkBase, files: fileBase };
  }
}
