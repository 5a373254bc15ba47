// What do good clients notice of bad ones, and what do bad ones get? Each round asks as long without them as with
// them, so that a machine that is busy with something else is so in both.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { quantile, type Report, type Row } from "../report.ts";
import type { Workspace } from "../workspace.ts";
import { HABITS, openSilent, pipeline, sendBody, slowClient, type SlowClient } from "./attacks.ts";
import { nthRequest } from "./mix.ts";
import { residentBytes, startServed, type Served } from "./served.ts";
import { Wire } from "./wire.ts";

const GOOD_CLIENTS = 4;
const PAUSE_MS = 20;
const CLOSED_WITHIN_MS = 15_000;
const BODY_BYTES = 200e6;
/** Beyond what the server takes on purpose, the system holds some for both ends. */
const TAKEN_LIMIT_BYTES = 16e6;
/** As many as the server takes ahead of their answers, and more than that. */
const PIPELINED = 32;
const PIPELINED_TOO_MANY = 5000;
const MB = 1e6;

interface Effort {
  readonly rounds: number;
  readonly windowMs: number;
  readonly slow: number;
  readonly silent: number;
  /** Whether to wait until the server has closed them. */
  readonly waits: boolean;
}

type Fact = Report["facts"][number];

export async function httpAbuse(workspace: Workspace, isSmoke: boolean): Promise<Report> {
  const effort: Effort = isSmoke
    ? { rounds: 2, windowMs: 700, slow: 300, silent: 1000, waits: false }
    : { rounds: 3, windowMs: 4000, slow: 300, silent: 10_000, waits: true };
  const served = await startServed(workspace);
  const secured = await startServed(workspace, tlsFlags(workspace));
  try {
    // Pages that are read and code that is compiled for the first time are nobody's attack.
    await askWell(served, effort.windowMs);
    const slow = await slowFacts({ served, secured }, effort);
    const silent = await silentFacts(served, effort);
    const facts = [
      ...slow.facts,
      ...(await bodyFacts(served)),
      ...silent.facts,
      await pipelineFact(served),
    ];
    return {
      bench: "http-abuse",
      corpus: `${workspace.corpus}, indexed; ${GOOD_CLIENTS} good clients, ${effort.slow} slow ones, ${effort.silent} silent ones`,
      rows: [...slow.rows, ...silent.rows],
      facts,
    };
  } finally {
    await Promise.all([served.close(), secured.close()]);
  }
}

/** Milliseconds of each answered call of the good clients. */
async function askWell(served: Served, ms: number): Promise<readonly number[]> {
  const times: number[] = [];
  const until = performance.now() + ms;
  await Promise.all(
    Array.from({ length: GOOD_CLIENTS }, async (_, at) => {
      const wire = new Wire(served);
      for (let nth = at * 101; performance.now() < until; nth += 1) {
        const from = performance.now();
        const { status } = await wire.ask(nthRequest(nth, served).text);
        // One that is refused counts as the worst there is.
        times.push(status === 200 ? performance.now() - from : Infinity);
        await delay(PAUSE_MS);
      }
      wire.destroy();
    }),
  );
  return times;
}

async function slowFacts(
  { served, secured }: { readonly served: Served; readonly secured: Served },
  { rounds, windowMs, slow, waits }: Effort,
): Promise<{ rows: readonly Row[]; facts: readonly Fact[] }> {
  const before: number[] = [];
  const during: number[] = [];
  const closedAfter: number[] = [];
  let stillOpen: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    before.push(...(await askWell(served, windowMs)));
    const clients = openSlow(served, secured, slow);
    during.push(...(await askWell(served, windowMs)));
    if (waits && round === rounds - 1) await untilClosed(clients);
    for (const { habit, closedAfterMs, destroy } of clients) {
      const ms = closedAfterMs();
      if (ms === undefined) stillOpen.push(habit);
      else closedAfter.push(ms);
      destroy();
    }
    await delay(200);
    if (waits && round < rounds - 1) stillOpen = [];
  }
  const rows = ratioRows("slow clients", before, during);
  if (!waits) return { rows, facts: [] };
  const text = `the slow clients of the last round are closed within ${CLOSED_WITHIN_MS / 1000} s; open: ${stillOpen.length} ${[...new Set(stillOpen)].join(", ")}`;
  rows.push({ name: "slow clients, closed after", unit: "ms", samples: closedAfter });
  return { rows, facts: [{ text, holds: stillOpen.length === 0 }] };
}

interface NamedClient extends SlowClient {
  readonly habit: string;
}

/** A quarter of each kind; those that speak to TLS find a server of the same machine. */
function openSlow(served: Served, secured: Served, count: number): readonly NamedClient[] {
  const habits = Object.entries(HABITS);
  return Array.from({ length: count }, (_, at) => {
    const [name, habit] = habits[at % habits.length] ?? ["headers", HABITS.headers];
    return { habit: name, ...slowClient(habit, name === "handshake" ? secured : served) };
  });
}

async function untilClosed(clients: readonly NamedClient[]): Promise<void> {
  const until = performance.now() + CLOSED_WITHIN_MS;
  while (
    performance.now() < until &&
    clients.some(({ closedAfterMs }) => closedAfterMs() === undefined)
  ) {
    await delay(100);
  }
}

/** The 95th percentile during, as a multiple of that before. */
function ratioRows(name: string, before: readonly number[], during: readonly number[]): Row[] {
  const [reference, attacked] = [`before the ${name}`, `during the ${name}`];
  const value = quantile(during, 0.95) / quantile(before, 0.95);
  return [
    { name: reference, unit: "ms", samples: before },
    { name: attacked, unit: "ms", samples: during, ratio: { value, to: `p95 ${reference}` } },
  ];
}

async function bodyFacts(served: Served): Promise<readonly Fact[]> {
  const facts: Fact[] = [];
  for (const isChunked of [false, true]) {
    const before = residentBytes(served.pid) ?? 0;
    const { takenBytes, status } = await sendBody(served, { bytes: BODY_BYTES, isChunked });
    const grown = (residentBytes(served.pid) ?? 0) - before;
    const how = isChunked ? "in chunks" : "of a declared length";
    const text = `a body of 200 MB ${how} is refused with ${status}; taken: ${(takenBytes / MB).toFixed(1)} MB, memory: ${(grown / MB).toFixed(0)} MB more`;
    facts.push({ text, holds: status === 413 && takenBytes < TAKEN_LIMIT_BYTES });
  }
  return facts;
}

async function silentFacts(
  served: Served,
  { silent, windowMs, waits }: Effort,
): Promise<{ rows: readonly Row[]; facts: readonly Fact[] }> {
  const before = await askWell(served, windowMs);
  const memoryBefore = residentBytes(served.pid) ?? NaN;
  const crowd = openSilent(served, silent);
  await delay(waits ? 2000 : 200);
  const during = await askWell(served, windowMs);
  const memory = ((residentBytes(served.pid) ?? NaN) - memoryBefore) / MB;
  const rows = ratioRows("silent clients", before, during);
  rows.push({ name: "memory of the silent clients", unit: "MB", samples: [memory] });
  const facts: Fact[] = [
    {
      text: "good clients are answered beside the silent ones",
      holds: during.every(Number.isFinite),
    },
  ];
  if (waits) {
    const until = performance.now() + CLOSED_WITHIN_MS;
    while (performance.now() < until && crowd.open() > 0) await delay(100);
    facts.push({
      text: `silent clients are closed; open: ${crowd.open()}`,
      holds: crowd.open() === 0,
    });
  }
  crowd.destroy();
  return { rows, facts };
}

async function pipelineFact(served: Served): Promise<Fact> {
  const statuses = await pipeline(served, PIPELINED);
  const tooMany = await pipeline(served, PIPELINED_TOO_MANY);
  const text = `of ${PIPELINED} requests at once on a connection ${statuses.length} are answered, of ${PIPELINED_TOO_MANY} ${tooMany.length}`;
  const isAnswered = [...statuses, ...tooMany].every((status) => /^(?:200|503)$/.test(status));
  return { text, holds: isAnswered && statuses.length === PIPELINED && tooMany.length < 100 };
}

/** A certificate for this run alone. */
function tlsFlags({ dataDirectory }: Workspace): readonly string[] {
  const [key, cert] = [
    join(dataDirectory, "../bench-key.pem"),
    join(dataDirectory, "../bench-cert.pem"),
  ];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  const subject = ["-subj", "/CN=localhost", "-days", "1", "-nodes"];
  const files = ["-keyout", key, "-out", cert];
  execFileSync("openssl", ["req", "-x509", ...curve, ...subject, ...files], { stdio: "ignore" });
  return ["--tls-cert", cert, "--tls-key", key];
}
