// The interface between answers and the texts of files, wherever those are. The index stores no text: answers read it
// here, so they never quote an old version.

import type { AuthorizedNamespace } from "../../base/authorized-namespace.ts";
import type { SvcError } from "../../base/errors.ts";
import type { Source } from "../registry/records.ts";
import type { KnownFile, SourceText } from "./source-text.ts";

/**
 * Why a file has no text: it is gone, unreadable, or not a regular file; its path leads out of its source; another
 * folder is at the root of its source; it has more than MAX_TEXT_BYTES; it is a document that no indexing run has read.
 */
export interface TextProblem {
  readonly problem: "gone" | "outside" | "root-changed" | "too-large" | "not-read";
  /** What to tell the caller who asked for exactly this file; undefined for one that is gone. */
  readonly error?: SvcError | undefined;
  /** As that of a text; "" if the file could not be opened. */
  readonly stamp: string;
}

export type TextResult = SourceText | TextProblem;

/** Reads the text of a file that was prefetched, as `TextReader.read` does. */
export type ReadNow = (path: string) => TextResult;

/** Reads the texts of one namespace, for one query. */
export interface TextReader {
  /**
   * Reads the current text of a file, or says why it has none. `path` is the path in the namespace. With `known`, the
   * text says whether it has changed since.
   */
  readonly read: (path: string, known?: KnownFile) => Promise<TextResult>;
  /** Gets these files ready. Returns what reads them without waiting, also later; of other files it may find no text. */
  readonly prefetch: (paths: readonly string[]) => Promise<ReadNow>;
  /** Returns the stamp of a file without reading it; "" if it cannot be opened. */
  readonly stampOf: (path: string) => Promise<string>;
}

/** Keeps what queries cannot read from the sources: the texts of documents, and all contents for other machines. */
export interface TextArchive {
  /** Whether it keeps the contents of all files; else only the texts of documents. */
  readonly keepsFiles: boolean;
  /**
   * `hash`: the first 128 bits of the content's SHA-256, in hex. `bytes`: the content, or the encoded text of a document;
   * they are only read during the call.
   */
  readonly keep: (hash: string, bytes: Buffer) => void;
  /** Returns what was kept, also by an earlier run; undefined if nothing was. */
  readonly find: (hash: string) => Promise<Buffer | undefined>;
  /** Whether what was kept is so much that it should be stored soon. */
  readonly isFull: boolean;
  /** Stores what was kept. Call it before the commit that lets queries find these files. */
  readonly flush: () => Promise<void>;
  /** Deletes contents that no file has any more. `hashesOf` returns those of all files; it is not called if nothing is kept. */
  readonly collect: (hashesOf: () => Promise<ReadonlySet<string>>) => Promise<void>;
}

/** The texts of all namespaces. */
export interface TextStore {
  /** Opens no file before the first read. A folder at the root of a source is checked once for all reads. */
  readonly open: (namespace: AuthorizedNamespace, sources: readonly Source[]) => TextReader;
  readonly archiveOf: (namespace: string) => TextArchive;
}

/** Larger files are not read. The index takes smaller ones only; some that it leaves out can still be read. */
export const MAX_TEXT_BYTES = 4 << 20;
