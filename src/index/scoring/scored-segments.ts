// The parts of one version of an index that scoring reads: its segments, as one sequence of chunks and files.

import type { VectorBlock } from "../../embed/vector-arena.ts";
import { LiveDocuments } from "./live-documents.ts";
import type { ScoredSegment } from "./scored-segment.ts";

/** A live segment and the offsets of its chunks and files in the whole index. */
export interface ScoredView<Segment extends ScoredSegment = ScoredSegment> {
  /** Id in the catalogue. */
  readonly id: number;
  readonly reader: Segment;
  /** 1 for each deleted or replaced file. */
  readonly tombstones: Uint8Array;
  /** The documents without those files. */
  readonly live: LiveDocuments;
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

/** A segment and its tombstones. `live`: of the same ones, if they are known. */
type OpenedSegment<Segment extends ScoredSegment> = Pick<
  ScoredView<Segment>,
  "id" | "reader" | "tombstones"
> & { readonly live?: LiveDocuments | undefined };

/** Assigns consecutive chunk and file offsets to segments. */
export function viewsOf<Segment extends ScoredSegment>(
  opened: readonly OpenedSegment<Segment>[],
): readonly ScoredView<Segment>[] {
  let chunkBase = 0;
  let fileBase = 0;
  return opened.map(({ id, reader, tombstones, live = new LiveDocuments(reader, tombstones) }) => {
    const view = { id, reader, tombstones, live, chunkBase, fileBase };
    chunkBase += reader.chunks;
    fileBase += reader.files;
    return view;
  });
}
