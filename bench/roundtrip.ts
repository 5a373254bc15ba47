// The time of a trivial call, and of a flood of lines that are not JSON: the protocol's share of the 250 ms that the
// interface allows a call (section 8) and of its 10 ms for stdio (4.4). The calls alternate with those to the servers
// of the official SDK.
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { FIXTURE_SERVER, spawnScript, type ServerProcess } from "../test/helpers/rpc.ts";
import { toolCall } from "./http/mix.ts";
import { Wire } from "./http/wire.ts";
import { onOneProcessor } from "./one-processor.ts";
import { comparedInPairs, comparedWith, quantile, type Report, type Row } from "./report.ts";
import type { Workspace } from "./workspace.ts";

/** Enough rounds for V8 to compile the code of all servers, also on a busy machine. */
const WARM_UP = 2000;
const LIMIT_P95_MS = 10;
const ECHO = { name: "echo", arguments: { text: "x" } };
const PEERS = join(import.meta.dirname, "roundtrip-server.ts");

type Ask = () => Promise<unknown>;

export function roundtrip(_workspace: Workspace, isSmoke: boolean): Promise<Report> {
  return onOneProcessor(() => measured(isSmoke));
}

async function measured(isSmoke: boolean): Promise<Report> {
  const rounds = isSmoke ? 1000 : 2000;
  const stdio = {
    "stdio, svc": await opened(FIXTURE_SERVER),
    "stdio, SDK 1": await opened(PEERS, "sdk1"),
    "stdio, SDK 2": await opened(PEERS, "sdk2"),
  };
  const child = fork(PEERS, ["http"]);
  try {
    const [ports = []]: (readonly [string, number])[][] = await once(child, "message");
    const asks = new Map<string, Ask>(
      Object.entries(stdio).map(([name, server]) => [name, () => callOver(server)]),
    );
    for (const [name, port] of ports) asks.set(`HTTP, ${name}`, overHttp(port));
    const times = await inTurn(asks, rounds);
    const rows = [...times].map(([name, samples]): Row => ({ name, unit: "ms", samples }));
    const of = (name: string): Row => rows.find((row) => row.name === name) ?? missing(name);
    const own = of("stdio, svc");
    const floods = isSmoke ? 50_000 : 1_000_000;
    const flood = await floodOf("svc", stdio["stdio, svc"], floods);
    const peerFlood = await floodOf("SDK 1", stdio["stdio, SDK 1"], floods);
    return {
      bench: "roundtrip",
      corpus: `one trivial tool; ${rounds} rounds; ${floods} bad lines, which the SDK does not answer`,
      rows: [
        comparedInPairs(own, of("stdio, SDK 1")),
        comparedInPairs({ ...own, name: "stdio, svc vs SDK 2" }, of("stdio, SDK 2")),
        of("stdio, SDK 1"),
        of("stdio, SDK 2"),
        comparedInPairs(of("HTTP, svc"), of("HTTP, SDK 1")),
        comparedInPairs({ ...of("HTTP, svc"), name: "HTTP, svc vs SDK 2" }, of("HTTP, SDK 2")),
        of("HTTP, SDK 1"),
        of("HTTP, SDK 2"),
        comparedWith(flood.time, peerFlood.time),
        peerFlood.time,
        { ...flood.memory, target: "50 MB" },
        peerFlood.memory,
      ],
      facts: [
        {
          text: `a call over stdio takes less than ${LIMIT_P95_MS} ms, p95`,
          holds: quantile(own.samples, 0.95) < LIMIT_P95_MS,
        },
      ],
    };
  } finally {
    child.disconnect();
    for (const { child: server } of Object.values(stdio)) server.kill();
  }
}

async function opened(script: string, ...args: readonly string[]): Promise<ServerProcess> {
  const server = spawnScript(script, ...args);
  const capabilities = { protocolVersion: "2025-11-25", capabilities: {} };
  await server.request("initialize", {
    ...capabilities,
    clientInfo: { name: "bench", version: "1" },
  });
  server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return server;
}

async function callOver(server: ServerProcess): Promise<void> {
  // The search for a reply covers only new lines: searching older ones would count as the server's time.
  server.received.length = 0;
  const { result } = await server.request("tools/call", ECHO);
  if (result === undefined) throw new Error("the call failed");
}

function overHttp(port: number): Ask {
  const target = { port, token: "any" };
  const wire = new Wire(target);
  const text = toolCall(ECHO.name, ECHO.arguments, target);
  return async () => {
    const { status } = await wire.ask(text);
    if (status !== 200) throw new Error(`the call was answered with ${status}`);
  };
}

/**
 * Each server follows every other one equally often, because work that the previous server does after its reply slows
 * down the next one.
 */
async function inTurn(
  asks: ReadonlyMap<string, Ask>,
  rounds: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const times = new Map<string, number[]>([...asks.keys()].map((name) => [name, []]));
  const orders = balancedOrders([...asks]);
  for (let round = 0; round < WARM_UP + rounds; round += 1) {
    for (const [name, ask] of orders[round % orders.length] ?? []) {
      const from = performance.now();
      await ask();
      if (round >= WARM_UP) times.get(name)?.push(performance.now() - from);
    }
  }
  return times;
}

/**
 * Orders in which each item follows every other one exactly once, for an even number of items: a Latin square after
 * E. J. Williams, "Experimental designs balanced for the estimation of residual effects of treatments", 1949.
 */
function balancedOrders<T>(items: readonly T[]): readonly (readonly T[])[] {
  const { length } = items;
  const steps = items.map((_item, at) =>
    at % 2 === 1 ? (at + 1) / 2 : (length - at / 2) % length,
  );
  return items.map((_item, row) => {
    const rotated = [...items.slice(row), ...items.slice(0, row)];
    return steps.flatMap((step) => rotated.slice(step, step + 1));
  });
}

/**
 * Sends lines that are not JSON, then a call: returns the time until the call is answered, and the maximum growth of
 * the process.
 */
async function floodOf(
  name: string,
  server: ServerProcess,
  lines: number,
): Promise<{ readonly time: Row; readonly memory: Row }> {
  const before = residentMb(server, "VmRSS");
  const from = performance.now();
  const block = "garbage {\n".repeat(1000);
  for (let sent = 0; sent < lines; sent += 1000) {
    server.received.length = 0;
    if (!server.child.stdin.write(block)) await once(server.child.stdin, "drain");
  }
  await callOver(server);
  const ms = performance.now() - from;
  const grown = residentMb(server, "VmHWM") - before;
  return {
    time: { name: `bad lines, ${name}`, unit: "ms", samples: [ms] },
    memory: { name: `bad lines, memory, ${name}`, unit: "MB", samples: [grown] },
  };
}

/** NaN if the system does not provide it. */
function residentMb({ child }: ServerProcess, name: string): number {
  if (process.platform !== "linux") return Number.NaN;
  const text = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1]) / 1024;
}

function missing(name: string): never {
  throw new Error(`${name} was not measured`);
}
