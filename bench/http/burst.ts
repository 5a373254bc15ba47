// Many calls at the same moment: the share of answered calls, and the cost of an answer compared with few calls.
import type { Report, Row } from "../report.ts";
import { runningCpuMs } from "../timed-child.ts";
import type { Workspace } from "../workspace.ts";
import { nthRequest } from "./mix.ts";
import { startServed, type Served } from "./served.ts";
import { Wire, type Reply } from "./wire.ts";

/** The first is the reference for the others. */
const CLIENTS = [8, 200, 1000];
/** Calls in each case of a round, divided among the clients: at least one each. */
const WHOLE = { rounds: 5, minCalls: 1000 };
const SMOKE = { rounds: 1, minCalls: 200 };
/** More than all rounds send: no two begin with the same query. */
const REQUESTS_OF_ROUND = 100_000;

interface Burst {
  /** Figures of each round. */
  readonly perCpuSecond: number[];
  readonly replies: Reply[];
}

export async function httpBurst(workspace: Workspace, isSmoke: boolean): Promise<Report> {
  const { rounds, minCalls } = isSmoke ? SMOKE : WHOLE;
  const bursts = new Map<number, Burst>(
    CLIENTS.map((clients) => [clients, { perCpuSecond: [], replies: [] }]),
  );
  const served = await startServed(workspace);
  try {
    await ask(served, { clients: 8, calls: minCalls, from: 0 });
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, [clients, burst]] of [...bursts].entries()) {
        const from = (1 + round * CLIENTS.length + at) * REQUESTS_OF_ROUND;
        const calls = Math.max(minCalls, clients);
        const cpuBefore = runningCpuMs(served.pid) ?? NaN;
        const replies = await ask(served, { clients, calls, from });
        const cpuMs = (runningCpuMs(served.pid) ?? NaN) - cpuBefore;
        burst.perCpuSecond.push((replies.filter(isAnswered).length * 1000) / cpuMs);
        burst.replies.push(...replies);
      }
    }
  } finally {
    await served.close();
  }
  return {
    bench: "http-burst",
    corpus: `${workspace.corpus}, indexed; ${rounds} rounds of at least ${minCalls} calls`,
    rows: rowsOf(bursts),
    facts: [...bursts].map(([clients, { replies }]) => factOf(clients, replies)),
  };
}

/** Every case has the same number of calls: each client sends its next one when it has the answer to the last. */
async function ask(
  served: Served,
  { clients, calls, from }: Readonly<Record<"clients" | "calls" | "from", number>>,
): Promise<readonly Reply[]> {
  const replies: Reply[] = [];
  let sent = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const wire = new Wire(served);
      while (sent < calls) {
        sent += 1;
        replies.push(await wire.ask(nthRequest(from + sent, served).text));
      }
      wire.destroy();
    }),
  );
  return replies;
}

function isAnswered({ status }: Reply): boolean {
  return status === 200;
}

function rowsOf(bursts: ReadonlyMap<number, Burst>): readonly Row[] {
  const [first] = bursts;
  if (first === undefined) return [];
  const [compared, { perCpuSecond: reference }] = first;
  return [...bursts].map(([clients, { perCpuSecond }]): Row => {
    const row = { name: `${clients} clients`, unit: "1/cpu s", samples: perCpuSecond };
    if (perCpuSecond === reference) return row;
    // Sums, not medians of ratios, because one round spans few ticks of the clock.
    const value = harmonicMean(reference) / harmonicMean(perCpuSecond);
    return { ...row, ratio: { value, to: `${compared} clients, CPU of an answer` } };
  });
}

function harmonicMean(rates: readonly number[]): number {
  return rates.length / rates.reduce((sum, rate) => sum + 1 / rate, 0);
}

function factOf(clients: number, replies: readonly Reply[]): Report["facts"][number] {
  const answered = replies.filter(isAnswered).length;
  const refused = replies.filter(({ status, retryAfter }) => status === 503 && retryAfter).length;
  const lost = replies.length - answered - refused;
  return {
    text: `${clients} clients: ${answered} answered, ${refused} refused with Retry-After, ${lost} otherwise`,
    holds: lost === 0,
  };
}
