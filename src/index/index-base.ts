// How an index starts from that of another namespace, whose files have mostly the same content.

import type { IndexOffer } from "./index-export.ts";
import type { FileState } from "./types.ts";

/** An index starts from another one only with this share of equal files: of fewer, most of what is shared would be dead. */
export const MIN_SAME_SHARE = 0.5;

/** The proof that an index has of a file's content. */
export type KnownContent = Pick<FileState, "size" | "hash">;

/** A file that was read, with the times that show later changes. */
export interface ProvenContent extends Pick<FileState, "mtimeMs" | "inode" | "indexedMs"> {
  /** The first 128 bits of the content's SHA-256, in hex. */
  readonly hash: string;
}

/** The sources and files of the new index. */
export interface IndexStart {
  /** Id of its only source. */
  readonly source: number;
  /** The content of files of the source, by path: those with this content in the base are taken from it. */
  readonly contents: ReadonlyMap<string, ProvenContent>;
  /** The paths of all files that the source has. */
  readonly paths: readonly string[];
  /** Returns the state of a file that is not taken from the base: listed, to be read. */
  readonly listed: (path: string) => FileState;
  /** Notes of the new index, given the number of files that were taken. It has no others. */
  readonly notes: (same: number) => ReadonlyMap<string, string>;
}

/** An index that another one can start from. */
export interface IndexBase {
  /** Where it was fetched from, for people; undefined for an index of this machine. */
  readonly offer: string | undefined;
  /** The files whose content it has complete, by path. */
  readonly files: ReadonlyMap<string, KnownContent>;
  /**
   * Creates the index of a namespace that has none, complete or not at all. The two share the parts with the content of
   * files; neither changes the other. Returns the number of files that were taken from the base; undefined if someone
   * else writes one of them, or the base is damaged or has changed.
   */
  readonly start: (namespace: string, start: IndexStart) => Promise<number | undefined>;
  readonly close: () => void;
}

export interface FetchOptions {
  /** Id of the embedding table that the index must have; "" for none. */
  readonly embedder: string;
  readonly signal: AbortSignal;
  readonly onProgress?: ((bytes: number, total: number) => void) | undefined;
}

/** The result of a fetch. */
export interface FetchedIndex {
  /** Bytes of segments that were not there before. */
  readonly fetchedBytes: number;
}

export interface IndexBases {
  /** Whether a namespace has no index, not even an unfinished one. */
  readonly isNew: (namespace: string) => boolean;
  /**
   * Opens the index of a namespace as a base for indexes with this embedding table ("" for none). Undefined without a
   * usable one: it must be intact as far as was noticed, of the current form, and without facts of compilers.
   */
  readonly open: (namespace: string, embedder: string) => Promise<IndexBase | undefined>;
  /**
   * Fetches the index of another machine as a base for that of a namespace, in place of the one that was fetched before.
   * Only what is not there yet is transferred. Throws INDEX_UNAVAILABLE if it cannot be used, STORAGE_FULL, and what the
   * offer throws; then what was fetched before stays.
   */
  readonly fetchOffer: (
    namespace: string,
    offer: IndexOffer,
    options: FetchOptions,
  ) => Promise<FetchedIndex>;
  /** Opens what was fetched for a namespace, as `open` does. */
  readonly openFetched: (namespace: string, embedder: string) => Promise<IndexBase | undefined>;
}
