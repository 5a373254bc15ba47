import type { ScoredSegments, ScoredView } from "../../scoring/scored-segments.ts";
import type { SegmentReader } from "./segment-reader.ts";

/** A live segment and the offsets of its chunks and files in the whole index. */
export type SegmentView = ScoredView<SegmentReader>;

/** The segments of one generation. They do not change. */
export type LiveSegments = ScoredSegments<SegmentReader>;
