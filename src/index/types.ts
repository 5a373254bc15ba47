// The values that an index takes and returns, for any backend. Stored forms of them belong to the backends.

import type { AccessLevel } from "../parse/languages/definition-rules.ts";
import type { FileReferences } from "../parse/references/references.ts";

export const FILE_ROLES = ["code", "tests", "docs", "config"] as const;
export type Role = (typeof FILE_ROLES)[number];

export const CHUNK_KINDS = [
  "text",
  "section",
  "function",
  "method",
  "class",
  "type",
  "constant",
  "module",
  "field",
] as const;
export type ChunkKind = (typeof CHUNK_KINDS)[number];

/** The order is stored: a segment holds the index of a level in this list. */
export const ACCESS_LEVELS = [
  "exported",
  "internal",
  "private",
] as const satisfies readonly AccessLevel[];

/** Facts about a file for ranking, as bits. Those from bit 4 on say that it has no secret: see masked-texts.ts. */
export const FileFlag = { generated: 1, example: 2, vendored: 4 } as const;

/** The facts about a file that filters and ranking use. */
export interface FileFacts {
  readonly path: string;
  /** "" if unknown. */
  readonly language: string;
  readonly role: Role;
  /** FileFlag bits. */
  readonly flags: number;
}

/** One chunk. Lines are 1-based and inclusive. */
export interface ChunkFacts {
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: ChunkKind;
  /** Qualified name of the first definition; "" if there is none. */
  readonly symbol: string;
  /** Names of the definitions in it. */
  readonly names: readonly string[];
}

/** A definition. Lines are 1-based and inclusive. */
export interface SymbolFacts {
  readonly name: string;
  readonly qualifiedName: string;
  readonly kind: ChunkKind;
  /** The scope in which it can be used. */
  readonly access: AccessLevel;
  /** Line of its first comment or attribute, if it has any. */
  readonly startLine: number;
  readonly endLine: number;
  /** Line of its name. */
  readonly nameLine: number;
}

/** The chunks and symbols of a file. */
export interface Outline {
  /** In line order, without overlap. */
  readonly chunks: readonly ChunkFacts[];
  /** A definition comes before its inner ones. */
  readonly symbols: readonly SymbolFacts[];
}

/** One file to index. */
export interface FileInput extends Outline {
  readonly references: FileReferences;
  readonly path: string;
  /** "" if unknown. */
  readonly language: string;
  readonly role: Role;
  /** FileFlag bits. */
  readonly flags: number;
  /** The text in UTF-8, with line feeds as line ends. Read only during `add`. */
  readonly bytes: Buffer;
  /**
   * Text for words and vectors, with the same lines as `bytes`; undefined if it is the text itself. Secrets are masked
   * in it, so that no query finds one, and pages of documentation have no tags. Read only during `add`.
   */
  readonly maskedBytes?: Buffer | undefined;
  /** Whether its chunks get vectors. Chunks that will soon be replaced need none. */
  readonly isFinal: boolean;
}

/** The references of a file in the form in which an index stores them: see `encodeReferences`. */
export interface EncodedReferences {
  readonly block: Uint8Array;
  /** See `usedTerms`. */
  readonly terms: readonly string[];
}

/** A file whose references another thread has encoded. */
export interface EncodedFileInput extends Omit<FileInput, "references"> {
  readonly references: EncodedReferences;
}

/**
 * The indexing stage of a file. "listed": the scan has found it. "words": its terms, trigrams and the
 * definitions that lines show are indexed. "complete": so are its syntax and the vectors of its chunks. A
 * file's language and size decide its final stage.
 */
export const STAGES = ["listed", "words", "complete"] as const;
export type FileStage = (typeof STAGES)[number];

/** The state of a file as a caller supplies it. */
export interface FileState {
  /** Path in the namespace, including the prefix of its source. */
  readonly path: string;
  /** Id of its source in the registry. */
  readonly source: number;
  /** Size in bytes. */
  readonly size: number;
  /** Milliseconds since 1970 with a fraction, as the file system reports it: to a quarter of a microsecond. */
  readonly mtimeMs: number;
  readonly inode: number;
  /** The first 128 bits of the content's SHA-256, in hex; "" until it has been read. */
  readonly hash: string;
  /** Time of reading in milliseconds since 1970. A file that was written at the same time must be read again. */
  readonly indexedMs: number;
  /** "" if unknown. */
  readonly language: string;
  readonly role: Role;
  /** FileFlag bits. */
  readonly flags: number;
  readonly stage: FileStage;
  /** Number of chunks. */
  readonly chunks: number;
  /** Number of symbols. */
  readonly symbols: number;
  /** Reason why the content is not indexed; null if it is, or will be. */
  readonly skipped: string | null;
  /** Why the grammar of its language was not used (src/parse/parse-problems.ts). */
  readonly problem?: FileProblem;
}

/** The state of a file as the index returns it. */
export interface FileRow extends FileState {
  /** Whether the index has the file's content. */
  readonly hasContent: boolean;
}

/** A failure of the grammar of a file's language. */
export interface FileProblem {
  readonly reason: string;
  /** The version of svc that had the problem; another version tries again. */
  readonly by: string;
}

/** Totals of the files whose content is indexed; `bytes` is their size. */
export interface Totals {
  readonly files: number;
  readonly chunks: number;
  readonly symbols: number;
  readonly bytes: number;
}
