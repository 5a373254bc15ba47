// The index after a kill at any moment of a run.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { expect } from "vitest";

import { NO_REFERENCES } from "../../../src/parse/references/references.ts";
import type { LocalRun } from "../../helpers/run-index.ts";
import type { Random } from "../../../bench/quality/random.ts";
import { reportedRandom } from "../../helpers/reported-random.ts";
import { PADDING } from "../../helpers/staged-tree.ts";
import { tree } from "../../helpers/tree.ts";
import { vectorsIn, vectorsOf } from "../../helpers/vectors.ts";
import { promise, sized } from "../../trust/promise.ts";
import { look, pathsWith, problemsOf, type Seen } from "../fixtures/check-index.ts";
import type { Command } from "../fixtures/index-on-command.ts";
import { markedTree, type MarkedTree } from "../fixtures/marked-tree.ts";
import { kill, nextMessage, programOf, type Program } from "../fixtures/programs.ts";
import { TABLES, type TableName } from "../fixtures/tables.ts";

/** A first run publishes its files in steps of 16, 32 and 64 and then the rest. */
const FILES = 120;
/** The segments of a first run of so many files are merged. */
const MERGED_FILES = 2 * FILES;
/** Number of random files per index that are searched by their words after every kill. */
const SOUGHT = 8;

/** 50 kills in every run of the tests, 200 in the run of all promises. */
const TIMES = sized({ quick: 1, full: 4, soak: 40 });

/**
 * Concurrently: a small index; one with all stages, segments that are files, and the bundled table; one whose table
 * changes after each completed run.
 */
const CAMPAIGNS: readonly Campaign[] = [
  { kills: 26 * TIMES, count: FILES, shape: { parsedEvery: FILES }, tables: ["small"] },
  {
    kills: 10 * TIMES,
    count: MERGED_FILES,
    shape: { parsedEvery: 8, isLarge: true },
    tables: ["packed"],
  },
  { kills: 14 * TIMES, count: FILES, shape: { parsedEvery: FILES }, tables: ["small", "other"] },
];
/** Not all runs have the same work: the time shortens by steps. */
const SHORTER = 0.8;
/** Minimum completed runs of a campaign, because the result of a complete run is checked too. */
const COMPLETED = 2;
const KILLS = CAMPAIGNS.reduce((sum, { kills }) => sum + kills, 0);

interface Campaign {
  readonly kills: number;
  /** Number of files. */
  readonly count: number;
  readonly shape: Parameters<typeof markedTree>[1];
  readonly tables: readonly TableName[];
}

interface Lane {
  readonly files: MarkedTree;
  readonly job: LocalRun;
  readonly table: TableName;
  readonly random: Random;
}

/** Whether the vectors of a file, if any, match its text with their table. */
function hasOwnVectors(root: string, path: string, { catalog, snapshot }: Seen): boolean {
  const place = catalog.files.placeOf(path);
  const reader = place && snapshot.view(place.segment)?.reader;
  const source = Object.values(TABLES).find(({ id }) => id === reader?.directory.embedder);
  if (place === undefined || reader === undefined || source === undefined) return false;
  const found = vectorsIn(reader, place.ordinal);
  const bytes = readFileSync(join(root, path));
  const outline = reader.outline(place.ordinal);
  const facts = { ...reader.file(place.ordinal), references: NO_REFERENCES, isFinal: true };
  const input = { ...facts, ...outline, bytes };
  const wanted = found.length === 0 ? [] : vectorsOf(input, source);
  return Buffer.concat(found).equals(Buffer.concat(wanted));
}

/** The number of missing steps of all files (words, then syntax), and all faults. */
async function examine({
  files,
  job,
  table,
  random,
}: Lane): Promise<{ left: number; problems: readonly string[] }> {
  const whole = files.hashes.size * 2;
  const seen = await look(job.dataDirectory, job.namespace, async (index) => {
    const problems = [...(await problemsOf(index))];
    let done = 0;
    const indexed: string[] = [];
    for (const { path, hash, stage, segment } of index.catalog.files.all()) {
      if (path in PADDING) continue;
      if (!files.hashes.has(path)) problems.push(`${path}: was never there`);
      if (hash !== files.hashes.get(path)) continue;
      if (segment === null) problems.push(`${path}: read, but nowhere`);
      done += stage === "complete" ? 2 : 1;
      indexed.push(path);
    }
    for (let at = 0; at < SOUGHT && indexed.length > 0; at += 1) {
      const path = indexed[Math.floor(random() * indexed.length)] ?? "";
      // oxlint-disable-next-line no-await-in-loop -- a reader answers one query at a time
      const found = await pathsWith(index.reader, files.wordOf(path));
      if (found.join() !== path) problems.push(`${path}: its word finds [${found.join()}]`);
      if (!hasOwnVectors(files.root, path, index))
        problems.push(`${path}: has vectors of another text`);
    }
    // With other vectors every file needs syntax again.
    const isOfTable = index.catalog.meta("embedder") === TABLES[table].id;
    return { left: isOfTable ? whole - done : whole, problems };
  });
  return seen ?? { left: whole, problems: [] };
}

/** Whether `done` resolves within `waitMs`. */
async function isInTime(done: Promise<unknown>, waitMs: number): Promise<boolean> {
  const { promise: isDone, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, waitMs, false);
  void done.then(() => resolve(true));
  return isDone.finally(() => clearTimeout(timer));
}

/** Runs, kills and checks until enough runs were killed and enough completed. Returns all faults. */
async function campaign(
  program: Program,
  { kills, count, shape, tables }: Campaign,
): Promise<readonly string[]> {
  const data = tree();
  const files = markedTree(count, shape);
  const job: LocalRun = {
    dataDirectory: data.path,
    namespace: "project",
    sources: [files.source],
    rebuild: false,
    waitMs: 2000,
  };
  const ready = async (): Promise<ChildProcess> => {
    const child = program.start();
    await nextMessage(child);
    return child;
  };
  const random = reportedRandom(`kills of ${kills}`);
  const problems: string[] = [];
  let completed = 0;
  let killed = 0;
  let left = Infinity;
  let child = await ready();
  // The first run measures the time in which to kill one. It has cold caches, and other campaigns begin with it: a later
  // run that ends before its kill shortens the time.
  let limitMs = Infinity;
  while (killed < kills || completed < COMPLETED) {
    // The next process starts meanwhile, so that no kill waits for it.
    const next = ready();
    const started = performance.now();
    const table = tables[completed % tables.length] ?? "packed";
    const command: Command = { job, table };
    child.send(command);
    const mayEnd = limitMs === Infinity || killed >= kills;
    const waitMs = mayEnd ? 60_000 : random() * limitMs;
    const isDone = await isInTime(once(child, "message"), waitMs);
    const tookMs = performance.now() - started;
    if (limitMs === Infinity) limitMs = tookMs;
    // A run that continues a killed one has less work.
    else if (isDone && left === Infinity) limitMs = Math.max(tookMs, limitMs * SHORTER);
    await kill(child);
    if (!isDone) killed += 1;
    const seen = await examine({ files, job, table, random });
    problems.push(...seen.problems);
    if (seen.left > left) problems.push(`${seen.left} steps left after ${left} before`);
    ({ left } = seen);
    if (isDone) {
      completed += 1;
      if (left > 0) problems.push(`a run that completed left ${left} steps`);
      // Alternate: an index with an older state of some files, no index, or other vectors.
      if (tables.length > 1) files.rewrite(completed % 3);
      else if (completed % 2 === 0) rmSync(data.path, { recursive: true });
      else files.rewrite(count / 4);
      left = Infinity;
    }
    child = await next;
  }
  await kill(child);
  data.dispose();
  files.dispose();
  return problems;
}

promise(
  [1],
  "a build killed at any moment leaves an index that opens, with everything that was published, complete and correct",
  async () => {
    const program = programOf("index-on-command.ts", ["warm-up"]);
    const results = await Promise.all(CAMPAIGNS.map((one) => campaign(program, one)));
    expect(results.flat()).toEqual([]);
    return KILLS;
  },
);
