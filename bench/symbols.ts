// node bench/symbols.ts FOLDER [--names N]: the time of queries about symbols, over MCP, on a tree that is indexed
// first. It shows the server's CPU time next to the wall time, because machines are shared.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";

import { CODE, namesIn } from "./code-names.ts";
import { seededRandom } from "./quality/random.ts";
import { lineClient, runningCpuMs, type LineClient } from "./timed-child.ts";
import { SVC } from "./workspace.ts";

const WARM_UP = 10;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { names: { type: "string", default: "150" } },
});
const [root] = positionals;
if (root === undefined) throw new Error("name a folder");

const data = mkdtempSync(join(tmpdir(), "svc-bench-symbols-"));
try {
  await main(root, Number(values.names));
} finally {
  rmSync(data, { recursive: true, force: true });
}

async function main(folder: string, count: number): Promise<void> {
  const env = { PATH: process.env["PATH"] ?? "", HOME: data, SERVICE_HOME: join(data, "svc") };
  const token = spawnSync(SVC, ["auth", "token", "create", "--name", "bench"], { env });
  const indexed = spawnSync(SVC, ["index", folder], { env, encoding: "utf8" });
  if (indexed.status !== 0) throw new Error(indexed.stderr);
  const files = codeBelow(folder);
  const names = namesIn(files, count);
  const child = spawn(SVC, ["mcp", "--stdio", "--root", folder], {
    env: { ...env, SERVICE_TOKEN: token.stdout.toString().trim() },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const client = lineClient(child);
  await client.request("initialize", { clientInfo: { name: "bench" } });
  const pid = child.pid ?? 0;
  console.log(`${folder}: ${files.length} files of code, ${names.length} names\n`);
  console.log(`${"".padEnd(34)}p50 ms  p95 ms  max ms  cpu ms  first ms`);
  const ask = (title: string, inputs: readonly Input[]): Promise<void> =>
    measure({ client, pid, title }, inputs);
  await ask(
    "find_symbol, exact",
    names.map((name) => ["find_symbol", { name }]),
  );
  await ask(
    "find_symbol, prefix",
    names.map((name) => ["find_symbol", { name: name.slice(0, 5) }]),
  );
  await ask(
    "find_symbol, misspelt",
    names.map((name) => ["find_symbol", { name: misspelt(name) }]),
  );
  const references = (more: object): readonly Input[] =>
    names.map((symbol) => ["find_references", { symbol, ...more }]);
  await ask("find_references", references({}));
  await ask("find_references, callers, depth 3", references({ relation: "callers", depth: 3 }));
  await ask(
    "analyze_impact, depth 3",
    names.map((target) => ["analyze_impact", { target, depth: 3 }]),
  );
  const paths = files.slice(0, count).map((file) => relative(folder, file));
  await ask(
    "outline of a file",
    paths.map((path) => ["outline", { path }]),
  );
  const budgets = Array.from({ length: 20 }, (_, at) => 1000 + at * 100);
  await ask(
    "outline of the tree",
    budgets.map((tokens) => ["outline", { max_tokens: tokens }]),
  );
  await client.close();
}

type Input = readonly [tool: string, input: Readonly<Record<string, unknown>>];

interface Server {
  readonly client: LineClient;
  readonly pid: number;
  readonly title: string;
}

/** The first call, which may have to build something for all, is reported separately; some more warm up. */
async function measure({ client, pid, title }: Server, inputs: readonly Input[]): Promise<void> {
  const times: number[] = [];
  let first = 0;
  let before: number | undefined;
  for (const [at, [name, input]] of inputs.entries()) {
    if (at === Math.min(WARM_UP, inputs.length >> 1)) before = runningCpuMs(pid);
    const from = performance.now();
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    await client.request("tools/call", { name, arguments: input }).catch(() => undefined);
    const took = performance.now() - from;
    if (at === 0) first = took;
    if (before !== undefined) times.push(took);
  }
  const after = runningCpuMs(pid);
  const cpu = before === undefined || after === undefined ? NaN : (after - before) / times.length;
  times.sort((one, other) => one - other);
  const at = (share: number): number => times[Math.floor((times.length - 1) * share)] ?? NaN;
  const figures = [at(0.5), at(0.95), at(1), cpu, first].map((ms) => ms.toFixed(1).padStart(6));
  console.log(`${title.padEnd(34)}${figures.join("  ")}`);
}

function codeBelow(folder: string): readonly string[] {
  const random = seededRandom("symbols");
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && CODE.test(entry.name))
    .map((entry) => ({ path: join(entry.parentPath, entry.name), order: random() }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ path }) => path);
}

/** Swaps two letters in the middle. */
function misspelt(name: string): string {
  const middle = name.length >> 1;
  const [one = "", other = ""] = name.slice(middle - 1, middle + 1);
  return name.slice(0, middle - 1) + other + one + name.slice(middle + 1);
}
