// What scoring reads of one version of an index: its segments, as one sequence of chunks and files. A backend
// implements it; nothing here depends on how a segment is stored.

import type { VectorBlock } from "../../embed/vector-arena.ts";
import type { PostingList } from "../coding/posting-list.ts";
import type { ChunkFacts, FileFacts } from "../types.ts";

/** A term of a segment. */
export interface TermEntry {
  readonly term: string;
  /**
   * Number of documents of each field, 0 if it does not contain the term: `body`, `names` and `path` first, then those
   * of the backend.
   */
  readonly counts: readonly number[];
}

/** One segment: files with their chunks and terms. Numbers of files and chunks count from 0 in the segment. */
export interface ScoredSegment {
  readonly directory: {
    /** Sum of the lengths of all chunks, in terms. */
    readonly totals: Readonly<Record<"body" | "names", number>>;
    /** Id of the embedding table of the vectors; "" if there are none. */
    readonly embedder: string;
    readonly vectorCount: number;
    /** Languages by their number in `facts`. */
    readonly languages: readonly string[];
  };
  readonly dictionary: {
    /** Undefined if no document has the term. */
    lookup(term: string): TermEntry | undefined;
    listsOf(entry: TermEntry): Readonly<Record<"body" | "names" | "path", PostingList>>;
  };
  /** Number of chunks. */
  readonly chunks: number;
  /** Number of files. */
  readonly files: number;
  /** Size of all vectors in bytes. */
  readonly vectorsLength: number;
  /** Returns the length code of every chunk's text. */
  bodyCodes(): Uint8Array;
  /** Returns the length code of the names in every chunk. */
  namesCodes(): Uint8Array;
  /**
   * Returns one number per file: of its first chunk, of its first vector plus 1 (0 without vectors), or its
   * packed facts.
   */
  column(name: "firstChunk" | "firstVector" | "facts"): Uint32Array;
  /** Returns the first chunk of a file, and the one after its last. */
  chunkRange(file: number): readonly [number, number];
  /** Returns the file of every chunk. */
  filesOfChunks(): Uint32Array;
  file(file: number): FileFacts;
  path(file: number): string;
  chunksOf(file: number): readonly ChunkFacts[];
}

/** A live segment and the offsets of its chunks and files in the whole index. */
export interface ScoredView<Segment extends ScoredSegment = ScoredSegment> {
  /** Id in the catalogue. */
  readonly id: number;
  readonly reader: Segment;
  /** 1 for each deleted or replaced file. */
  readonly tombstones: Uint8Array;
  /** Number of its first chunk in the whole index. */
  readonly chunkBase: number;
  /** Number of its first file in the whole index. */
  readonly fileBase: number;
}

/** The vectors of segments in memory, ready for comparison with a query. */
export interface SegmentVectors<Segment extends ScoredSegment = ScoredSegment> {
  /** Returns all vectors of a segment, which must have vectors of this dimension. */
  allOf(segment: Segment, dimensions: number): VectorBlock;
  /** Returns some vectors of a segment; valid until the next call. */
  someOf(segment: Segment, from: number, count: number, dimensions: number): VectorBlock;
}

/** The segments of one generation. They do not change. */
export interface ScoredSegments<Segment extends ScoredSegment = ScoredSegment> {
  readonly segments: readonly ScoredView<Segment>[];
  /** Number of chunks in all segments, including those of deleted files. */
  readonly chunks: number;
  /** Number of files in all segments, including deleted ones. */
  readonly files: number;
  readonly vectors: SegmentVectors<Segment>;
  /** Returns the length of each file in terms. */
  fileLengths(): Uint32Array;
}

/** Assigns consecutive chunk and file offsets to segments. */
export function viewsOf<Segment extends ScoredSegment>(
  opened: readonly Pick<ScoredView<Segment>, "id" | "reader" | "tombstones">[],
): readonly ScoredView<Segment>[] {
  let chunkBase = 0;
  let fileBase = 0;
  return opened.map(({ id, reader, tombstones }) => {
    const view = { id, reader, tombstones, chunkBase, fileBase };
    chunkBase += reader.chunks;
    fileBase += reader.files;
    return view;
  });
}
