// Measures the costs that no other page has: how the cost of a question is divided, and the cost of a push for the
// index node, the database, and a read node that has a copy. One index node and one read node of dist/svc share a
// PostgreSQL server of this machine; the repository is webpack.
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";

import { copyOut } from "../../src/postgres/copy-out.ts";
import type { Database } from "../../src/postgres/database.ts";
import { startPostgres } from "../../test/helpers/postgres-server.ts";
import { realProject } from "../../test/helpers/real-project.ts";
import { machinesOf, ReadNode } from "../soak/team-machines.ts";
import { filesBelow, runSvc, SVC, totalBytes, type Environment } from "../workspace.ts";
import { childrenOf, cpuMsOf, mainThreadMs, parentOf, waitedCpuMsOf } from "./process-times.ts";

const NAMESPACE = "webpack";
const CLIENTS = 4;
const QUESTIONS = 100;
const PUSHES = 30;
/** A push of three files, as many as a save in the kill bench changes. */
const FILES_OF_PUSH = 3;
const COPIES = 20;
const TEXT_READS = 600;
/** Each of the ten results of an answer is in another file. */
const FILES_OF_ANSWER = 10;
/** After this time a node does not trust its copy without checking the database. */
const STALE_MS = 1100;
/** The server adds up its transactions once a second. */
const COUNTED_MS = 1500;
/** No question repeats, so that no answer comes from a cache. */
const FIRST_QUESTION_AFTER_PUSHES = 1_000_000;
const SUBJECTS = ["chunks", "modules", "the cache", "an import", "an asset", "a hash", "a server"];

interface Costs {
  readonly [name: string]: number;
}

export async function measureCosts(): Promise<Costs> {
  const place = mkdtempSync(join(tmpdir(), "svc-scale-"));
  const server = await startPostgres();
  const stops: (() => unknown)[] = [() => server.stop()];
  try {
    const url = server.freshUrl();
    const machine = machinesOf(place, url);
    const laptop = machine();
    const database = server.open(url);
    const [row] = await database.query("SELECT pg_backend_pid() AS pid");
    const postmaster = parentOf(Number(row?.["pid"]));
    const root = realProject(place);
    git(root, "init", "-q", "-b", "main");
    commitAll(root);
    const indexer = await startIndexer(machine());
    stops.unshift(() => indexer.kill("SIGKILL"));
    const index = (): void =>
      void runSvc(["index", `file://${root}`, "--namespace", NAMESPACE], laptop);
    const meter = new Meter(database, postmaster, indexer.pid ?? 0);

    const first = await meter.of(async () => index());
    const sizes = await sizesOf(database);
    const words = ["auth", "keys", "create", "--name", "bench", "--namespace", NAMESPACE];
    const key = runSvc(words, laptop).trim();
    const node = new ReadNode(machine());
    await node.start();
    stops.unshift(() => node.kill());
    await ask(node, key, 0);
    const questions = await questionCosts(node, key, meter);

    const pushes = await pushCosts({ node, key, meter, root, index });
    return {
      "source, bytes": totalBytes(filesBelow(root).filter((path) => !path.includes("/.git/"))),
      "first index, index node, cpu ms": first.indexerMs,
      "first index, database, cpu ms": first.databaseMs,
      "first index, log bytes": first.walBytes,
      "first index, transactions": first.transactions,
      ...sizes,
      ...questions,
      ...pushes,
      ...(await commitsOf(database)),
      ...suffixed(await sizesOf(database), "after the pushes"),
      ...(await readCosts(database, meter)),
    };
  } finally {
    for (const stop of stops) await stop();
    rmSync(place, { recursive: true, force: true });
  }
}

async function questionCosts(node: ReadNode, key: string, meter: Meter): Promise<Costs> {
  const before = { main: mainThreadMs(node.pid), all: cpuMsOf(node.pid), own: process.cpuUsage() };
  let wallMs = 0;
  const used = await meter.of(async () => {
    const begun = performance.now();
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        for (let nth = 0; nth < QUESTIONS; nth += 1) {
          // oxlint-disable-next-line no-await-in-loop -- one after the other, like a client
          await ask(node, key, 1 + nth * CLIENTS + client);
        }
      }),
    );
    wallMs = performance.now() - begun;
  });
  const count = QUESTIONS * CLIENTS;
  const { user, system } = process.cpuUsage(before.own);
  return {
    "questions per second": (count / wallMs) * 1000,
    "question, node, cpu ms": (cpuMsOf(node.pid) - before.all) / count,
    "question, main thread of the node, cpu ms": (mainThreadMs(node.pid) - before.main) / count,
    "question, client, cpu ms": (user + system) / 1000 / count,
    "question, database, cpu ms": used.databaseMs / count,
    "question, transactions": used.transactions / count,
  };
}

interface Pushing {
  readonly node: ReadNode;
  readonly key: string;
  readonly meter: Meter;
  /** The repository. */
  readonly root: string;
  /** Has the index node update it. */
  readonly index: () => void;
}

async function pushCosts({ node, key, meter, root, index }: Pushing): Promise<Costs> {
  const files = filesBelow(root).filter((path) => path.endsWith(".js"));
  let answerMs = 0;
  const pushed = await meter.of(async () => {
    for (let push = 0; push < PUSHES; push += 1) {
      for (let file = 0; file < FILES_OF_PUSH; file += 1) {
        const path = files[(push * FILES_OF_PUSH + file) % files.length] ?? "";
        appendFileSync(path, `\n// push ${push}\n`);
      }
      commitAll(root);
      index();
      // The node checks the database again.
      // oxlint-disable-next-line no-await-in-loop -- one push after the other
      await wait(STALE_MS);
      const before = cpuMsOf(node.pid);
      // oxlint-disable-next-line no-await-in-loop -- as above
      await ask(node, key, FIRST_QUESTION_AFTER_PUSHES + push);
      answerMs += cpuMsOf(node.pid) - before;
    }
  });
  return {
    "push, index node, cpu ms": pushed.indexerMs / PUSHES,
    "push, database, cpu ms": pushed.databaseMs / PUSHES,
    "push, log bytes": pushed.walBytes / PUSHES,
    "push, transactions": pushed.transactions / PUSHES,
    "push, read node, question with it, cpu ms": answerMs / PUSHES,
  };
}

/** The database's cost for the objects of a new copy, and for the texts that an answer shows. */
async function readCosts(database: Database, meter: Meter): Promise<Costs> {
  let bytes = 0;
  const copies = await meter.of(async () => {
    for (let round = 0; round < COPIES; round += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const connection = await database.connect();
      // oxlint-disable-next-line no-await-in-loop -- as above
      for await (const part of copyOut(connection, "SELECT body FROM index_part")) {
        bytes += part.length;
      }
      connection.release();
    }
  });
  const hashes = await database.query("SELECT hash FROM file_content ORDER BY hash");
  let textBytes = 0;
  const texts = await meter.of(async () => {
    for (let nth = 0; nth < TEXT_READS; nth += 1) {
      const wanted = Array.from({ length: FILES_OF_ANSWER }, (_, at) =>
        String(hashes[(nth * 7 + at * 89) % hashes.length]?.["hash"]),
      );
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const rows = await database.query(
        "SELECT hash, body FROM file_content WHERE namespace = $1 AND hash = ANY ($2)",
        [NAMESPACE, wanted],
      );
      for (const { body } of rows) textBytes += Buffer.isBuffer(body) ? body.length : 0;
    }
  });
  return {
    "copied, database, cpu ms of a MB": copies.databaseMs / (bytes / 1e6),
    "texts of an answer, database, cpu ms": texts.databaseMs / TEXT_READS,
    "texts of an answer, bytes": textBytes / TEXT_READS,
  };
}

interface Used {
  readonly indexerMs: number;
  readonly databaseMs: number;
  readonly walBytes: number;
  readonly transactions: number;
}

/** The cost of some work for the index node and the database. */
class Meter {
  readonly #database: Database;
  readonly #postmaster: number;
  readonly #indexer: number;

  constructor(database: Database, postmaster: number, indexer: number) {
    this.#database = database;
    this.#postmaster = postmaster;
    this.#indexer = indexer;
  }

  async of(work: () => Promise<void>): Promise<Used> {
    const before = await this.#read();
    await work();
    await wait(COUNTED_MS);
    const after = await this.#read();
    return {
      indexerMs: after.indexerMs - before.indexerMs,
      databaseMs: after.databaseMs - before.databaseMs,
      walBytes: after.walBytes - before.walBytes,
      transactions: after.transactions - before.transactions,
    };
  }

  async #read(): Promise<Used> {
    const [row] = await this.#database.query(
      "SELECT (pg_current_wal_lsn() - '0/0')::float8 AS wal, " +
        "(SELECT sum(xact_commit)::float8 FROM pg_stat_database) AS transactions",
    );
    const parts = childrenOf(this.#postmaster);
    return {
      indexerMs: cpuMsOf(this.#indexer) + waitedCpuMsOf(this.#indexer),
      databaseMs: parts.reduce((sum, pid) => sum + cpuMsOf(pid), waitedCpuMsOf(this.#postmaster)),
      walBytes: Number(row?.["wal"]),
      transactions: Number(row?.["transactions"]),
    };
  }
}

async function sizesOf(database: Database): Promise<Costs> {
  const tables = ["index_part", "file_content", "index_commit"];
  const sizes: Record<string, number> = {};
  for (const table of tables) {
    // oxlint-disable-next-line no-await-in-loop -- one connection
    const [row] = await database.query(
      `SELECT pg_total_relation_size('${table}')::float8 AS total`,
    );
    sizes[`${table}, bytes`] = Number(row?.["total"]);
  }
  const [live] = await database.query(
    "SELECT sum(size)::float8 AS bytes FROM index_object WHERE dropped_at IS NULL",
  );
  const [all] = await database.query("SELECT sum(length(body))::float8 AS bytes FROM index_part");
  const [changes] = await database.query(
    "SELECT sum(length(changes))::float8 AS bytes, count(*)::float8 AS count FROM index_commit",
  );
  const [bases] = await database.query(
    "SELECT max(size)::float8 AS bytes FROM index_object WHERE name LIKE 'base-%' AND dropped_at IS NULL",
  );
  const [texts] = await database.query(
    "SELECT sum(length(body))::float8 AS bytes FROM file_content",
  );
  return {
    ...sizes,
    "live objects, bytes": Number(live?.["bytes"]),
    "base, bytes": Number(bases?.["bytes"]),
    "all objects, bytes": Number(all?.["bytes"]),
    "changes, bytes": Number(changes?.["bytes"]),
    "kept commits": Number(changes?.["count"]),
    "texts, bytes": Number(texts?.["bytes"]),
  };
}

async function commitsOf(database: Database): Promise<Costs> {
  const [row] = await database.query(
    "SELECT max(generation)::float8 AS generations, avg(length(changes))::float8 AS bytes FROM index_commit",
  );
  return {
    "commits of a push": (Number(row?.["generations"]) - 1) / PUSHES,
    "changes of a commit, bytes": Number(row?.["bytes"]),
  };
}

function suffixed(costs: Costs, suffix: string): Costs {
  return Object.fromEntries(
    Object.entries(costs).map(([name, value]) => [`${name} ${suffix}`, value]),
  );
}

async function ask(node: ReadNode, key: string, nth: number): Promise<void> {
  const subject = SUBJECTS[nth % SUBJECTS.length];
  await node.search(key, {
    query: `where is the code for ${subject} ${nth}`,
    namespace: NAMESPACE,
    limit: 10,
  });
}

async function startIndexer(env: Environment): Promise<ChildProcess> {
  const child = spawn(SVC, ["serve", "--role", "index", "--port", "0"], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const lines = createInterface({ input: child.stderr });
  await once(lines, "line");
  return child;
}

function git(root: string, ...args: readonly string[]): void {
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
    cwd: root,
    stdio: "ignore",
  });
}

function commitAll(root: string): void {
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "a change");
}
