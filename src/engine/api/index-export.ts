import type { ExportedIndex } from "../../base/exported-index.ts";
import type { SegmentPart } from "../../index/index-export.ts";
import type { EngineRequest } from "./request.ts";

/** A request for the index of a namespace. */
export type OfferRequest = Pick<EngineRequest, "principal"> & { readonly namespace: string };

export interface SegmentRequest extends OfferRequest {
  readonly segment: string;
  readonly offset: number;
  /** Maximum bytes to return. */
  readonly length: number;
}

/**
 * Gives out indexes to other machines. Methods throw NAMESPACE_NOT_FOUND, and INDEX_UNAVAILABLE for an index that cannot be
 * given out.
 */
export interface EngineExports {
  /** Changes with each version of the index. Throws INDEX_EMPTY. */
  readonly version: (request: OfferRequest) => Promise<string>;
  /** Throws INDEX_EMPTY. */
  readonly list: (request: OfferRequest) => Promise<ExportedIndex>;
  /** Undefined if the index does not have the segment, or not any more. */
  readonly part: (request: SegmentRequest) => Promise<SegmentPart | undefined>;
}
