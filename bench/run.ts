// node bench/run.ts [--smoke] [NAME …]: measures dist/svc, prints the figures, and stores them in results/.
// Ends with 1 if a ratio exceeds its budget or a fact does not hold. --smoke runs fewer rounds.
// node bench/run.ts http-load [--clients N] [--seconds N]
// node bench/run.ts call-latency [--tree PATH]…: the time of every reading tool, one table per tree.
// node bench/run.ts growth [--tree PATH]… [--no-syntax]: one table of several trees, the smallest first.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { bridge } from "./bridge.ts";
import { callLatency } from "./call-latency.ts";
import { coldStart } from "./cold-start.ts";
import { credentials } from "./credentials.ts";
import { ends } from "./ends.ts";
import { growth } from "./growth.ts";
import { httpAbuse } from "./http/abuse.ts";
import { httpBurst } from "./http/burst.ts";
import { httpLoad } from "./http/load.ts";
import { httpOverhead } from "./http/overhead.ts";
import { indexBuild } from "./index-build.ts";
import { longestInputs } from "./longest-inputs.ts";
import { queryLatency } from "./query-latency.ts";
import { repeats } from "./repeats.ts";
import { pageLatency } from "./page.ts";
import { publish, type Report } from "./report.ts";
import { roundtrip } from "./roundtrip.ts";
import { size } from "./size.ts";
import { createWorkspace, SVC, type Workspace } from "./workspace.ts";

type Bench = (workspace: Workspace, isSmoke: boolean, options: Options) => Promise<Report>;

const BENCHES: Readonly<Record<string, Bench>> = {
  // First, because it measures this process: V8's threads would collect the garbage of other benches in its processor
  // time.
  credentials,
  "cold-start": coldStart,
  ends,
  size,
  "query-latency": queryLatency,
  repeats,
  "index-build": indexBuild,
  "http-load": (workspace, isSmoke, { clients, seconds }) =>
    httpLoad(workspace, {
      clients: clients ?? (isSmoke ? 100 : 1000),
      seconds: seconds ?? (isSmoke ? 3 : 60),
    }),
  "http-burst": httpBurst,
  "http-abuse": httpAbuse,
  "http-overhead": httpOverhead,
  roundtrip,
  bridge,
  "longest-inputs": longestInputs,
};

/** Benches of one layer, separate programs; they print, and have no budgets. */
const LAYERS: Readonly<Record<string, (workspace: Workspace) => readonly string[]>> = {
  scan: ({ root }) => [root],
  chunk: ({ root }) => [root],
};

/** These run only by name: they take minutes and measure trees that the user names, or need a browser. */
const OF_TREES: Readonly<
  Record<string, (trees: readonly string[], options: Options) => Promise<readonly string[]>>
> = {
  growth,
  "call-latency": callLatency,
  page: (_trees, { isSmoke }) => pageLatency(isSmoke ? 3 : 15),
};

interface Options {
  readonly isSmoke: boolean;
  /** Trees for `growth` and `call-latency`; by default the project of the other benches. */
  readonly trees: readonly string[];
  readonly hasSyntax: boolean;
  /** Flags of `http-load`. */
  readonly clients: number | undefined;
  readonly seconds: number | undefined;
}

process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  const { values, positionals: requested } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      smoke: { type: "boolean", default: false },
      tree: { type: "string", multiple: true, default: [] },
      "no-syntax": { type: "boolean", default: false },
      clients: { type: "string" },
      seconds: { type: "string" },
    },
  });
  const { smoke: isSmoke, tree: trees, "no-syntax": isWithoutSyntax } = values;
  const usual = [...Object.keys(BENCHES), ...Object.keys(LAYERS)];
  const problem = problemWith(requested, { known: [...usual, ...Object.keys(OF_TREES)], trees });
  if (problem !== undefined) {
    console.error(`bench: ${problem}`);
    return 2;
  }
  const names = requested.length > 0 ? requested : isSmoke ? Object.keys(BENCHES) : usual;
  const [clients, seconds] = [values.clients, values.seconds].map((text) =>
    text === undefined ? undefined : Number(text),
  );
  return runAll(names, { isSmoke, trees, hasSyntax: !isWithoutSyntax, clients, seconds });
}

function problemWith(
  names: readonly string[],
  { known, trees }: { readonly known: readonly string[]; readonly trees: readonly string[] },
): string | undefined {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) return `there is no bench "${unknown}", only ${known.join(", ")}.`;
  const missing = trees.find((tree) => !existsSync(tree));
  if (missing !== undefined) return `there is no folder ${missing}.`;
  if (!existsSync(SVC)) return "dist/svc is missing. Run `npm run build`.";
  const pinned = readFileSync(join(import.meta.dirname, "../.node-version"), "utf8").trim();
  if (process.versions.node === pinned) return undefined;
  return `this is Node ${process.versions.node}; only ${pinned} compares with dist/svc. Use \`npm run bench\`.`;
}

async function runAll(names: readonly string[], options: Options): Promise<number> {
  const breaches: string[] = [];
  const workspace = await createWorkspace();
  try {
    for (const name of names) {
      const from = performance.now();
      breaches.push(...(await runOne(name, workspace, options)));
      console.log(`${name} took ${((performance.now() - from) / 1000).toFixed(1)} s`);
    }
  } finally {
    workspace.remove();
  }
  for (const breach of breaches) console.error(`bench: ${breach}`);
  return breaches.length === 0 ? 0 : 1;
}

async function runOne(
  name: string,
  workspace: Workspace,
  options: Options,
): Promise<readonly string[]> {
  const { isSmoke, trees } = options;
  const ofTrees = OF_TREES[name];
  if (ofTrees !== undefined) return ofTrees(trees.length > 0 ? trees : [workspace.root], options);
  const bench = BENCHES[name];
  return bench === undefined
    ? runLayer(name, workspace)
    : publish(await bench(workspace, isSmoke, options));
}

function runLayer(name: string, workspace: Workspace): readonly string[] {
  console.log(`\n${name}`);
  const args = LAYERS[name]?.(workspace) ?? [];
  const script = join(import.meta.dirname, `${name}.ts`);
  const { status } = spawnSync(process.execPath, [script, ...args], { stdio: "inherit" });
  return status === 0 ? [] : [`${name} ended with ${status}`];
}
