// The interface of a backend whose indexes can be read shard by shard. Each shard has the content of some files; what
// the catalogue says (rows, notes, change log, summary) is the same in all of them.

import type { AuthorizedNamespace } from "../../base/authorized-namespace.ts";
import type { IndexBackend, IndexReader, ReadOptions } from "../port.ts";
import type { CandidateShard } from "../scoring/candidate-shard.ts";
import type { TermDocuments } from "../scoring/term-documents.ts";
import type { NumberedFiles } from "../scoring/numbered-files.ts";

/**
 * Reads one shard. Methods that search content, or read that of a file, answer for the files of the shard alone; the
 * others for the whole index. Files that are only listed are text candidates of every shard.
 */
export interface ShardReader extends IndexReader {
  /** Number of shards of this version. */
  readonly shards: number;
  /** Returns the shard with the content of a file; undefined if its content is not indexed. */
  readonly shardOf: (path: string) => Promise<number | undefined>;
  /** Returns the number of documents with each of these terms. */
  readonly termDocuments: (terms: readonly string[]) => Promise<readonly TermDocuments[]>;
  /** Begins a search for files with these distinct terms: see `findCandidates`. */
  readonly beginSearch: (terms: readonly string[]) => CandidateShard;
  /** The files of this shard, by the numbers that a search uses. */
  readonly files: NumberedFiles;
}

/** A search that a shard is about to begin. */
export interface SearchToBegin {
  readonly namespace: AuthorizedNamespace;
  readonly number: number;
  readonly reader: ShardReader;
  /** Options of the reader. */
  readonly options: ReadOptions;
  readonly terms: readonly string[];
  /** True after a `RepeatSearch`. */
  readonly isRepeated: boolean;
}

/** Opens the shards of an index, on this machine or another one. */
export interface Shards {
  /** Returns the number of shards of the newest version; undefined if nothing has been written yet. */
  readonly shardCount: (namespace: AuthorizedNamespace) => Promise<number | undefined>;
  /**
   * Undefined if nothing has been written yet, or there is no shard of this number, from 0. Throws BACKEND_UNAVAILABLE
   * if the shard cannot be reached now.
   */
  readonly shard: (
    namespace: AuthorizedNamespace,
    number: number,
    options?: ReadOptions,
  ) => Promise<ShardReader | undefined>;
  /**
   * Begins a search for files in a shard; by default its reader does. Another machine may search in place of the reader:
   * if a call of it throws `RepeatSearch`, the whole search begins again.
   */
  readonly beginSearch?: (search: SearchToBegin) => CandidateShard;
}

/** A backend whose indexes can be read as a whole, or shard by shard. */
export interface ShardableBackend extends IndexBackend, Shards {}
