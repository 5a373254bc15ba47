// One process of a tool: its output, its time, and its peak memory.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

import { lineClient, peakRssBytes } from "../../timed-child.ts";
import type { Contender, Spot } from "./contender.ts";

const LOOK_EVERY_MS = 2;
const MAX_OUTPUT_BYTES = 1 << 28;
const TIMEOUT_MS = 120_000;
const PROTOCOL_VERSION = "2024-11-05";

export interface Printed {
  readonly output: string;
  /** From the start of the process to its end. */
  readonly ms: number;
}

/** Tools that find lines end with 1 if there are none; any other failure throws an error with the output. */
export function print([program = "", ...args]: readonly string[], { env, root }: Spot): Printed {
  const from = performance.now();
  const { error, status, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    env,
    encoding: "utf8",
    maxBuffer: MAX_OUTPUT_BYTES,
    timeout: TIMEOUT_MS,
  });
  const ms = performance.now() - from;
  if (error) throw error;
  if (status !== 0 && status !== 1) throw new Error(`${program} ended with ${status}: ${stderr}`);
  return { output: stdout, ms };
}

/** The largest size of a program and its children together, in bytes; undefined without /proc. */
export async function peakOf(
  [program = "", ...args]: readonly string[],
  { env, root }: Spot,
): Promise<number | undefined> {
  const child = spawn(program, args, { cwd: root, env, stdio: "ignore" });
  const end = once(child, "close").then(() => true);
  let peak = 0;
  const pid = child.pid ?? 0;
  do {
    const sizes = familyOf(pid).map((one) => peakRssBytes(one) ?? 0);
    peak = Math.max(
      peak,
      sizes.reduce((sum, size) => sum + size, 0),
    );
    // oxlint-disable-next-line no-await-in-loop -- one check after the other
  } while (!(await Promise.race([end, wait(LOOK_EVERY_MS, false)])));
  return peak === 0 ? undefined : peak;
}

function familyOf(pid: number): readonly number[] {
  return [pid, ...childrenOf(pid).flatMap(familyOf)];
}

function childrenOf(pid: number): readonly number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return text.split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

export interface AskedServer {
  /** Milliseconds from the call to its reply. */
  readonly ask: (query: string, limit: number) => Promise<number>;
  readonly close: () => Promise<void>;
}

/** Undefined for a tool without a server. */
export async function startServer(
  { server, name }: Contender,
  spot: Spot,
): Promise<AskedServer | undefined> {
  if (server === undefined) return undefined;
  const [program = "", ...args] = server.start(spot);
  const child = spawn(program, args, {
    cwd: spot.root,
    env: spot.env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const client = lineClient(child);
  await client.request("initialize", {
    protocolVersion: PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: "svc-bench", version: "1" },
  });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return {
    ask: async (query, limit) => {
      const from = performance.now();
      const input = server.input(query, limit);
      const result = await client.request("tools/call", { name: server.tool, arguments: input });
      const ms = performance.now() - from;
      if (isFailure(result)) throw new Error(`${name}: ${JSON.stringify(result)}`);
      return ms;
    },
    close: async () => {
      // Some servers do not end when their input ends.
      const ended = client.close().catch(() => undefined);
      const timer = setTimeout(() => child.kill(), 2000);
      await ended;
      clearTimeout(timer);
    },
  };
}

function isFailure(result: unknown): boolean {
  return (
    typeof result === "object" && result !== null && "isError" in result && result.isError === true
  );
}
