// The parts of a segment that scoring reads. A backend implements it; nothing here depends on how a segment is stored.

import type { PostingList } from "../coding/posting-list.ts";
import type { ChunkFacts, FileFacts } from "../types.ts";

/** A term of a segment. */
export interface TermEntry {
  readonly term: string;
  /**
   * Number of documents of each field, also of deleted files; 0 if it does not contain the term: `body`, `names` and
   * `path` first, then those of the backend.
   */
  readonly counts: readonly number[];
}

/** The posting lists of a term that scoring needs. */
export type LexicalLists = Readonly<Record<"body" | "names" | "path", PostingList>>;

/** One segment: files with their chunks and terms. Numbers of files and chunks count from 0 in the segment. */
export interface ScoredSegment {
  readonly directory: {
    readonly totals: {
      /** Sum of the lengths of all chunks, in terms. */
      readonly body: number;
    };
    /** Sum of the lengths of the names of all chunks, as their codes have them; undefined if it was not counted. */
    readonly codedNames?: number | undefined;
    /** Id of the embedding table of the vectors; "" if there are none. */
    readonly embedder: string;
    readonly vectorCount: number;
    /** Languages by their number in `facts`. */
    readonly languages: readonly string[];
  };
  readonly dictionary: {
    /** Undefined if no document has the term. */
    lookup(term: string): TermEntry | undefined;
    listsOf(entry: TermEntry): LexicalLists;
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
