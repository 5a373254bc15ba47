// The time of a call over MCP, for every tool. Every tool that reads is called on a completely indexed
// tree, one call after the other, with arguments from the tree itself.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { basename, join } from "node:path";

import { inputsOf, type ToolInputs, type Input } from "./call-latency/inputs.ts";
import { call, greet, startServer, type Server } from "./growth/processes.ts";
import { openTree, type IndexedTree } from "./growth/tree.ts";
import { measures, publish, quantile, type Report, type Row } from "./report.ts";
import { homesIn, runSvc, withToken } from "./workspace.ts";

/** The latency target of the interface. */
const TARGET_P95_MS = 250;
/** Calls of a tool that must succeed: a name may not be a definition. */
const ANSWERED = 0.9;

interface Sample {
  readonly ms: number;
  readonly input: Input;
}

/** Prints a table for each tree, which is only read, and returns a sentence for each missed budget. */
export async function callLatency(
  roots: readonly string[],
  { isSmoke }: { readonly isSmoke: boolean },
): Promise<readonly string[]> {
  const base = mkdtempSync(join(tmpdir(), "svc-calls-"));
  const breaches: string[] = [];
  try {
    for (const [at, root] of roots.entries()) {
      const folder = join(base, String(at));
      mkdirSync(folder);
      const tree = await indexed(realpathSync(root), folder);
      breaches.push(...publish(await report(tree, isSmoke ? 6 : 60)));
      rmSync(folder, { recursive: true });
    }
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
  return breaches;
}

function indexed(root: string, folder: string): Promise<IndexedTree> {
  const freshEnv = homesIn(folder);
  const env = withToken(freshEnv());
  runSvc(["index", root], env);
  return openTree({ name: basename(root), root, folder, freshEnv }, env);
}

async function report(tree: IndexedTree, rounds: number): Promise<Report> {
  const calls = inputsOf(tree, rounds);
  const load = loadavg()[0] ?? Number.NaN;
  const samples = await answers(tree, calls, rounds);
  const all = [...samples.values()].flat();
  const p95 = quantile(times(all), 0.95);
  const unanswered = calls.filter(
    ({ title, inputs }) => (samples.get(title)?.length ?? 0) < ANSWERED * inputs.length,
  );
  const { paths, textBytes, chunks } = tree;
  return {
    bench: "call-latency",
    corpus:
      `${tree.name}: ${paths.length} files, ${(textBytes / 1e6).toFixed(1)} MB, ${chunks} chunks; ` +
      `load average before ${load.toFixed(1)}`,
    rows: [...[...samples].map(([title, taken]) => row(title, taken)), row("all calls", all)],
    facts: [
      measures(
        "8/latency-target",
        `p95 of all MCP calls is ${p95.toFixed(0)} ms, up to ${TARGET_P95_MS} ms`,
        p95 <= TARGET_P95_MS,
      ),
      {
        text: `every tool answered${unanswered.map(({ title }) => `, but not ${title}`).join("")}`,
        holds: unanswered.length === 0,
      },
    ],
  };
}

/** By title, the calls that succeeded, with the first call of the server. */
async function answers(
  { root, env }: IndexedTree,
  calls: readonly ToolInputs[],
  rounds: number,
): Promise<ReadonlyMap<string, readonly Sample[]>> {
  const server = startServer(root, env);
  const samples = new Map<string, Sample[]>(calls.map(({ title }) => [title, []]));
  await greet(server);
  for (let round = 0; round < rounds; round += 1) {
    for (const { tool, title, inputs } of calls) {
      const input = inputs[round];
      if (input === undefined) continue;
      const ms = await timed(server, tool, input);
      if (ms !== undefined) samples.get(title)?.push({ ms, input });
    }
  }
  await server.client.close();
  return samples;
}

/** Milliseconds until the answer; undefined for an error. */
async function timed(server: Server, tool: string, input: Input): Promise<number | undefined> {
  const from = performance.now();
  try {
    await call(server, tool, input);
    return performance.now() - from;
  } catch {
    return undefined;
  }
}

function row(name: string, samples: readonly Sample[]): Row {
  const over = samples.filter(({ ms }) => ms > TARGET_P95_MS).length;
  const [slowest] = samples.toSorted((one, other) => other.ms - one.ms);
  const max = slowest?.ms.toFixed(0) ?? "-";
  const input = JSON.stringify(slowest?.input) ?? "";
  const note = `max ${max}, ${over} over ${TARGET_P95_MS} ms; slowest ${input.slice(0, 80)}`;
  return { name, unit: "ms", samples: times(samples), note };
}

function times(samples: readonly Sample[]): readonly number[] {
  return samples.map(({ ms }) => ms);
}
