// Applies a transaction of a writer to the state of an index.

import type { FileVersion, FlushPlan } from "../change-log/change-event.ts";
import { flushChanges } from "../change-log/flush-changes.ts";
import { recordFile, recordRemoval } from "../change-log/record-version.ts";
import { computeRanks } from "../pagerank/project-ranks.ts";
import { carriedCodes } from "../pagerank/stale-ranks.ts";
import type { ShardCount } from "../shards/shard-count.ts";
import type { FileState } from "../types.ts";
import { namesUsedIn } from "../references/use-order.ts";
import { IndexContents } from "./contents.ts";
import type { FileCodes, IndexState } from "./index-state.ts";
import type { IndexedContent } from "./indexed-content.ts";

/** The next state of a file. */
export interface NextFile {
  readonly state: FileState;
  /** Undefined if its content is not indexed. */
  readonly content: IndexedContent | undefined;
  /** Defined if the file is complete. */
  readonly version: FileVersion | undefined;
}

/** Changes that create no new version. */
export interface QuietChanges {
  /** States of files with unchanged content. */
  readonly touched: readonly FileState[];
  readonly notes: ReadonlyMap<string, string>;
}

/**
 * Returns the next generation. `next`: changed files by path; null if they are removed. With `plan`, also flushes the
 * change log.
 */
export function withFiles(
  before: IndexState,
  next: ReadonlyMap<string, NextFile | null>,
  plan: FlushPlan | undefined,
): IndexState {
  const at = Math.max(before.at + 1, before.firstAt);
  const states = new Map(before.states);
  const contents = new Map(before.contents.byPath);
  const ranks = new Map(before.ranks);
  const changeLog = before.changeLog.copy();
  for (const [path, file] of next) {
    const carried = carriedRanks(before, path, file?.content);
    states.delete(path);
    contents.delete(path);
    ranks.delete(path);
    if (file === null) {
      recordRemoval(changeLog, path);
      continue;
    }
    states.set(path, file.state);
    if (file.content !== undefined) contents.set(path, file.content);
    if (carried !== undefined) ranks.set(path, carried);
    recordFile(changeLog, file.state, file.version);
  }
  if (plan !== undefined) flushChanges(changeLog, plan, { generation: at, atMs: Date.now() });
  return {
    ...before,
    at,
    indexedAt: new Date().toISOString(),
    states,
    contents: new IndexContents(contents),
    ranks,
    staleCount: before.staleCount + next.size,
    changeLog,
  };
}

/** A changed file keeps its ranks until PageRank is recomputed. */
function carriedRanks(
  { ranks, contents }: IndexState,
  path: string,
  now: IndexedContent | undefined,
): FileCodes | undefined {
  const codes = ranks.get(path);
  const before = contents.byPath.get(path);
  if (codes === undefined || before === undefined || now === undefined) return undefined;
  const codeOf = (symbol: number): number => codes.symbols[symbol] ?? 0;
  return { file: codes.file, symbols: carriedCodes(before.symbols, codeOf, now.symbols) };
}

export function withQuietChanges(before: IndexState, { touched, notes }: QuietChanges): IndexState {
  const states = new Map(before.states);
  for (const state of touched) if (states.has(state.path)) states.set(state.path, state);
  return { ...before, states, notes: new Map([...before.notes, ...notes]) };
}

/** Returns the state with as many shards as its chunks need. */
export function withShards(before: IndexState, shardCount: ShardCount | undefined): IndexState {
  if (shardCount === undefined) return before;
  return { ...before, shards: shardCount(before.contents.chunks, before.shards) };
}

/** Returns the state with the ranks of all files whose content is indexed. */
export function withRanks(before: IndexState): IndexState {
  // Sums depend on their order, which must be that of every backend.
  const contents = [...before.contents.byPath.values()].toSorted(
    ({ facts: { path: one } }, { facts: { path: other } }) =>
      Number(one > other) - Number(one < other),
  );
  const codes = computeRanks(
    contents.map(({ facts, symbols, references }) => ({
      facts,
      symbolCount: symbols.length,
      symbols: () => symbols,
      namesUsed: () => namesUsedIn(references),
      imports: () => references.imports,
    })),
  );
  const ranks = new Map<string, FileCodes>();
  let symbol = 0;
  for (const [file, { facts, symbols }] of contents.entries()) {
    const ofSymbols = codes.symbols.subarray(symbol, symbol + symbols.length);
    ranks.set(facts.path, { file: codes.files[file] ?? 0, symbols: [...ofSymbols] });
    symbol += symbols.length;
  }
  return { ...before, ranks, rankVersion: before.rankVersion + 1, staleCount: 0 };
}

/**
 * Vectors of two embedding tables cannot be compared. Returns the state with every file back at the stage "words", so
 * that it is read again, and without notes, which may record that indexing is complete.
 */
export function withOtherEmbedder(before: IndexState, embedder: string): IndexState {
  const states = new Map(before.states);
  for (const path of before.contents.byPath.keys()) {
    const state = states.get(path);
    if (state?.stage === "complete") states.set(path, { ...state, stage: "words" });
  }
  return { ...before, states, embedder, notes: new Map() };
}
