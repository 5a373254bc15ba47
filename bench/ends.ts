// Measures how long a server runs after its client has ended it while many calls are queued. It alternates with a
// server that is idle.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

import { comparedWith, type Report, type Row } from "./report.ts";
import { SVC, type Workspace } from "./workspace.ts";

const ENDS = ["end of input", "SIGTERM", "SIGINT"] as const;
type End = (typeof ENDS)[number];

/** The number of calls that may run at a time, and far more. */
const CALLS = [0, 64, 400] as const;
/** How long clients wait before they kill a server (mcp.md, S7). */
const TARGET_MS: Readonly<Record<End, number>> = {
  "end of input": 1000,
  SIGTERM: 1500,
  SIGINT: 1500,
};
/** On no machine, however busy, does an ending server take this long. */
const HANG_MS = 10_000;

export async function ends(workspace: Workspace, isSmoke: boolean): Promise<Report> {
  const samples = new Map<string, number[]>();
  // The first round, number 0, brings the files into memory. A smoke test has no budget for the times, and needs none.
  const [first, last] = isSmoke ? [1, 1] : [0, 15];
  for (let round = first; round <= last; round += 1) {
    for (const end of ENDS) {
      for (const calls of CALLS) {
        // One after the other on purpose: side by side they would slow each other down.
        const ms = await endBehind(calls, end, workspace);
        if (round > 0)
          samples.set(nameOf(calls, end), [...(samples.get(nameOf(calls, end)) ?? []), ms]);
      }
    }
  }
  const longest = Math.max(...[...samples.values()].flat());
  return {
    bench: "ends",
    corpus: `${workspace.corpus}, indexed`,
    rows: ENDS.flatMap((end) => rowsOf(samples, end)),
    facts: [
      {
        text: `every server has ended within ${HANG_MS / 1000} s; the slowest took ${Math.round(longest)} ms`,
        holds: longest < HANG_MS,
      },
    ],
  };
}

function nameOf(calls: number, end: End): string {
  return calls === 0 ? `idle, ${end}` : `${calls} calls in line, ${end}`;
}

function rowsOf(samples: ReadonlyMap<string, readonly number[]>, end: End): readonly Row[] {
  const row = (calls: number): Row => {
    const name = nameOf(calls, end);
    return {
      name,
      unit: "ms",
      samples: samples.get(name) ?? [],
      target: `at most ${TARGET_MS[end]}`,
    };
  };
  const [idle, ...busy] = CALLS.map(row);
  return idle === undefined ? [] : [idle, ...busy.map((one) => comparedWith(one, idle))];
}

/** Each call has another question, so that no answer comes from a cache. */
function call(id: number): string {
  const params = { name: "outline", arguments: { max_tokens: 4000 + id } };
  return `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })}\n`;
}

/** Milliseconds from the end of the session to the exit of a server with this many queued calls. */
async function endBehind(calls: number, end: End, { root, env }: Workspace): Promise<number> {
  const child = spawn(SVC, ["mcp", "--stdio", "--root", root], {
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const exited = new Promise((resolve) => child.once("close", resolve));
  const lines = createInterface({ input: child.stdout });
  const answered = new Promise((resolve) => lines.once("line", resolve));
  // Everything is loaded by then.
  child.stdin.write(call(calls));
  await answered;
  child.stdin.on("error", () => {});
  child.stdin.write(Array.from({ length: calls }, (_, id) => call(id)).join(""));
  const from = performance.now();
  if (end === "end of input") child.stdin.end();
  else child.kill(end);
  await exited;
  return performance.now() - from;
}
