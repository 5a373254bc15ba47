// What is left when a run is killed at any moment.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";

import { expect, test } from "vitest";

import type { IndexJob } from "../../src/engine/indexer.ts";
import { tree } from "../helpers/tree.ts";
import { look, pathsWith, problemsOf } from "./fixtures/check-index.ts";
import { markedTree, type MarkedTree } from "./fixtures/marked-tree.ts";
import { kill, nextMessage, programOf } from "./fixtures/programs.ts";

const KILLS = 200;
/** Campaigns beside each other, each with an index of its own. */
const LANES = 2;
const FILES = 400;
/** Files of each index, chosen by chance, that are looked for by their words after every kill. */
const SOUGHT = 8;

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

test(`${KILLS} kills of a build: what was published stays, whole and right`, async () => {
  const program = programOf("index-on-command.ts", ["warm-up"]);
  const ready = async (): Promise<ChildProcess> => {
    const child = program.start();
    await nextMessage(child);
    return child;
  };
  let kills = 0;
  const completed = Array.from({ length: LANES }, () => 0);
  const problems: string[] = [];

  async function campaign(number: number): Promise<void> {
    const data = tree();
    // One without a grammar, quickly built; one in all stages, with parts that are files of the storage.
    const files = markedTree(FILES, number === 0 ? { extension: "txt" } : { large: 4 });
    const lane: Lane = {
      files,
      job: {
        dataDirectory: data.path,
        namespace: "project",
        sources: [files.source],
        rebuild: false,
        waitMs: 2000,
      },
    };
    let child = await ready();
    let fullMs = 0;
    let left = FILES * 4;
    for (let round = 0; kills < KILLS; round += 1) {
      const next = ready();
      const started = performance.now();
      child.send(lane.job);
      const done = once(child, "message").then(() => true);
      // The first run is for measuring how long there is to kill one.
      const wait = round === 0 ? 60_000 : Math.random() * fullMs;
      let timer: NodeJS.Timeout | undefined;
      const isDone = await Promise.race([
        done,
        new Promise<boolean>((resolve) => {
          timer = setTimeout(resolve, wait, false);
        }),
      ]);
      clearTimeout(timer);
      if (round === 0) fullMs = performance.now() - started;
      await kill(child);
      if (!isDone) kills += 1;
      const seen = await examine(lane);
      problems.push(...seen.problems);
      if (seen.left > left) problems.push(`${seen.left} steps left after ${left} before`);
      ({ left } = seen);
      if (isDone) {
        const times = (completed[number] ?? 0) + 1;
        completed[number] = times;
        if (left > 0) problems.push(`a run that completed left ${left} steps`);
        // In turn: an index that has an older state of some files, and none at all.
        if (times % 2 === 0) rmSync(data.path, { recursive: true });
        else files.rewrite(FILES / 4);
        left = FILES * 4;
      }
      child = await next;
    }
    await kill(child);
    data.dispose();
    files.dispose();
  }

  await Promise.all(Array.from({ length: LANES }, (_, number) => campaign(number)));
  expect(problems).toEqual([]);
  expect(kills).toBeGreaterThanOrEqual(KILLS);
  expect(Math.min(...completed)).toBeGreaterThan(1);
}, 240_000);
