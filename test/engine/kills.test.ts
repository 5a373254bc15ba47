// What is left when a run is killed at any moment.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";

import { expect, test } from "vitest";

import type { IndexJob } from "../../src/engine/indexer.ts";
import { tree } from "../helpers/tree.ts";
import { look, pathsWith, problemsOf } from "./fixtures/check-index.ts";
import { markedTree, type MarkedTree } from "./fixtures/marked-tree.ts";
import { kill, nextMessage, programOf, type Program } from "./fixtures/programs.ts";

const FILES = 400;
/** Files of each index, chosen by chance, that are looked for by their words after every kill. */
const SOUGHT = 8;

/** Two at a time: one that is quickly built; one in all stages, whose segments are files of the storage. */
const CAMPAIGNS = [
  { kills: 145, shape: { parsedEvery: FILES } },
  { kills: 55, shape: { parsedEvery: 8, large: 4 } },
] as const;
const KILLS = CAMPAIGNS.reduce((sum, { kills }) => sum + kills, 0);

interface Lane {
  readonly files: MarkedTree;
  readonly job: IndexJob;
}

/** How many steps (words, then syntax) the files still need, and everything that is wrong. */
async function examine({
  files,
  job,
}: Lane): Promise<{ left: number; problems: readonly string[] }> {
  const whole = files.hashes.size * 2;
  const seen = await look(job.dataDirectory, job.namespace, async (index) => {
    const problems = [...(await problemsOf(index))];
    let done = 0;
    const indexed: string[] = [];
    for (const { path, hash, stage, segment } of index.catalog.files()) {
      if (!files.hashes.has(path)) problems.push(`${path}: was never there`);
      if (hash !== files.hashes.get(path)) continue;
      if (segment === null) problems.push(`${path}: read, but nowhere`);
      done += stage === "complete" ? 2 : 1;
      indexed.push(path);
    }
    for (let at = 0; at < SOUGHT && indexed.length > 0; at += 1) {
      const path = indexed[Math.floor(Math.random() * indexed.length)] ?? "";
      // oxlint-disable-next-line no-await-in-loop -- a reader answers one question at a time
      const found = await pathsWith(index.reader, files.wordOf(path));
      if (found.join() !== path) problems.push(`${path}: its word finds [${found.join()}]`);
    }
    return { left: whole - done, problems };
  });
  return seen ?? { left: whole, problems: [] };
}

/** Resolves with true when `done` comes within `waitMs`, with false when it does not. */
async function isInTime(done: Promise<unknown>, waitMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, waitMs, false);
  void done.then(() => resolve(true));
  return promise.finally(() => clearTimeout(timer));
}

/** Runs, kills and looks until so many were killed; returns what was wrong and how many came to their end. */
async function campaign(
  program: Program,
  { kills, shape }: (typeof CAMPAIGNS)[number],
): Promise<{ problems: readonly string[]; completed: number }> {
  const data = tree();
  const files = markedTree(FILES, shape);
  const job: IndexJob = {
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
  const problems: string[] = [];
  let completed = 0;
  let killed = 0;
  let left = Infinity;
  let child = await ready();
  // The first run is for measuring how long there is to kill one.
  let limitMs = Infinity;
  while (killed < kills) {
    // The next one starts meanwhile, so that no kill waits for it.
    const next = ready();
    const started = performance.now();
    child.send(job);
    const waitMs = limitMs === Infinity ? 60_000 : Math.random() * limitMs;
    const isDone = await isInTime(once(child, "message"), waitMs);
    if (limitMs === Infinity) limitMs = performance.now() - started;
    await kill(child);
    if (!isDone) killed += 1;
    const seen = await examine({ files, job });
    problems.push(...seen.problems);
    if (seen.left > left) problems.push(`${seen.left} steps left after ${left} before`);
    ({ left } = seen);
    if (isDone) {
      completed += 1;
      if (left > 0) problems.push(`a run that completed left ${left} steps`);
      // In turn: an index that has an older state of some files, and none at all.
      if (completed % 2 === 0) rmSync(data.path, { recursive: true });
      else files.rewrite(FILES / 4);
      left = Infinity;
    }
    child = await next;
  }
  await kill(child);
  data.dispose();
  files.dispose();
  return { problems, completed };
}

test(`${KILLS} kills of a build: what was published stays, whole and right`, async () => {
  const program = programOf("index-on-command.ts", ["warm-up"]);
  const results = await Promise.all(CAMPAIGNS.map((one) => campaign(program, one)));
  expect(results.flatMap(({ problems }) => problems)).toEqual([]);
  expect(Math.min(...results.map(({ completed }) => completed))).toBeGreaterThan(1);
}, 240_000);
