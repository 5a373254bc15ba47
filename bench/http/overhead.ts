// The overhead of HTTP for a call. The same calls alternate between the process with the engine, svc's server and that
// of the official SDK with the same engine, and the built program.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

import { QUESTIONS } from "../questions.ts";
import { median, type Report, type Row } from "../report.ts";
import type { Workspace } from "../workspace.ts";
import { toolCall } from "./mix.ts";
import type { ToolCall } from "./overhead-server.ts";
import { startServed } from "./served.ts";
import { Wire } from "./wire.ts";

const WARM_UP = 40;
const TARGET = "1 ms over the call";

/** Resolves with the milliseconds that a call took. */
type Ask = (call: ToolCall) => Promise<number>;

const KINDS: Readonly<Record<string, (nth: number) => ToolCall>> = {
  read_context: (nth) => ({
    name: "read_context",
    input: {
      targets: [`lib/Compiler.js:${1 + (nth % 500)}-${20 + (nth % 500)}`],
      max_tokens: 2000 + Math.floor(nth / 500),
    },
  }),
  // Another limit in each round, because a cached answer would not measure a query.
  search_context: (nth) => ({
    name: "search_context",
    input: {
      query: QUESTIONS[nth % QUESTIONS.length],
      limit: 5 + (Math.floor(nth / QUESTIONS.length) % 40),
    },
  }),
};

export async function httpOverhead(workspace: Workspace, isSmoke: boolean): Promise<Report> {
  const rounds = isSmoke ? 40 : 1000;
  const served = await startServed(workspace);
  const child = fork(join(import.meta.dirname, "overhead-server.ts"), [workspace.root], {
    env: workspace.env,
  });
  const ended = once(child, "exit");
  try {
    const { own, peer } = await answerOf<{ own: number; peer: number }>(child, ended);
    const asks: Readonly<Record<string, Ask>> = {
      "in the process": (call) => {
        child.send(call);
        return answerOf<number>(child, ended);
      },
      "svc's server": overHttp({ port: own, token: "any" }),
      "SDK 1 server": overHttp({ port: peer, token: "any" }),
      "svc serve": overHttp(served),
    };
    const rows: Row[] = [];
    for (const [kind, callOf] of Object.entries(KINDS)) {
      rows.push(...rowsOf(kind, await inTurn(asks, callOf, rounds)));
    }
    return {
      bench: "http-overhead",
      corpus: `${workspace.corpus}, indexed; ${rounds} rounds`,
      rows,
      facts: [],
    };
  } finally {
    child.disconnect();
    await ended;
    await served.close();
  }
}

async function answerOf<T>(child: ChildProcess, ended: Promise<unknown[]>): Promise<T> {
  const over = ended.then(([code]) =>
    Promise.reject(new Error(`the server ended with ${String(code)}`)),
  );
  const [answer]: unknown[] = await Promise.race([once(child, "message"), over]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what overhead-server.ts sends
  return answer as T;
}

function overHttp(target: { readonly port: number; readonly token: string }): Ask {
  const wire = new Wire(target);
  return async ({ name, input }) => {
    const text = toolCall(name, input, target);
    const from = performance.now();
    const { status } = await wire.ask(text);
    const ms = performance.now() - from;
    if (status !== 200) throw new Error(`${name} was answered with ${status}`);
    return ms;
  };
}

/** Each round begins with another one, so that the effects of the previous one affect each in turn. */
async function inTurn(
  asks: Readonly<Record<string, Ask>>,
  callOf: (nth: number) => ToolCall,
  rounds: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const times = new Map<string, number[]>(Object.keys(asks).map((name) => [name, []]));
  const order = Object.entries(asks);
  for (let round = 0; round < WARM_UP + rounds; round += 1) {
    const first = round % order.length;
    for (const [name, ask] of [...order.slice(first), ...order.slice(0, first)]) {
      const ms = await ask(callOf(round));
      if (round >= WARM_UP) times.get(name)?.push(ms);
    }
  }
  return times;
}

function rowsOf(kind: string, times: ReadonlyMap<string, readonly number[]>): readonly Row[] {
  const bare = times.get("in the process") ?? [];
  return [...times].flatMap(([name, samples]): Row[] => {
    const row = { name: `${kind}, ${name}`, unit: "ms", samples };
    if (samples === bare) return [row];
    const ratio = { value: median(samples) / median(bare), to: `${kind}, in the process` };
    // Pairs from the same round, because the load of the machine affects both.
    const added = samples.map((ms, at) => ms - (bare[at] ?? NaN));
    const target = name.startsWith("svc") ? { target: TARGET } : {};
    return [
      { ...row, ratio },
      { name: "  added", unit: "ms", samples: added, ...target },
    ];
  });
}
