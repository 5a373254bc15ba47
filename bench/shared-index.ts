// node bench/shared-index.ts [FOLDER]: an index in PostgreSQL compared with one in files, on webpack or a folder: the
// cost of building it and of a question, the speed of copying it to a new node, and the time until a commit arrives on
// another node. Starts a PostgreSQL server of its own.
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Backend } from "../src/backend/backend.ts";
import { openEmbeddedBackend } from "../src/backend/open-backend.ts";
import { openPostgresBackend } from "../src/backend/postgres-backend.ts";
import { createLogger } from "../src/base/log.ts";
import type { Engine } from "../src/engine/api/engine.ts";
import { createEngine } from "../src/engine/create-engine.ts";
import { localOwner } from "../src/sources/principal.ts";
import { authorized } from "../test/helpers/authorized.ts";
import { startPostgres } from "../test/helpers/postgres-server.ts";
import { realProject } from "../test/helpers/real-project.ts";
import { filesBelow, totalBytes } from "./workspace.ts";
import { median, publish, quantile } from "./report.ts";

const NAMESPACE = "team";
const BUILDS = 3;
const COPIES = 5;
const COMMITS = 40;
const QUESTIONS = [
  "where are chunks split",
  "how is a module resolved",
  "read the cache from disk",
  "parse an import expression",
  "emit an asset to the output",
];
const ROUNDS = 10;

interface Node {
  readonly backend: Backend;
  readonly engine: Engine;
  readonly close: () => Promise<void>;
}

const place = mkdtempSync(join(tmpdir(), "svc-shared-index-"));
const server = await startPostgres();
let nodes = 0;
try {
  await main();
} finally {
  await server.stop();
  rmSync(place, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const [given] = process.argv.slice(2);
  const root = join(place, "tree");
  if (given === undefined) realProject(join(place));
  else cpSync(given, root, { recursive: true });
  const folder = given === undefined ? join(place, "webpack") : root;
  const builds = await measureBuilds(folder);
  const { url } = builds;
  const copies = await measureCopies(url);
  const arrivals = await measureArrivals(url, folder);
  const questions = await measureQuestions(url, folder, builds.files);
  const megabytes = copies.bytes / 1e6;
  const files = filesBelow(folder);
  publish({
    bench: "shared-index",
    corpus: `${files.length} files, ${(totalBytes(files) / 1e6).toFixed(1)} MB; PostgreSQL on the same machine`,
    rows: [
      { name: "build in files", unit: "cpu ms", samples: builds.filesMs },
      {
        name: "build in PostgreSQL",
        unit: "cpu ms",
        samples: builds.postgresMs,
        ratio: { value: median(builds.postgresMs) / median(builds.filesMs), to: "build in files" },
        note: "of this process, without the server",
      },
      { name: `copy of ${megabytes.toFixed(1)} MB`, unit: "ms", samples: copies.ms },
      { name: "copy", unit: "MB/s", samples: copies.ms.map((ms) => (megabytes / ms) * 1000) },
      {
        name: "commit to another node",
        unit: "ms",
        samples: arrivals,
        target: "p50 100, p95 500",
      },
      { name: "question, files", unit: "ms", samples: questions.files },
      {
        name: "question, PostgreSQL",
        unit: "ms",
        samples: questions.postgres,
        ratio: {
          value: median(questions.postgres) / median(questions.files),
          to: "question, files",
        },
      },
    ],
    facts: [
      {
        text: `a commit arrives on another node in ${quantile(arrivals, 0.5).toFixed(0)} ms (p50) and ${quantile(arrivals, 0.95).toFixed(0)} ms (p95)`,
        holds: quantile(arrivals, 0.95) <= 500,
      },
    ],
  });
}

async function measureBuilds(folder: string): Promise<{
  readonly filesMs: readonly number[];
  readonly postgresMs: readonly number[];
  readonly url: string;
  readonly files: Node;
}> {
  const filesMs: number[] = [];
  const postgresMs: number[] = [];
  let url = "";
  let files: Node | undefined;
  for (let round = 0; round < BUILDS; round += 1) {
    await files?.close();
    files = node((cacheDirectory) =>
      openEmbeddedBackend({ kind: "embedded", dataDirectory: cacheDirectory }),
    );
    filesMs.push(await cpuOf(() => build(files, folder)));
    url = server.freshUrl();
    const postgres = postgresNode(url);
    postgresMs.push(await cpuOf(() => build(postgres, folder)));
    await postgres.close();
  }
  if (files === undefined) throw new Error("nothing was built");
  return { filesMs, postgresMs, url, files };
}

async function build(one: Node | undefined, folder: string): Promise<void> {
  await one?.engine.index({ ...caller(), source: folder, namespace: NAMESPACE });
}

async function measureCopies(url: string): Promise<{
  readonly ms: readonly number[];
  readonly bytes: number;
}> {
  const ms: number[] = [];
  for (let round = 0; round < COPIES; round += 1) {
    const copy = postgresNode(url);
    const begun = performance.now();
    await copy.backend.index.reader(authorized(NAMESPACE));
    ms.push(performance.now() - begun);
    await copy.close();
  }
  const [row] = await server
    .open(url)
    .query(
      "SELECT coalesce(sum(size), 0)::bigint AS bytes FROM index_object WHERE dropped_at IS NULL",
    );
  return { ms, bytes: Number(row?.["bytes"]) };
}

async function measureArrivals(url: string, folder: string): Promise<readonly number[]> {
  const [writer, reader] = [postgresNode(url), postgresNode(url)];
  const namespace = authorized(NAMESPACE);
  const database = server.open(url);
  const [file = ""] = filesBelow(folder).filter((path) => path.endsWith(".js"));
  let notify: (() => void) | undefined;
  await reader.backend.index.reader(namespace);
  const stop = reader.backend.index.watch(NAMESPACE, () => notify?.());
  await new Promise((done) => setTimeout(done, 500));
  const arrivals: number[] = [];
  for (let at = 0; at < COMMITS; at += 1) {
    const begunMs = wallClockMs();
    appendFileSync(file, `\n// mark${at}x\n`);
    const written = build(writer, folder);
    await waitForWord(reader, `mark${at}x`, (done) => (notify = done));
    const seenMs = wallClockMs();
    await written;
    const [commit] = await database.query(
      "SELECT min(extract(epoch FROM committed_at) * 1000)::float8 AS ms FROM index_commit " +
        "WHERE committed_at > to_timestamp($1 / 1000.0)",
      [begunMs],
    );
    arrivals.push(seenMs - Number(commit?.["ms"]));
  }
  stop();
  await writer.close();
  await reader.close();
  return arrivals;
}

/** Resolves when queries of the node find the word. `listen`: registers a callback for news. */
async function waitForWord(
  { backend }: Node,
  word: string,
  listen: (notify: () => void) => void,
): Promise<void> {
  for (;;) {
    const { promise, resolve } = Promise.withResolvers<void>();
    listen(resolve);
    const reader = await backend.index.reader(authorized(NAMESPACE));
    const [count = 0] = (await reader?.termCounts([word])) ?? [];
    if (count > 0) return;
    await promise;
  }
}

function wallClockMs(): number {
  return performance.timeOrigin + performance.now();
}

async function measureQuestions(
  url: string,
  folder: string,
  files: Node,
): Promise<{ readonly files: readonly number[]; readonly postgres: readonly number[] }> {
  await build(files, folder);
  const postgres = postgresNode(url);
  const samples = { files: [] as number[], postgres: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const question of QUESTIONS) {
      // Another limit each time, so that no answer comes from a cache.
      const request = { ...caller(), query: question, limit: 10 + round, maxTokens: 2000 };
      for (const [name, { engine }] of [
        ["files", files],
        ["postgres", postgres],
      ] as const) {
        const begun = performance.now();
        await engine.search({ ...request, namespace: NAMESPACE });
        if (round > 0) samples[name].push(performance.now() - begun);
      }
    }
  }
  await postgres.close();
  await files.close();
  return samples;
}

function postgresNode(url: string): Node {
  return node((cacheDirectory) =>
    openPostgresBackend({ kind: "postgres", url, cacheDirectory, dataDirectory: place }),
  );
}

function node(open: (cacheDirectory: string) => Backend): Node {
  nodes += 1;
  const home = join(place, `node-${nodes}`);
  mkdirSync(home);
  const backend = open(join(home, "data"));
  const engine = createEngine({
    backend,
    dataDirectory: join(home, "data"),
    home,
    logger: createLogger({ level: "warn", human: false, write: () => {} }),
    workspace: () => home,
  });
  return { backend, engine, close: () => engine.close() };
}

function caller() {
  return { principal: localOwner(), signal: new AbortController().signal };
}

async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
