// node bench/run.ts [--smoke] [NAME …]: measures dist/svc, prints the figures, keeps them in results/.
// Ends with 1 where a ratio is over its budget or a fact does not hold. --smoke asks fewer rounds.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { coldStart } from "./cold-start.ts";
import { indexBuild } from "./index-build.ts";
import { queryLatency } from "./query-latency.ts";
import { publish, type Report } from "./report.ts";
import { createWorkspace, SVC, type Workspace } from "./workspace.ts";

type Bench = (workspace: Workspace, isSmoke: boolean) => Promise<Report>;

const BENCHES: Readonly<Record<string, Bench>> = {
  "cold-start": coldStart,
  "query-latency": queryLatency,
  "index-build": indexBuild,
};

/** Benches of one layer, programs of their own; they print, and have no budgets. */
const LAYERS: Readonly<Record<string, (workspace: Workspace) => readonly string[]>> = {
  scan: ({ root }) => [root],
  chunk: ({ root }) => [root],
  "stdio-roundtrip": () => [],
};

process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  const isSmoke = words.includes("--smoke");
  const known = [...Object.keys(BENCHES), ...Object.keys(LAYERS)];
  const asked = words.filter((word) => word !== "--smoke");
  const problem = problemWith(asked, known);
  if (problem !== undefined) {
    console.error(`bench: ${problem}`);
    return 2;
  }
  const names = asked.length > 0 ? asked : isSmoke ? Object.keys(BENCHES) : known;
  const workspace = createWorkspace();
  try {
    return await runAll(names, { workspace, isSmoke });
  } finally {
    workspace.remove();
  }
}

function problemWith(asked: readonly string[], known: readonly string[]): string | undefined {
  const unknown = asked.find((name) => !known.includes(name));
  if (unknown !== undefined) return `there is no bench "${unknown}", only ${known.join(", ")}.`;
  if (!existsSync(SVC)) return "dist/svc is missing. Run `npm run build`.";
  const pinned = readFileSync(join(import.meta.dirname, "../.node-version"), "utf8").trim();
  if (process.versions.node === pinned) return undefined;
  return `this is Node ${process.versions.node}; only ${pinned} compares with dist/svc. Use \`npm run bench\`.`;
}

async function runAll(
  names: readonly string[],
  { workspace, isSmoke }: { readonly workspace: Workspace; readonly isSmoke: boolean },
): Promise<number> {
  const breaches: string[] = [];
  for (const name of names) {
    const bench = BENCHES[name];
    if (bench !== undefined) breaches.push(...publish(await bench(workspace, isSmoke)));
    else breaches.push(...runLayer(name, workspace));
  }
  for (const breach of breaches) console.error(`bench: ${breach}`);
  return breaches.length === 0 ? 0 : 1;
}

function runLayer(name: string, workspace: Workspace): readonly string[] {
  console.log(`\n${name}`);
  const args = LAYERS[name]?.(workspace) ?? [];
  const script = join(import.meta.dirname, `${name}.ts`);
  const { status } = spawnSync(process.execPath, [script, ...args], { stdio: "inherit" });
  return status === 0 ? [] : [`${name} ended with ${status}`];
}
