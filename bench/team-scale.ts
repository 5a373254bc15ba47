// node bench/team-scale.ts [--namespaces 1000] [--seconds 8]: measures read nodes of a team over one PostgreSQL server
// on this machine: answers per second of 1, 2 and 4 nodes with the processor time of each question, and the first
// answer of a namespace, among many, that a node has never used. Needs dist/svc.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import type { Database } from "../src/postgres/database.ts";
import { startPostgres } from "../test/helpers/postgres-server.ts";
import { realProject } from "../test/helpers/real-project.ts";
import { publish, quantile, type Row } from "./report.ts";
import { machinesOf, ReadNode } from "./soak/team-machines.ts";
import { runningCpuMs } from "./timed-child.ts";
import { filesBelow, runSvc, totalBytes, type Environment } from "./workspace.ts";

const SOURCE = "webpack";
const NODES = [1, 2, 4];
const CLIENTS_PER_NODE = 4;
const COLD = 40;
/** Namespaces with the whole index; the others have an index of one file. */
const LARGE = 50;
const QUESTIONS = [
  "where are chunks split",
  "how is a module resolved",
  "read the cache from disk",
  "parse an import expression",
  "emit an asset to the output",
  "hash of a chunk",
  "dev server hot module replacement",
  "tree shaking of unused exports",
];

const { values } = parseArgs({
  options: {
    namespaces: { type: "string", default: "1000" },
    seconds: { type: "string", default: "8" },
  },
});
const namespaces = Number(values.namespaces);
const seconds = Number(values.seconds);
const place = mkdtempSync(join(tmpdir(), "svc-team-scale-"));
const server = await startPostgres();
try {
  await main();
} finally {
  await server.stop();
  rmSync(place, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const url = server.freshUrl();
  const machine = machinesOf(place, url);
  const owner = machine();
  const project = realProject(place);
  runSvc(["index", project, "--namespace", SOURCE], owner);
  const small = join(place, "small");
  mkdirSync(small);
  runSvc(["index", small, "--namespace", "small"], owner);
  const database = server.open(url);
  const bytes = await indexBytes(database);
  const words = ["auth", "keys", "create", "--name", "bench", "--all-namespaces"];
  const key = runSvc(words, owner).trim();

  const rows: Row[] = [];
  for (const count of NODES) {
    rows.push(...(await measureNodes(count, { machine, key })));
  }
  await multiply(database, namespaces);
  const cold = await measureCold({ machine, key });
  rows.push({
    name: "first answer of a cold namespace",
    unit: "ms",
    samples: cold,
    target: "1000 (4 MB)",
    note: `${(bytes / 1e6).toFixed(1)} MB, one of ${namespaces} namespaces`,
  });
  const files = filesBelow(project);
  publish({
    bench: "team-scale",
    corpus: `webpack: ${files.length} files, ${(totalBytes(files) / 1e6).toFixed(1)} MB; PostgreSQL, nodes and clients on the same machine`,
    rows,
    facts: [
      {
        text: `the first answer of a cold namespace among ${namespaces} takes ${quantile(cold, 0.5).toFixed(0)} ms (p50) and ${quantile(cold, 0.95).toFixed(0)} ms (p95)`,
        holds: quantile(cold, 0.5) <= 1000,
      },
    ],
  });
}

interface Team {
  readonly machine: () => Environment;
  readonly key: string;
}

/** Answers per second of this many nodes, and the processor time of an answer. */
async function measureNodes(count: number, { machine, key }: Team): Promise<readonly Row[]> {
  const nodes = Array.from({ length: count }, () => new ReadNode(machine()));
  try {
    await Promise.all(nodes.map((node) => node.start()));
    await Promise.all(nodes.map((node) => ask(node, key, 0)));
    const cpuBefore = nodes.map(({ pid }) => runningCpuMs(pid) ?? NaN);
    const end = performance.now() + seconds * 1000;
    const begun = performance.now();
    const counts = await Promise.all(
      nodes.flatMap((node, at) =>
        Array.from({ length: CLIENTS_PER_NODE }, async (_, client) => {
          let answers = 0;
          for (let nth = 0; performance.now() < end; nth += 1) {
            // Another query each time, so that no answer comes from a cache.
            // oxlint-disable-next-line no-await-in-loop -- one after the other, like a client
            await ask(node, key, 1 + nth * CLIENTS_PER_NODE + client + at * 1_000_000);
            answers += 1;
          }
          return answers;
        }),
      ),
    );
    const answers = counts.reduce((sum, one) => sum + one, 0);
    const cpuMs = nodes.reduce(
      (sum, { pid }, at) => sum + ((runningCpuMs(pid) ?? NaN) - (cpuBefore[at] ?? NaN)),
      0,
    );
    const perSecond = (answers / (performance.now() - begun)) * 1000;
    const what = `${count} read ${count === 1 ? "node" : "nodes"}`;
    return [
      { name: what, unit: "1/s", samples: [perSecond] },
      { name: `${what}, one answer`, unit: "cpu ms", samples: [cpuMs / answers] },
    ];
  } finally {
    await Promise.all(nodes.map((node) => node.kill()));
  }
}

async function ask(node: ReadNode, key: string, nth: number): Promise<void> {
  const query = `${QUESTIONS[nth % QUESTIONS.length]} ${nth}`;
  await node.search(key, { query, namespace: SOURCE, limit: 10 });
}

/** Times of the first answers of namespaces that the node has never used. */
async function measureCold({ machine, key }: Team): Promise<readonly number[]> {
  const node = new ReadNode(machine());
  try {
    await node.start();
    await ask(node, key, 0);
    const samples: number[] = [];
    for (let nth = 0; nth < COLD; nth += 1) {
      const begun = performance.now();
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await node.search(key, { query: "where are chunks split", namespace: `copy-${nth}` });
      samples.push(performance.now() - begun);
    }
    return samples;
  } finally {
    await node.kill();
  }
}

async function indexBytes(database: Database): Promise<number> {
  const [row] = await database.query(
    "SELECT sum(size)::bigint AS bytes FROM index_object WHERE namespace = $1 AND dropped_at IS NULL",
    [SOURCE],
  );
  return Number(row?.["bytes"]);
}

/** Copies the indexes and their records inside the database under other names. */
async function multiply(database: Database, count: number): Promise<void> {
  for (let nth = 0; nth < count; nth += 1) {
    const [from, name] = [nth < LARGE ? SOURCE : "small", `copy-${nth}`];
    for (const [table, columns] of [
      ["index_head", "epoch, generation, commit_id, base_name, base_generation, fence"],
      ["index_commit", "generation, commit_id, follows, resets, changes, added, dropped"],
      ["index_object", "name, size, sha256"],
      ["index_part", "name, number, body"],
      ["file_content", "hash, body"],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one table after the other
      await database.query(
        `INSERT INTO ${table} (namespace, ${columns}) SELECT $2, ${columns} FROM ${table} WHERE namespace = $1`,
        [from, name],
      );
    }
    // oxlint-disable-next-line no-await-in-loop -- as above
    await database.query(
      "INSERT INTO registry_record (kind, key, namespace, record) SELECT kind, $2::text, $2::text, " +
        "jsonb_set(record, '{name}', to_jsonb($2::text)) FROM registry_record " +
        "WHERE kind = 'namespace' AND key = $1",
      [from, name],
    );
    // oxlint-disable-next-line no-await-in-loop -- as above
    await database.query(
      "INSERT INTO registry_record (kind, key, namespace, record) SELECT kind, $3::text, $2::text, " +
        "record || jsonb_build_object('namespace', $2::text, 'id', ($3::text)::int) FROM registry_record " +
        "WHERE kind = 'source' AND namespace = $1",
      [from, name, String(1000 + nth)],
    );
  }
  await database.query("UPDATE registry SET version = version + 1");
}
