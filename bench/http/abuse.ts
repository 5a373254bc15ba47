// Measures the effect of bad clients on good ones, and the responses that they get. Each round lasts as long without
// them as with them, so that other load on the machine affects both.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { quantile, type Report, type Row } from "../report.ts";
import type { Workspace } from "../workspace.ts";
import { HABITS, openSilent, pipeline, sendBody, slowClient, type Attacker } from "./attacks.ts";
import { nthRequest } from "./mix.ts";
import { openSockets, residentBytes, startServed, type Served } from "./served.ts";
import { Wire } from "./wire.ts";

const GOOD_CLIENTS = 4;
const PAUSE_MS = 20;
/**
 * Time limit for closing the connections, counted from the moment when the good clients run together with the bad ones.
 */
const CLOSED_WITHIN_MS = 11_000;
const BODY_BYTES = 200e6;
/** In addition to what the server reads on purpose, the system buffers some for both ends. */
const TAKEN_LIMIT_BYTES = 16e6;
/** As many requests as the server accepts before their answers, and more than that. */
const PIPELINED = 8;
const PIPELINED_TOO_MANY = 5000;
const MB = 1e6;

interface Effort {
  readonly rounds: number;
  readonly windowMs: number;
  readonly slow: number;
  readonly silent: number;
  /** Whether to wait until the server has closed the connections, and to check times. */
  readonly isWhole: boolean;
}

interface Servers {
  readonly served: Served;
  /** Whether to connect over TLS. */
  readonly secured: Served;
}

type Fact = Report["facts"][number];

export async function httpAbuse(workspace: Workspace, isSmoke: boolean): Promise<Report> {
  const effort: Effort = isSmoke
    ? { rounds: 2, windowMs: 700, slow: 300, silent: 1000, isWhole: false }
    : { rounds: 3, windowMs: 4000, slow: 300, silent: 10_000, isWhole: true };
  const served = await startServed(workspace);
  const secured = await startServed(workspace, tlsFlags(workspace));
  const servers = { served, secured };
  try {
    // Pages that are read and code that is compiled for the first time are not part of an attack.
    await askWell(served, effort.windowMs);
    const slow = await slowFacts(servers, effort);
    const silent = await silentFacts(servers, effort);
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

/** Milliseconds of each answered call from the good clients. */
async function askWell(served: Served, ms: number): Promise<readonly number[]> {
  const times: number[] = [];
  const until = performance.now() + ms;
  await Promise.all(
    Array.from({ length: GOOD_CLIENTS }, async (_, at) => {
      const wire = new Wire(served);
      for (let nth = at * 101; performance.now() < until; nth += 1) {
        const from = performance.now();
        const { status } = await wire.ask(nthRequest(nth, served).text);
        // A refused call has waited for the refusal; a lost call counts as the worst time.
        times.push(status === 0 ? Infinity : performance.now() - from);
        await delay(PAUSE_MS);
      }
      wire.destroy();
    }),
  );
  return times;
}

async function slowFacts(
  servers: Servers,
  { rounds, windowMs, slow, isWhole }: Effort,
): Promise<{ rows: readonly Row[]; facts: readonly Fact[] }> {
  const before: number[] = [];
  const during: number[] = [];
  const facts: Fact[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    before.push(...(await askWell(servers.served, windowMs)));
    const held = heldBy(servers);
    const clients = openSlow(servers, slow);
    during.push(...(await askWell(servers.served, windowMs)));
    if (isWhole && round === rounds) facts.push(await closedFact("slow clients", servers, held));
    for (const client of clients) client.destroy();
    await untilHeld(servers, held);
  }
  return { rows: ratioRows("slow clients", { before, during, isWhole }), facts };
}

/** A quarter of each kind; clients with TLS have a separate server. */
function openSlow({ served, secured }: Servers, count: number): readonly Attacker[] {
  const habits = Object.entries(HABITS);
  return Array.from({ length: count }, (_, at) => {
    const [name, habit] = habits[at % habits.length] ?? ["headers", HABITS.headers];
    return slowClient(habit, name === "handshake" ? secured : served);
  });
}

/** Connections that the servers hold. A client that does not read would not notice that one is closed. */
function heldBy(servers: Servers): number {
  return openSockets(servers.served.pid) + openSockets(servers.secured.pid);
}

/** Waits until the servers hold at most this many connections. Returns the number that they then hold. */
async function untilHeld(servers: Servers, count: number): Promise<number> {
  const until = performance.now() + CLOSED_WITHIN_MS;
  while (performance.now() < until && heldBy(servers) > count) await delay(100);
  return heldBy(servers);
}

async function closedFact(who: string, servers: Servers, held: number): Promise<Fact> {
  const from = performance.now();
  const left = (await untilHeld(servers, held)) - held;
  const seconds = ((performance.now() - from) / 1000).toFixed(1);
  return {
    text: `connections of ${who} are closed, after ${seconds} s more; open: ${left}`,
    holds: left <= 0,
  };
}

/** The 95th percentile during the attack, as a multiple of that before; meaningless for a few calls. */
function ratioRows(
  name: string,
  {
    before,
    during,
    isWhole,
  }: { before: readonly number[]; during: readonly number[]; isWhole: boolean },
): Row[] {
  const [reference, attacked] = [`before the ${name}`, `during the ${name}`];
  const value = quantile(during, 0.95) / quantile(before, 0.95);
  return [
    { name: reference, unit: "ms", samples: before },
    {
      name: attacked,
      unit: "ms",
      samples: during,
      ...(isWhole && { ratio: { value, to: `p95 ${reference}` } }),
    },
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
  servers: Servers,
  { silent, windowMs, isWhole }: Effort,
): Promise<{ rows: readonly Row[]; facts: readonly Fact[] }> {
  const { served } = servers;
  const before = await askWell(served, windowMs);
  const held = heldBy(servers);
  const resident = residentBytes(served.pid) ?? NaN;
  const crowd = openSilent(served, silent);
  // Opening the connections keeps this process busy, which is not the server's time.
  await crowd.opened;
  const during = await askWell(served, windowMs);
  const memory = ((residentBytes(served.pid) ?? NaN) - resident) / MB;
  const facts: Fact[] = [
    { text: "good clients are answered during silent ones", holds: during.every(Number.isFinite) },
  ];
  if (isWhole) facts.push(await closedFact("silent clients", servers, held));
  crowd.destroy();
  const rows = ratioRows("silent clients", { before, during, isWhole });
  return {
    rows: [...rows, { name: "memory with silent clients", unit: "MB", samples: [memory] }],
    facts,
  };
}

async function pipelineFact(served: Served): Promise<Fact> {
  const statuses = await pipeline(served, PIPELINED);
  const tooMany = await pipeline(served, PIPELINED_TOO_MANY);
  const text = `of ${PIPELINED} requests at once on a connection ${statuses.length} are answered, of ${PIPELINED_TOO_MANY} ${tooMany.length}`;
  const isAnswered = [...statuses, ...tooMany].every((status) => /^(?:200|503)$/.test(status));
  return { text, holds: isAnswered && statuses.length === PIPELINED && tooMany.length < 100 };
}

/** A certificate for this run only. */
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
