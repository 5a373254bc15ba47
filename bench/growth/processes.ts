// Children of this bench: scripts of this folder that print one line of JSON, and figures of any process.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

import { lineClient, type LineClient } from "../timed-child.ts";
import { SVC, type Environment } from "../workspace.ts";

/** A server that uses no processor time for this long is idle. */
const REST_MS = 150;

/** Runs a script of this folder under this Node, with `input` as JSON; resolves with its output. */
export async function runScript<T>(script: string, input: unknown): Promise<T> {
  const child = spawn(process.execPath, [script, JSON.stringify(input)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [pieces, code] = await Promise.all([
    child.stdout.toArray(),
    new Promise((resolve) => child.once("close", resolve)),
  ]);
  if (code !== 0) throw new Error(`${script} ended with ${String(code)}`);
  const result: T = JSON.parse(Buffer.concat(pieces).toString());
  return result;
}

export interface Server {
  readonly client: LineClient;
  readonly pid: number;
  readonly kill: () => Promise<void>;
}

/** `svc mcp --stdio` for a folder, before the handshake. */
export function startServer(root: string, env: Environment, svc = SVC): Server {
  const child = spawn(svc, ["mcp", "--stdio", "--root", root], {
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const client = lineClient(child);
  return {
    client,
    pid: child.pid ?? 0,
    kill: async () => {
      child.kill("SIGKILL");
      await client.close().catch(() => undefined);
    },
  };
}

export function greet({ client }: Server): Promise<unknown> {
  return client.request("initialize", { clientInfo: { name: "bench" } });
}

/** Rejects if the tool fails. */
export async function call(
  { client }: Server,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<void> {
  const result = await client.request("tools/call", { name, arguments: input });
  if (isFailure(result)) throw new Error(`${name}: ${JSON.stringify(result)}`);
}

function isFailure(result: unknown): boolean {
  return (
    typeof result === "object" && result !== null && "isError" in result && result.isError === true
  );
}

/** Processor time of each thread by its id, in milliseconds, exact; empty without /proc. */
export type ThreadTimes = ReadonlyMap<string, number>;

/** From schedstat (kernel, sched-stats): /proc/PID/stat counts in steps of 10 ms. */
export function threadTimes(pid: number): ThreadTimes {
  const times = new Map<string, number>();
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const text = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8");
      times.set(thread, Number(text.split(" ")[0]) / 1e6);
    }
  } catch {
    // The process or a thread of it has ended, or there is no /proc.
  }
  return times;
}

/** The time that the present threads have used since; that of ended threads is unknown. */
export function cpuSince(pid: number, before: ThreadTimes): number | undefined {
  const current = threadTimes(pid);
  if (current.size === 0) return undefined;
  let sum = 0;
  for (const [thread, time] of current) sum += time - (before.get(thread) ?? 0);
  return sum;
}

/** Waits until a server is idle. */
export async function rest(pid: number): Promise<void> {
  for (;;) {
    const before = threadTimes(pid);
    await wait(REST_MS);
    if ((cpuSince(pid, before) ?? 0) < 1) return;
  }
}
