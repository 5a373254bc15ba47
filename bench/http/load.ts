// A thousand clients at once: the times of answered calls, whether the other calls are refused correctly, and the cost
// for the server.
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { quantile, type Report, type Row } from "../report.ts";
import { peakRssBytes, runningCpuMs } from "../timed-child.ts";
import type { Workspace } from "../workspace.ts";
import type { LoadOrder, LoadOutcome } from "./load-client.ts";
import { ASKED, get, type Kind } from "./mix.ts";
import { residentBytes, startServed, type Served } from "./served.ts";
import { Wire } from "./wire.ts";

export interface LoadEffort {
  readonly clients: number;
  readonly seconds: number;
}

/** Each has its own event loop: with all clients in one, answers would wait for each other. */
const PROCESSES = 4;
const PROBE_MS = 50;
const SAMPLE_MS = 250;
/** Below this, memory that is used for the first time looks like growth. */
const GROWTH_SECONDS = 30;
const GROWTH_LIMIT = 1.15;
const MB = 1e6;

export async function httpLoad(
  workspace: Workspace,
  { clients, seconds }: LoadEffort,
): Promise<Report> {
  const served = await startServed(workspace);
  const before = residentBytes(served.pid);
  const watch = watchServer(served);
  const cpuBefore = runningCpuMs(served.pid);
  const from = performance.now();
  const outcomes = await Promise.all(
    Array.from({ length: PROCESSES }, (_, at) =>
      runClients({
        port: served.port,
        token: served.token,
        key: served.key,
        clients: Math.ceil(clients / PROCESSES),
        seconds,
        offset: at * 1009,
      }),
    ),
  );
  const wallMs = performance.now() - from;
  const cpuMs = (runningCpuMs(served.pid) ?? NaN) - (cpuBefore ?? NaN);
  const { probes, resident } = watch.stop();
  const peak = peakRssBytes(served.pid);
  await delay(Math.min(10_000, seconds * 300));
  const after = residentBytes(served.pid);
  await served.close();
  const memory = { before, resident, peak, after };
  return report(workspace, { clients, seconds, outcomes, wallMs, cpuMs, probes, memory });
}

async function runClients(order: LoadOrder): Promise<LoadOutcome> {
  const child = fork(join(import.meta.dirname, "load-client.ts"));
  const ended = once(child, "exit");
  child.send(order);
  const answer = once(child, "message");
  const [outcome]: unknown[] = await Promise.race([
    answer,
    ended.then(([code]) => Promise.reject(new Error(`a client process ended with ${code}`))),
  ]);
  await ended;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what load-client.ts sends
  return outcome as LoadOutcome;
}

/** The delay of the server's event loop as a client sees it, and the server's memory. */
function watchServer({ port, pid }: Served): {
  readonly stop: () => { probes: readonly number[]; resident: readonly number[] };
} {
  const wire = new Wire({ port });
  const probes: number[] = [];
  const resident: number[] = [];
  const over = new AbortController();
  const probing = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const from = performance.now();
      await wire.ask(get("/healthz", { port }));
      probes.push(performance.now() - from);
      await delay(PROBE_MS);
    }
  };
  void probing();
  const sampling = setInterval(() => resident.push(residentBytes(pid) ?? NaN), SAMPLE_MS);
  return {
    stop() {
      over.abort();
      clearInterval(sampling);
      wire.destroy();
      return { probes, resident };
    },
  };
}

interface Measured extends LoadEffort {
  readonly outcomes: readonly LoadOutcome[];
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly probes: readonly number[];
  readonly memory: {
    readonly before: number | undefined;
    readonly resident: readonly number[];
    readonly peak: number | undefined;
    readonly after: number | undefined;
  };
}

function report(workspace: Workspace, measured: Measured): Report {
  const { clients, seconds, outcomes, wallMs, cpuMs, probes, memory } = measured;
  const answered = outcomes.flatMap(({ answeredMs }) => Object.values(answeredMs).flat());
  const refused = outcomes.flatMap(({ refusedMs }) => refusedMs);
  const counts = countsOf(outcomes);
  const ownDelays = outcomes.map(({ ownDelayMs }) => ownDelayMs);
  const rows: Row[] = [
    { name: "answered", unit: "ms", samples: answered, target: `p99 ${p99(answered)}` },
    ...ASKED.map((kind) => kindRow(kind, outcomes)),
    {
      name: "refused, with Retry-After",
      unit: "ms",
      samples: refused,
      target: p99(refused),
    },
    { name: "/healthz meanwhile", unit: "ms", samples: probes, target: `p99 ${p99(probes)}` },
    { name: "client processes, late by (p99)", unit: "ms", samples: ownDelays },
    { name: "answered in a second", unit: "calls", samples: [(answered.length * 1000) / wallMs] },
    { name: "server, cores in use", unit: "cores", samples: [cpuMs / wallMs] },
    memoryRow("resident before", memory.before),
    memoryRow("resident at most", memory.peak),
    memoryRow("resident afterwards", memory.after),
  ];
  const unexpected = Object.keys(counts).filter((name) => !/^(?:2\d\d|503|429)$/.test(name));
  const facts = [
    {
      text: `answers: ${JSON.stringify(counts)}; no other than 2xx, 503 and 429 with Retry-After`,
      holds: unexpected.length === 0,
    },
    { text: `there are answers: ${answered.length}`, holds: answered.length > 0 },
    ...growthFacts(memory.resident, seconds),
  ];
  return {
    bench: "http-load",
    corpus: `${workspace.corpus}, indexed; ${clients} clients, ${seconds} s, ${PROCESSES} client processes`,
    rows,
    facts,
  };
}

function growthFacts(resident: readonly number[], seconds: number): Report["facts"] {
  if (seconds < GROWTH_SECONDS || resident.some(Number.isNaN)) return [];
  const quarter = Math.floor(resident.length / 4);
  const third = quantile(resident.slice(-2 * quarter, -quarter), 0.5) / MB;
  const last = quantile(resident.slice(-quarter), 0.5) / MB;
  const text = `memory does not grow: ${third.toFixed(0)} MB in the third quarter, ${last.toFixed(0)} MB in the last`;
  return [{ text, holds: last <= third * GROWTH_LIMIT }];
}

function countsOf(outcomes: readonly LoadOutcome[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [name, count] of outcomes.flatMap(({ outcomes: some }) => Object.entries(some))) {
    counts[name] = (counts[name] ?? 0) + count;
  }
  return counts;
}

function kindRow(kind: Kind, outcomes: readonly LoadOutcome[]): Row {
  const samples = outcomes.flatMap(({ answeredMs }) => answeredMs[kind] ?? []);
  return { name: `  ${kind}`, unit: "ms", samples, target: `p99 ${p99(samples)}` };
}

function memoryRow(name: string, bytes: number | undefined): Row {
  return { name, unit: "MB", samples: bytes === undefined ? [] : [bytes / MB] };
}

function p99(samples: readonly number[]): string {
  return quantile(samples, 0.99).toFixed(0);
}
