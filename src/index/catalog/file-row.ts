// What the catalogue knows of a file.

import type { SQLOutputValue } from "node:sqlite";

import type { SqlValue } from "../../base/row-sum.ts";
import { FILE_ROLES, type Role } from "../segment/format.ts";

/**
 * How far a file is: found by the scan; its words, trigrams and the definitions its lines show; its
 * syntax, and the vectors of its chunks. The last stage of a file is the one that is right for its
 * language and size.
 */
export const STAGES = ["listed", "words", "complete"] as const;
export type FileStage = (typeof STAGES)[number];

export interface FileRow {
  readonly path: string;
  readonly source: number;
  readonly size: number;
  /** As the file system gives it, with its fraction: to a quarter of a microsecond. */
  readonly mtimeMs: number;
  readonly inode: number;
  /** The first 128 bits of the content's SHA-256, in hex; "" while it has not been read. */
  readonly hash: string;
  /** When the file was read: one written in the same moment must be read again. */
  readonly indexedMs: number;
  /** "" where it is not known. */
  readonly language: string;
  readonly role: Role;
  /** FileFlag bits. */
  readonly flags: number;
  readonly stage: FileStage;
  readonly segment: number | null;
  readonly ordinal: number | null;
  readonly chunks: number;
  readonly symbols: number;
  readonly skipped: string | null;
  /** Why the grammar of its language was not used (src/parse/parse-problems.ts). */
  readonly problem?: FileProblem;
}

export interface FileProblem {
  readonly reason: string;
  /** The version of svc that met it: another one tries again. */
  readonly by: string;
}

export interface Totals {
  readonly files: number;
  readonly chunks: number;
  readonly symbols: number;
  readonly bytes: number;
}

/** A row of `SELECT * FROM file`, in the order of the table's columns. */
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

/** Its first columns, in their order: all but those that say where its content is. */
export function factsOf(row: FileRow): readonly SqlValue[] {
  const { path, source, size, mtimeMs, inode, hash, indexedMs, language } = row;
  const facts = [FILE_ROLES.indexOf(row.role), row.flags, STAGES.indexOf(row.stage)];
  const counts = [row.chunks, row.symbols];
  const problems = [row.skipped, row.problem?.reason ?? null, row.problem?.by ?? null];
  const read = [path, source, size, mtimeMs, inode, hash, indexedMs, language];
  return [...read, ...facts, ...counts, ...problems];
}
