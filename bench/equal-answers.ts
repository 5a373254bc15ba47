// node bench/equal-answers.ts --with SVC [--rounds N] FOLDER…: asks dist/svc and another svc the same questions, with
// all tools, about a copy of each folder, and compares the answers byte by byte. Times, process ids and cursors are
// left out, because they differ between two runs of one program. Exit code 1 if an answer differs.
// With --shared instead of --with SVC, it compares an index in files with two nodes that share an index in PostgreSQL,
// which the first node has built. It then compares only the tools that read.
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { inputsOf, type Input } from "./call-latency/inputs.ts";
import { CODE } from "./code-names.ts";
import { greet, startServer, type Server } from "./growth/processes.ts";
import { openTree, type IndexedTree } from "./growth/tree.ts";
import { startPostgres } from "../test/helpers/postgres-server.ts";
import { homesIn, runSvcAt, SVC, type Environment } from "./workspace.ts";

/** Long enough for the watchers of both programs to index an edit. */
const SETTLE_MS = 4000;
/** Characters of a difference that are printed. */
const SHOWN_CHARS = 200;

/** Parts of an answer that depend on the moment or on the process. */
const MOMENTS: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME"],
  [/\b[\d.]+ m?s\b/g, "DURATION"],
  [/((?:took_ms|tookMs|durationMs|indexedMs|pid|process)\\?":)[\d.]+/g, "$1"],
  [/(cursor\\?":\\?"|cursor \\?")[\w-]+/g, "$1"],
  [/\bchg_[\w-]+/g, "CURSOR"],
];

interface Counts {
  calls: number;
  errors: number;
  different: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    with: { type: "string" },
    shared: { type: "boolean", default: false },
    rounds: { type: "string", default: "15" },
  },
});
if ((values.with === undefined) !== values.shared || positionals.length === 0) {
  throw new Error("usage: node bench/equal-answers.ts --with SVC|--shared [--rounds N] FOLDER…");
}
const server = values.shared ? await startPostgres() : undefined;
const place = realpathSync(mkdtempSync(join(tmpdir(), "svc-equal-answers-")));
const counts = new Map<string, Counts>();
try {
  for (const folder of positionals) {
    await compareOn(folder, variantsOf(), Number(values.rounds));
  }
} finally {
  await server?.stop();
  rmSync(place, { recursive: true, force: true });
}
report();

/** A program under comparison. */
interface Variant {
  readonly svc: string;
  readonly variables: Environment;
  /** False if another one indexes the folder for it. */
  readonly indexes: boolean;
}

function variantsOf(): readonly Variant[] {
  const own = { svc: SVC, variables: {}, indexes: true };
  if (server === undefined) return [own, { ...own, svc: resolve(values.with ?? SVC) }];
  const variables = { SERVICE_BACKEND: server.freshUrl() };
  return [own, { ...own, variables }, { ...own, variables, indexes: false }];
}

async function compareOn(
  folder: string,
  variants: readonly Variant[],
  rounds: number,
): Promise<void> {
  const at = join(place, basename(folder));
  mkdirSync(at);
  const root = join(at, basename(folder));
  cpSync(folder, root, { recursive: true });
  const freshEnv = homesIn(at);
  const envs = variants.map(({ svc, variables, indexes }, number) => {
    const env = { ...freshEnv(), ...variables };
    const name = `bench-${number}`;
    const token = runSvcAt(svc, ["auth", "token", "create", "--name", name], env).trim();
    if (indexes) runSvcAt(svc, ["index", root], env);
    return { ...env, SERVICE_TOKEN: token };
  });
  const [env = freshEnv()] = envs;
  const tree = await openTree({ name: basename(folder), root, folder: at, freshEnv }, env);
  const servers = envs.map((one, index) => startServer(root, one, variants[index]?.svc));
  try {
    await Promise.all(servers.map(greet));
    for (const { tool, inputs } of inputsOf(tree, rounds)) {
      for (const input of inputs) await compare(servers, tool, input);
    }
    // The nodes of a shared index share its watcher and its runs as well.
    if (!values.shared) await compareChanges(servers, tree);
  } finally {
    for (const { kill } of servers) await kill();
  }
}

/** Edits the tree and compares what the tools report about it. */
async function compareChanges(servers: readonly Server[], tree: IndexedTree): Promise<void> {
  const { root, paths } = tree;
  await compare(servers, "set_monitor", { action: "create", name: "marks", pattern: "SVC-MARK" });
  await compare(servers, "set_monitor", { action: "create", name: "asks", query: "parse options" });
  await compare(servers, "set_monitor", { action: "list" });
  const code = paths.filter((path) => CODE.test(path)).slice(0, 4);
  for (const path of code) appendFileSync(join(root, path), "\n// SVC-MARK parse the options\n");
  await new Promise((done) => setTimeout(done, SETTLE_MS));
  await compare(servers, "index_source", { source: root });
  for (const input of [{}, { limit: 2 }, { monitor: "marks" }, { monitor: "asks" }]) {
    await compare(servers, "list_changes", input);
  }
  await compare(servers, "search_text", { pattern: "SVC-MARK" });
  for (const name of ["marks", "asks", "none"]) {
    await compare(servers, "set_monitor", { action: "delete", name });
  }
}

async function compare(servers: readonly Server[], name: string, input: Input): Promise<void> {
  const answers: string[] = [];
  for (const { client } of servers) {
    answers.push(
      await client.request("tools/call", { name, arguments: input }).then(
        (result) => stable(JSON.stringify(result)),
        (error: unknown) => stable(`error: ${String(error)}`),
      ),
    );
  }
  const [ours = "", ...others] = answers;
  const count = counts.get(name) ?? { calls: 0, errors: 0, different: 0 };
  counts.set(name, count);
  count.calls += 1;
  if (ours.startsWith("error: ") || ours.includes('"isError":true')) count.errors += 1;
  const other = others.find((one) => one !== ours);
  if (other === undefined) return;
  count.different += 1;
  let from = 0;
  while (ours[from] === other[from]) from += 1;
  from = Math.max(0, from - SHOWN_CHARS / 4);
  console.log(`${name} ${JSON.stringify(input)}`);
  for (const text of answers) console.log(`  ${text.slice(from, from + SHOWN_CHARS)}`);
}

function stable(text: string): string {
  return MOMENTS.reduce((changed, [pattern, by]) => changed.replaceAll(pattern, by), text);
}

function report(): void {
  const sum = (of: (count: Counts) => number): number =>
    [...counts.values()].reduce((total, count) => total + of(count), 0);
  for (const [tool, { calls, errors, different }] of counts) {
    console.log(`${tool.padEnd(16)} ${calls} calls, ${errors} errors, ${different} different`);
  }
  const different = sum((count) => count.different);
  console.log(
    `${positionals.length} folders, ${counts.size} tools, ${sum((count) => count.calls)} calls, ` +
      `${different} different`,
  );
  if (different > 0) process.exitCode = 1;
}
