// node bench/freshness.ts [--files 10000] [--saves 40] [--flips 20]: measures how soon another process finds a saved
// file, and the cost. Ends with 1 if a budget is missed. Needs an idle machine.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { contentOf } from "./freshness/content.ts";
import { makeProject, wordOf, writeFile } from "./freshness/project.ts";
import { Server, until } from "./freshness/server.ts";
import { runningCpuMs, timed } from "./timed-child.ts";
import { dataDirectoryOf, homesIn, runSvc, SVC, withToken, type Environment } from "./workspace.ts";

const MAX_WAIT_MS = 60_000;

const { values } = parseArgs({
  options: {
    files: { type: "string", default: "10000" },
    saves: { type: "string", default: "40" },
    flips: { type: "string", default: "20" },
  },
});
const [files, saves, flips] = [values.files, values.saves, values.flips].map(Number);

const breaches: string[] = [];

function figure(name: string, value: number, unit: string, budget: number): void {
  const isKept = value <= budget;
  console.log(`${isKept ? " " : "!"} ${name}: ${value.toFixed(1)} ${unit} (up to ${budget})`);
  if (!isKept) breaches.push(name);
}

function share(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}

/** Milliseconds of `count` searches, sorted. */
async function searches(server: Server, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const from = performance.now();
    await server.finds(wordOf(at * 37));
    times.push(performance.now() - from);
  }
  return times.toSorted((one, other) => one - other);
}

interface Scene {
  readonly root: string;
  readonly files: number;
  /** Processor time of the first index. */
  readonly buildMs: number;
  /** The server that watches. */
  readonly leader: Server;
  /** The server that is queried. */
  readonly server: Server;
}

function noChange(root: string, env: Environment): void {
  const took: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const answer: { took_ms: number } = JSON.parse(runSvc(["index", root, "--json"], env));
    took.push(answer.took_ms);
  }
  figure("no-change scan, least of 5", Math.min(...took), "ms", 300);
}

/** Saves a file and waits until the other process finds it; milliseconds. */
async function saveOne({ root, server }: Scene, at: number, version: number): Promise<number> {
  writeFile(root, at, version);
  const text = `version ${version}.`;
  return until(async () => (await server.filesWith(text)).length > 0, { withinMs: MAX_WAIT_MS });
}

async function savesOneByOne(scene: Scene, count: number): Promise<void> {
  const { leader, files: all, buildMs } = scene;
  // The first ones load the grammars.
  for (let round = 0; round < 5; round += 1) await saveOne(scene, round, 500 + round);
  const found: number[] = [];
  const before = runningCpuMs(leader.pid) ?? NaN;
  for (let round = 0; round < count; round += 1) {
    found.push(await saveOne(scene, (round * 211) % all, 1000 + round));
    await wait(100);
  }
  const cpu = ((runningCpuMs(leader.pid) ?? NaN) - before) / count;
  found.sort((one, other) => one - other);
  figure("save until another process finds it, median", share(found, 0.5), "ms", 150);
  figure("save until another process finds it, p95", share(found, 0.95), "ms", 500);
  figure("cpu of one save, share of a full build", (cpu / buildMs) * 200, "/ 200", 1);
}

async function searchesDuringSaves({ root, files: all, server }: Scene): Promise<void> {
  await searches(server, 20);
  const quiet = await searches(server, 200);
  const end = new AbortController();
  const saving = (async () => {
    for (let round = 0; !end.signal.aborted; round += 1) {
      writeFile(root, (round * 131) % all, 5000 + round);
      await wait(50);
    }
  })();
  const busy = await searches(server, 200);
  end.abort();
  await saving;
  const ratio = share(busy, 0.95) / share(quiet, 0.95);
  figure("p95 of searches while files are saved, to that without", ratio, "times", 1.5);
}

/** Every file changes this many times; then the index must equal that of a fresh build. */
async function flipAll(
  { root, files: all, server }: Scene,
  count: number,
  { env, again }: { readonly env: Environment; readonly again: Environment },
): Promise<void> {
  const end = new AbortController();
  const answers = countAnswers(server, all, end.signal);
  for (let flip = 0; flip < count; flip += 1) {
    for (let at = 0; at < all; at += 1) {
      writeFile(root, at, 9000 + (flip % 2));
      if (at % 500 === 0) await new Promise(setImmediate);
    }
  }
  const from = performance.now();
  const words = [1, 77, 500, 999].map((at) => wordOf(at % all));
  runSvc(["index", root], again);
  const builtMs = performance.now() - from;
  const content = async (place: Environment): Promise<string> =>
    (await contentOf(dataDirectoryOf(place), "project", words)).join("\n");
  const wanted = await content(again);
  await until(async () => (await content(env)) === wanted, {
    withinMs: 4 * MAX_WAIT_MS,
    everyMs: 500,
  });
  const seconds = (performance.now() - from) / 1000;
  end.abort();
  const { queries: number, failed } = await answers;
  console.log(`  (a fresh build at the same time took ${(builtMs / 1000).toFixed(1)} s)`);
  figure(`${count} flips of all files until all is as built fresh`, seconds, "s", 30);
  figure(`searches without an answer meanwhile, of ${number}`, failed, "", 0);
}

/** Searches until the signal. A file is empty for a moment while it is written, so only errors count. */
async function countAnswers(
  server: Server,
  all: number,
  signal: AbortSignal,
): Promise<{ readonly queries: number; readonly failed: number }> {
  let failed = 0;
  for (let queries = 0; ; queries += 1) {
    if (signal.aborted) return { queries, failed };
    await server.finds(wordOf(queries % all)).catch((error: unknown) => {
      console.log(`  ${String(error)}`);
      failed += 1;
    });
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

async function main(fileCount: number, saveCount: number, flipCount: number): Promise<void> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "svc-freshness-")));
  const root = join(base, "project");
  mkdirSync(root);
  const freshEnv = homesIn(base);
  const servers: Server[] = [];
  try {
    makeProject(root, fileCount);
    const env = withToken(freshEnv());
    const { cpuMs: buildMs } = await timed([SVC, "index", root], { env });
    console.log(`${fileCount} files are built in ${buildMs.toFixed(0)} cpu ms`);
    // Files as young as the index are read once more.
    await wait(2100);
    runSvc(["index", root], env);
    noChange(root, env);
    const leader = await Server.start(root, env);
    servers.push(leader);
    await leader.finds("ledger");
    const isWatched = async (): Promise<boolean> => (await leader.freshness())?.mode === "watched";
    await until(isWatched, { withinMs: MAX_WAIT_MS });
    const querying = await Server.start(root, env);
    servers.push(querying);
    const scene: Scene = { root, files: fileCount, buildMs, leader, server: querying };
    await savesOneByOne(scene, saveCount);
    await searchesDuringSaves(scene);
    await flipAll(scene, flipCount, { env, again: freshEnv() });
    figure("warnings", servers.flatMap(({ warnings }) => warnings).length, "", 0);
  } finally {
    for (const server of servers) await server.kill();
    rmSync(base, { recursive: true, force: true });
  }
}

await main(files ?? 0, saves ?? 0, flips ?? 0);
for (const breach of breaches) console.error(`bench: ${breach}`);
process.exitCode = breaches.length === 0 ? 0 : 1;
