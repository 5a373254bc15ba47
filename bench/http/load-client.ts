// node bench/http/load-client.ts: one of the client processes of http-load. It receives its task over
// its channel, and sends the results back.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";

import { nthRequest, type Kind, type Target } from "./mix.ts";
import { Wire } from "./wire.ts";

/** More than a client sends: no two begin with the same query. */
const REQUESTS_OF_ONE = 10_007;

export interface LoadOrder extends Target {
  readonly clients: number;
  readonly seconds: number;
  /** Makes the questions of this process differ from those of the others. */
  readonly offset: number;
}

export interface LoadOutcome {
  /** Milliseconds from the request to its answer, of those with a status of 2xx. */
  readonly answeredMs: Readonly<Partial<Record<Kind, readonly number[]>>>;
  readonly refusedMs: readonly number[];
  /** By status, with ` without Retry-After` if it is missing; 0 is a request without an answer. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly closedIdle: number;
  /** The delay of this process itself: the 99th percentile and the maximum. */
  readonly ownDelayMs: number;
  readonly ownDelayMaxMs: number;
}

process.once("message", (order: LoadOrder) => {
  void load(order).then((outcome) => process.send?.(outcome, () => process.disconnect()));
});

async function load(order: LoadOrder): Promise<LoadOutcome> {
  const outcome = {
    answeredMs: {} as Partial<Record<Kind, number[]>>,
    refusedMs: new Array<number>(),
    outcomes: {} as Record<string, number>,
    closedIdle: 0,
  };
  const own = monitorEventLoopDelay({ resolution: 5 });
  own.enable();
  const until = performance.now() + order.seconds * 1000;
  const clients = Array.from({ length: order.clients }, async (_, at) => {
    const wire = new Wire({ port: order.port });
    // Every other client waits for Retry-After; the rest retry at once.
    const isPolite = at % 2 === 0;
    for (let nth = (order.offset + at * 7) * REQUESTS_OF_ONE; performance.now() < until; nth += 1) {
      const { kind, text } = nthRequest(nth, order);
      const from = performance.now();
      const { status, retryAfter } = await wire.ask(text);
      const ms = performance.now() - from;
      const isAnswered = status >= 200 && status < 300;
      if (isAnswered) (outcome.answeredMs[kind] ??= []).push(ms);
      else if (status !== 0) outcome.refusedMs.push(ms);
      const note = isAnswered || retryAfter !== undefined ? "" : " without Retry-After";
      const name = `${status}${note}`;
      outcome.outcomes[name] = (outcome.outcomes[name] ?? 0) + 1;
      // The second that the server asks for, plus up to as much again, so that the clients do not all retry at once.
      if (isPolite && retryAfter !== undefined)
        await delay(retryAfter * 1000 * (1 + Math.random()));
    }
    wire.destroy();
    outcome.closedIdle += wire.closedIdle;
  });
  await Promise.all(clients);
  own.disable();
  return {
    ...outcome,
    ownDelayMs: own.percentile(99) / 1e6 - 5,
    ownDelayMaxMs: own.max / 1e6 - 5,
  };
}
