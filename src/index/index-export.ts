// How the index of one machine becomes the base of indexes on others.

import type { AuthorizedNamespace } from "../base/authorized-namespace.ts";
import type { ExportedIndex } from "../base/exported-index.ts";

/** A part of a segment. */
export interface SegmentPart {
  readonly bytes: Uint8Array;
  /** Size of the segment. */
  readonly total: number;
}

/** Gives out indexes as they are stored. Methods throw INDEX_UNAVAILABLE for a damaged index. */
export interface IndexExports {
  /** Changes with each version; undefined without an index. */
  readonly version: (namespace: AuthorizedNamespace) => Promise<string | undefined>;
  /** Throws INDEX_EMPTY without an index, and INDEX_UNAVAILABLE for one that others cannot use. */
  readonly list: (namespace: AuthorizedNamespace) => Promise<ExportedIndex>;
  /** Returns up to `length` bytes; undefined if the index does not have the segment, or not any more. */
  readonly part: (
    namespace: AuthorizedNamespace,
    segment: string,
    range: { readonly offset: number; readonly length: number },
  ) => Promise<SegmentPart | undefined>;
}

/** An index of another machine. Methods throw REMOTE_UNAVAILABLE, and what the machine answers. */
export interface IndexOffer {
  /** Description for people: "project at https://svc.example.org". */
  readonly name: string;
  /** Returns the list with its version; undefined if that version is `known`. */
  readonly list: (
    known: string | undefined,
    signal: AbortSignal,
  ) => Promise<{ readonly version: string; readonly index: ExportedIndex } | undefined>;
  /** Returns bytes from `offset` on, up to the end of the segment; undefined if there is no such segment any more. */
  readonly part: (
    segment: string,
    range: { readonly offset: number; readonly end: number },
    signal: AbortSignal,
  ) => Promise<Uint8Array | undefined>;
  readonly close: () => Promise<void>;
}
