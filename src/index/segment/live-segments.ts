// What scoring reads of one generation of an index: its segments, as one sequence of chunks and files.

import type { SegmentReader } from "./segment-reader.ts";
import type { VectorStore } from "./vector-store.ts";

/** A live segment and the offsets of its chunks and files in the whole index. */
export interface SegmentView {
  /** Id in the catalogue. */
  readonly id: number;
  readonly reader: SegmentReader;
  /** 1 for each deleted or replaced file. */
  readonly tombstones: Uint8Array;
  /** Number of its first chunk in the whole index. */
  readonly chunkBase: number;
  /** Number of its first file in the whole index. */
  readonly fileBase: number;
}

/** The segments of one generation. They do not change. */
export interface LiveSegments {
  readonly segments: readonly SegmentView[];
  /** Number of chunks in all segments, including those of deleted files. */
  readonly chunks: number;
  /** Number of files in all segments, including deleted ones. */
  readonly files: number;
  readonly vectors: VectorStore;
  /** Returns the length of each file in terms. */
  fileLengths(): Uint32Array;
}
