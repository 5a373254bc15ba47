import { randomUUID } from "node:crypto";

import { markAfter } from "../fence.ts";
import { countingFile, NO_FILES, type FileTotals } from "../file-totals.ts";
import type { FileRow, FileState } from "../types.ts";
import { MemoryChangeLog } from "./change-log.ts";
import { IndexContents } from "./contents.ts";

/** All of an index at one moment. Never changes: a commit replaces it. */
export interface IndexState {
  readonly epoch: string;
  /** Generation; 0 until the first commit. */
  readonly at: number;
  /** Number of the first generation of this epoch: the change log may have those of an earlier one. */
  readonly firstAt: number;
  /** Time of the last commit, ISO 8601; null before the first. */
  readonly indexedAt: string | null;
  readonly states: ReadonlyMap<string, FileState>;
  readonly contents: IndexContents;
  /** Number of shards that the content is divided into. */
  readonly shards: number;
  readonly ranks: ReadonlyMap<string, FileCodes>;
  /** How often PageRank has been computed. */
  readonly rankVersion: number;
  /** Number of files changed since then. */
  readonly staleCount: number;
  /** Id of the embedding table of the last writer; "" if it had none. */
  readonly embedder: string;
  readonly notes: ReadonlyMap<string, string>;
  /** The mark of the last writer that wrote: see `Fence`. */
  readonly fenceMark: string | undefined;
  readonly changeLog: MemoryChangeLog;
}

/** The ranks of a file and of its symbols: see `rankCode`. */
export interface FileCodes {
  readonly file: number;
  readonly symbols: readonly number[];
}

/** Returns an index without files. It keeps the change log of the one before, and refuses its writers. */
export function emptyState(before?: IndexState): IndexState {
  return {
    epoch: randomUUID(),
    at: 0,
    firstAt: (before?.at ?? 0) + 1,
    indexedAt: null,
    states: new Map(),
    contents: new IndexContents(new Map()),
    shards: 1,
    ranks: new Map(),
    rankVersion: 0,
    staleCount: 0,
    embedder: "",
    notes: new Map(),
    fenceMark: before && markAfter(before.fenceMark),
    changeLog: before?.changeLog ?? new MemoryChangeLog(),
  };
}

/** Returns the row of a file; undefined if the index does not list it. */
export function rowOf({ states, contents }: IndexState, path: string): FileRow | undefined {
  const state = states.get(path);
  return state && { ...state, hasContent: contents.byPath.has(path) };
}

/** Returns all rows, ordered by the UTF-8 bytes of their paths. */
export function rowsOf({ states, contents }: IndexState): readonly FileRow[] {
  return [...states.values()]
    .map((state) => ({ ...state, hasContent: contents.byPath.has(state.path) }))
    .toSorted((one, other) => Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)));
}

export function totalsOf(state: IndexState): FileTotals {
  return rowsOf(state).reduce((sum, row) => countingFile(sum, row, row.hasContent, 1), NO_FILES);
}
