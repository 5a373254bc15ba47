// node bench/shard-nodes.ts [FOLDER] [--shard-chunks N] [--data DIR --namespace NAME]: measures read nodes of a team
// that share the searches in one index, which is in shards of at most N chunks. It prints the processor time of a
// question on the queried node and on each other one, and the time of the answer, with 1, 2 and 4 nodes, and compares
// the answers. The nodes run on this machine, with PostgreSQL. The default is the corpus of the other benches in at
// least four shards. With --data, the bench copies an existing index of FOLDER instead of building one. To divide the
// index, the bench adds a file to FOLDER, commits it to the index, and removes the file again. Needs dist/svc.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { freePort } from "../test/helpers/free-port.ts";
import { startPostgres } from "../test/helpers/postgres-server.ts";
import { realProject } from "../test/helpers/real-project.ts";
import { QUESTIONS } from "./questions.ts";
import { publish, type Row } from "./report.ts";
import { machinesOf, ReadNode } from "./soak/team-machines.ts";
import { runningCpuMs } from "./timed-child.ts";
import { filesBelow, runSvc, totalBytes, type Environment } from "./workspace.ts";

const NODES = [1, 2, 4];
/** Each question repeats this many times, with other words at its end, so that no answer comes from a cache. */
const ROUNDS = 3;
/** A node reads the list of the others every five seconds. */
const LIST_MS = 6000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "shard-chunks": { type: "string", default: "2000" },
    data: { type: "string" },
    namespace: { type: "string", default: "large" },
  },
});
const { namespace } = values;
const place = mkdtempSync(join(tmpdir(), "svc-shard-nodes-"));
const server = await startPostgres();
try {
  await main();
} finally {
  await server.stop();
  rmSync(place, { recursive: true, force: true });
}

interface Team {
  readonly machine: () => Environment;
  readonly key: string;
}

interface Measured {
  readonly rows: readonly Row[];
  readonly answers: readonly string[];
}

async function main(): Promise<void> {
  const url = server.freshUrl();
  const machine = machinesOf(place, url);
  const owner = { ...machine(), SERVICE_SHARD_CHUNKS: values["shard-chunks"] };
  const folder = values.data === undefined ? projectIn(positionals[0]) : (positionals[0] ?? "");
  if (values.data !== undefined) {
    const home = { ...owner, SERVICE_HOME: values.data };
    runSvc(["backend", "copy", "--from", "files", "--to", url, "--namespace", namespace], home);
  }
  divide(folder, owner);
  const status: { namespaces: readonly { chunks: number }[] } = JSON.parse(
    runSvc(["status", "--namespace", namespace, "--json"], owner),
  );
  const chunks = status.namespaces[0]?.chunks ?? 0;
  const key = runSvc(["auth", "keys", "create", "--name", "b", "--all-namespaces"], owner).trim();
  const measured: Measured[] = [];
  for (const count of NODES) {
    // oxlint-disable-next-line no-await-in-loop -- one team after the other
    measured.push(await measureTeam(count, { machine, key }));
  }
  const [alone, ...together] = measured.map(({ answers }) => JSON.stringify(answers));
  const files = filesBelow(folder);
  const problems = publish({
    bench: "shard-nodes",
    corpus: `${files.length} files, ${(totalBytes(files) / 1e6).toFixed(1)} MB, ${chunks} chunks, at most ${values["shard-chunks"]} in a shard`,
    rows: measured.flatMap(({ rows }) => rows),
    facts: [
      {
        text: "several nodes give the answers of one",
        holds: together.every((answers) => answers === alone),
      },
    ],
  });
  for (const problem of problems) console.error(problem);
}

/** The commit that finds too many chunks, and the merges after it, divide an index. */
function divide(folder: string, env: Environment): void {
  const added = join(folder, "svc-bench.txt");
  try {
    runSvc(["index", folder, "--namespace", namespace], env);
    writeFileSync(added, "A file of a bench.\n");
    runSvc(["index", folder, "--namespace", namespace], env);
  } finally {
    rmSync(added, { force: true });
  }
}

function projectIn(given: string | undefined): string {
  if (given === undefined) return realProject(place);
  const folder = join(place, "tree");
  cpSync(given, folder, { recursive: true });
  return folder;
}

async function measureTeam(count: number, { machine, key }: Team): Promise<Measured> {
  const nodes = await Promise.all(
    Array.from({ length: count }, async () => {
      const port = String(await freePort());
      return new ReadNode(machine(), ["--port", port, "--node-url", `http://127.0.0.1:${port}`]);
    }),
  );
  try {
    await Promise.all(nodes.map((node) => node.start()));
    const [asked, ...others] = nodes;
    if (asked === undefined) throw new Error("there is at least one node");
    const ask = (query: string) => asked.search(key, { query, namespace, limit: 10 });
    await ask("a first question");
    // The others open their copies with the first question about them.
    await new Promise((resolve) => setTimeout(resolve, LIST_MS));
    for (const query of QUESTIONS) await ask(`${query} warm`);
    const answers: string[] = [];
    const samples = { wall: [] as number[], asked: [] as number[], others: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = { asked: cpuMsOf([asked]), others: cpuMsOf(others) };
      for (const query of QUESTIONS) {
        const begun = performance.now();
        // oxlint-disable-next-line no-await-in-loop -- one question after the other
        const found = await ask(`${query} ${round}`);
        samples.wall.push(performance.now() - begun);
        answers.push(found.map(({ path, text }) => `${path} ${text}`).join("\n"));
      }
      // The kernel counts in steps of 10 ms: only sums over many questions are exact.
      samples.asked.push((cpuMsOf([asked]) - before.asked) / QUESTIONS.length);
      const ofOthers = cpuMsOf(others) - before.others;
      samples.others.push(ofOthers / QUESTIONS.length / Math.max(1, others.length));
    }
    const what = `${count} ${count === 1 ? "node" : "nodes"}`;
    const rows: readonly Row[] = [
      { name: `${what}: time of an answer`, unit: "ms", samples: samples.wall },
      { name: `${what}: the node that is asked`, unit: "cpu ms", samples: samples.asked },
      ...(others.length === 0
        ? []
        : [{ name: `${what}: each other node`, unit: "cpu ms", samples: samples.others }]),
    ];
    return { rows, answers };
  } finally {
    await Promise.all(nodes.map((node) => node.kill()));
  }
}

function cpuMsOf(nodes: readonly ReadNode[]): number {
  return nodes.reduce((sum, { pid }) => sum + (runningCpuMs(pid) ?? NaN), 0);
}
