// node bench/changes.ts FOLDER [--base CHECKOUT] [--saves N]: the cost of the change log, on a copy of a
// folder: a first index, saves of one file without and with 50 monitors, and a switch of every fifth file, as the
// processor time of the run; then the time of list_changes. With --base, it also measures the indexer of another
// checkout.
import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { createEngine } from "../src/engine/create-engine.ts";
import { openRegistry } from "../test/helpers/open-registry.ts";
import type { runIndex } from "../test/helpers/run-index.ts";
import { localOwner } from "../src/sources/principal.ts";
import { addMonitor } from "../src/sources/registry/monitors.ts";
import type { Registry } from "../src/sources/registry/registry.ts";
import type { Source } from "../src/sources/registry/records.ts";

const CODE = /\.(?:[cm]?[jt]sx?|py|go|java|rs|c|h|cc|cpp|cs|php|rb)$/;
const MONITORS = 50;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { base: { type: "string" }, saves: { type: "string", default: "30" } },
});
const [folder] = positionals;
if (folder === undefined) throw new Error("name a folder");
const place = mkdtempSync(join(tmpdir(), "svc-bench-changes-"));
try {
  await main(folder, Number(values.saves));
} finally {
  rmSync(place, { recursive: true, force: true });
}

async function main(from: string, saves: number): Promise<void> {
  const checkouts = [
    ...(values.base === undefined ? [] : [values.base]),
    join(import.meta.dirname, ".."),
  ];
  for (const checkout of checkouts) {
    const isOurs = checkout === checkouts.at(-1);
    const root = join(place, isOurs ? "ours" : "base");
    cpSync(from, root, { recursive: true });
    const dataDirectory = join(place, isOurs ? "data" : "base-data");
    const registry = openRegistry(dataDirectory);
    const source = await registry.addSource("bench", { root });
    const run = await runner(resolve(checkout), dataDirectory, source);
    const files = codeBelow(root);
    console.log(`\n${isOurs ? "this checkout" : checkout}, ${files.length} files of code`);
    // Loading and compiling happen once and are not a cost of the change log.
    await run();
    for (let at = 0; at < 5; at += 1) await save(files, at, run);
    rmSync(join(dataDirectory, "namespaces"), { recursive: true });
    console.log(`first index           ${(await run()).toFixed(0)} ms`);
    console.log(`a save                ${median(await saved(files, saves, run)).toFixed(2)} ms`);
    if (isOurs) {
      await addMonitors(registry);
      console.log(`monitors prepared     ${(await run()).toFixed(0)} ms`);
      console.log(
        `a save, ${MONITORS} monitors  ${median(await saved(files, saves, run)).toFixed(2)} ms`,
      );
    }
    for (const [at, file] of files.entries()) if (at % 5 === 0) edit(file, "switched");
    console.log(
      `a switch of ${Math.ceil(files.length / 5)} files   ${(await run()).toFixed(0)} ms`,
    );
    if (isOurs) await ask(root, dataDirectory, files);
    registry.close();
  }
}

/** Processor time of one run, in ms. */
async function runner(
  checkout: string,
  dataDirectory: string,
  source: Source,
): Promise<() => Promise<number>> {
  // oxlint-disable typescript/no-unsafe-type-assertion -- two checkouts of one program
  const { runIndex: index } = (await import(join(checkout, "test/helpers/run-index.ts"))) as {
    runIndex: typeof runIndex;
  };
  // oxlint-enable typescript/no-unsafe-type-assertion
  const job = { dataDirectory, namespace: "bench", sources: [source], rebuild: false, waitMs: 0 };
  return async () => {
    const before = process.cpuUsage();
    await index(job);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}

async function saved(
  files: readonly string[],
  saves: number,
  run: () => Promise<number>,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let at = 0; at < saves; at += 1) times.push(await save(files, at, run));
  return times;
}

function save(files: readonly string[], at: number, run: () => Promise<number>): Promise<number> {
  edit(files[(at * 7919) % files.length] ?? "", `save${at}`);
  return run();
}

function edit(file: string, name: string): void {
  const comment = /\.(?:py|rb)$/.test(file) ? "#" : "//";
  appendFileSync(file, `${comment} ${name} TODO of ${performance.now()}\n`);
}

async function addMonitors(registry: Registry): Promise<void> {
  const kinds = ["pattern", "symbol", "path", "query"] as const;
  const questions = {
    pattern: "TODO|FIXME",
    symbol: "parse",
    path: "**/*.js",
    query: "how is it parsed",
  };
  for (let at = 0; at < MONITORS; at += 1) {
    const kind = kinds[at % kinds.length] ?? "path";
    const question = `${questions[kind]}${kind === "symbol" ? at : ""}`;
    const monitor = { namespace: "bench", owner: "local", name: `m${at}`, kind, question };
    // oxlint-disable-next-line no-await-in-loop -- in this order
    await addMonitor(registry, monitor);
  }
}

async function ask(root: string, dataDirectory: string, files: readonly string[]): Promise<void> {
  const logger = { debug() {}, info() {}, warn: console.error, error: console.error };
  const engine = createEngine({ dataDirectory, home: place, logger, workspace: () => root });
  const request = { principal: localOwner(), signal: new AbortController().signal, waitMs: 0 };
  let { nextCursor: since } = await engine.changes({ ...request, limit: 1 });
  const times: number[] = [];
  for (let at = 0; at < 40; at += 1) {
    edit(files[(at * 31) % files.length] ?? "", `ask${at}`);
    const started = performance.now();
    const answer = await engine.changes({ ...request, since, limit: 50 });
    times.push(performance.now() - started);
    since = answer.nextCursor;
  }
  const ordered = times.toSorted((one, other) => one - other);
  console.log(
    `list_changes after a save, the look at the files included: median ${ordered[20]?.toFixed(0)} ms, p95 ${ordered[38]?.toFixed(0)} ms`,
  );
  await engine.close();
}

function codeBelow(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => CODE.test(path) && !path.includes("node_modules"))
    .map((path) => join(root, path))
    .filter((path) => statSync(path).isFile())
    .toSorted();
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}
