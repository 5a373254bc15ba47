// The catalogue's row of a file.

import type { SQLOutputValue } from "node:sqlite";

import type { SqlValue } from "../../base/row-sum.ts";
import { FILE_ROLES, type Role } from "../segment/format.ts";

/**
 * The indexing stage of a file. "listed": the scan has found it. "words": its terms, trigrams and the
 * definitions that lines show are indexed. "complete": so are its syntax and the vectors of its chunks. A
 * file's language and size decide its final stage.
 */
export const STAGES = ["listed", "words", "complete"] as const;
export type FileStage = (typeof STAGES)[number];

export interface FileRow {
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
  /** Id of the segment with its content; null if it is not indexed. */
  readonly segment: number | null;
  /** Index in that segment. */
  readonly ordinal: number | null;
  /** Number of chunks. */
  readonly chunks: number;
  /** Number of symbols. */
  readonly symbols: number;
  /** Reason why the content is not indexed; null if it is, or will be. */
  readonly skipped: string | null;
  /** Why the grammar of its language was not used (src/parse/parse-problems.ts). */
  readonly problem?: FileProblem;
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

/** Converts a row of `SELECT * FROM file`, in column order. */
export function toFileRow(row: readonly SQLOutputValue[]): FileRow {
  const [path, source, size, mtimeMs, inode, hash, indexedMs, language, role, flags] = row;
  const [stage, chunks, symbols, skipped, problem, by, segment, ordinal] = row.slice(10);
  return {
    path: String(path),
    source: Number(source),
    size: Number(size),
    mtimeMs: Number(mtimeMs),
    inode: Number(inode),
    hash: String(hash),
    indexedMs: Number(indexedMs),
    language: String(language),
    role: FILE_ROLES[Number(role)] ?? "code",
    flags: Number(flags),
    stage: STAGES[Number(stage)] ?? "listed",
    segment: segment === null ? null : Number(segment),
    ordinal: ordinal === null ? null : Number(ordinal),
    chunks: Number(chunks),
    symbols: Number(symbols),
    skipped: typeof skipped === "string" ? skipped : null,
    ...(typeof problem === "string" ? { problem: { reason: problem, by: String(by) } } : {}),
  };
}

/** The row's first columns, in order: all except the location of the content. */
export function factsOf(row: FileRow): readonly SqlValue[] {
  const { path, source, size, mtimeMs, inode, hash, indexedMs, language } = row;
  const facts = [FILE_ROLES.indexOf(row.role), row.flags, STAGES.indexOf(row.stage)];
  const counts = [row.chunks, row.symbols];
  const problems = [row.skipped, row.problem?.reason ?? null, row.problem?.by ?? null];
  const read = [path, source, size, mtimeMs, inode, hash, indexedMs, language];
  return [...read, ...facts, ...counts, ...problems];
}
