// The catalogue's row of a file.

import type { SQLOutputValue } from "node:sqlite";

import type { SqlValue } from "../../../base/row-sum.ts";
import { FILE_ROLES, STAGES, type FileRow, type FileState } from "../../types.ts";

/** The location of a file's content. */
interface ContentPlace {
  /** Id of the segment with its content; null if it is not indexed. */
  readonly segment: number | null;
  /** Index in that segment. */
  readonly ordinal: number | null;
}

/** A row to store. */
export type PlacedFile = FileState & ContentPlace;

/** A row as it is read. */
export type StoredFileRow = FileRow & ContentPlace;

/** Converts a row of `SELECT * FROM file`, in column order. */
export function toFileRow(row: readonly SQLOutputValue[]): StoredFileRow {
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
    hasContent: segment !== null,
    segment: segment === null ? null : Number(segment),
    ordinal: ordinal === null ? null : Number(ordinal),
    chunks: Number(chunks),
    symbols: Number(symbols),
    skipped: typeof skipped === "string" ? skipped : null,
    ...(typeof problem === "string" ? { problem: { reason: problem, by: String(by) } } : {}),
  };
}

/** The row's first columns, in order: all except the location of the content. */
export function factsOf(row: FileState): readonly SqlValue[] {
  const { path, source, size, mtimeMs, inode, hash, indexedMs, language } = row;
  const facts = [FILE_ROLES.indexOf(row.role), row.flags, STAGES.indexOf(row.stage)];
  const counts = [row.chunks, row.symbols];
  const problems = [row.skipped, row.problem?.reason ?? null, row.problem?.by ?? null];
  const read = [path, source, size, mtimeMs, inode, hash, indexedMs, language];
  return [...read, ...facts, ...counts, ...problems];
}
