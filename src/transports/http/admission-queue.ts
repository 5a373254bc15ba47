import { setImmediate } from "node:timers/promises";

import { SvcError } from "../../base/errors.ts";
import { FairTurns } from "./fair-turns.ts";
import type { HttpLimits } from "./limits.ts";
import { yieldToConnections } from "./yield-to-connections.ts";

type Limits = Pick<HttpLimits, "inFlight" | "inFlightOfOwner" | "queued" | "queueMs">;

/** The place of one call in the queue, from before its body is read until the call ends. */
export interface AdmissionTicket {
  /** Aborted with the reason when the call will not begin: it was refused, or its client has gone. */
  readonly signal: AbortSignal;
  /** Resolves when the call may begin. Rejects with the reason of `signal`. */
  readonly waitForTurn: () => Promise<void>;
  /** Call it in every case, however the call ended. */
  readonly leave: () => void;
}

/**
 * Admits calls up to a maximum number of waiting ones, runs a fixed number at once, and refuses a call that has
 * waited too long. A call that has begun is never refused; nor is one that waits while no other runs.
 */
export class AdmissionQueue {
  readonly #limits: Limits;
  readonly #taken: () => number;
  readonly #turns: FairTurns<QueuedCall>;
  #isBeginning = false;

  /** @param taken Returns the number of connections accepted so far. */
  constructor(limits: Limits, taken: () => number) {
    this.#limits = limits;
    this.#taken = taken;
    this.#turns = new FairTurns(limits.inFlightOfOwner);
  }

  /** Number of calls that are running. */
  get inFlight(): number {
    return this.#turns.running;
  }

  /** Number of calls that have a place and have not begun. */
  get waiting(): number {
    return this.#turns.waiting;
  }

  /** Throws OVERLOADED when the queue is full and the credential already has its share of it. */
  enter(owner: string, gone: AbortSignal): AdmissionTicket {
    if (this.#turns.waiting >= this.#limits.queued) this.#displaceCall(owner);
    const call = new QueuedCall(owner);
    gone.addEventListener("abort", () => call.refuse(gone.reason), { once: true });
    if (gone.aborted) call.refuse(gone.reason);
    this.#turns.enter(call);
    return {
      signal: call.signal,
      waitForTurn: () => this.#turn(call),
      leave: () => {
        this.#turns.leave(call);
        void this.#begin();
      },
    };
  }

  /** Refuses all calls that have not begun, because the server is shutting down. */
  refuseWaiting(): void {
    for (const call of this.#turns.allWaiting()) call.refuse(ending());
  }

  #displaceCall(owner: string): void {
    const displaced = this.#turns.displacedBy(owner);
    if (displaced === undefined) throw overloaded();
    displaced.refuse(overloaded());
    this.#turns.leave(displaced);
  }

  async #turn(call: QueuedCall): Promise<void> {
    call.signal.throwIfAborted();
    const timer = setTimeout(() => {
      // The process was stopped or starved during the whole wait: this call is the next to begin.
      if (this.#turns.running === 0) timer.refresh();
      else call.refuse(overloaded());
    }, this.#limits.queueMs);
    const turn = call.wait(timer);
    this.#turns.ready(call);
    void this.#begin();
    await turn;
  }

  /**
   * Begins calls one by one, each in its own pass of the event loop. A call whose data is in memory runs to its end
   * without a pause. If several began in one pass, timers, connections and requests would wait for all of them.
   */
  async #begin(): Promise<void> {
    if (this.#isBeginning) return;
    this.#isBeginning = true;
    let call = this.#next();
    while (call !== undefined) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await yieldToConnections(this.#taken);
      call.begin();
      // Taken before the pass, in which the call may end: while calls wait, one is always running.
      const following = this.#next();
      // oxlint-disable-next-line no-await-in-loop -- a pass for each
      await setImmediate();
      call = following ?? this.#next();
    }
    this.#isBeginning = false;
  }

  /** Returns the next call. It counts as running from now on and is no longer refused for having waited. */
  #next(): QueuedCall | undefined {
    if (this.#turns.running >= this.#limits.inFlight) return undefined;
    const call = this.#turns.takeNext();
    call?.endWait();
    return call;
  }
}

/** One call until it begins. */
class QueuedCall {
  readonly owner: string;
  readonly #ended = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #resolve: (() => void) | undefined;

  constructor(owner: string) {
    this.owner = owner;
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** @param timer Cleared when the wait ends. */
  wait(timer: NodeJS.Timeout): Promise<void> {
    this.#timer = timer;
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.signal.addEventListener("abort", () => reject(this.signal.reason), { once: true });
    });
  }

  refuse(reason: unknown): void {
    this.endWait();
    this.#ended.abort(reason);
  }

  endWait(): void {
    clearTimeout(this.#timer);
  }

  begin(): void {
    this.#resolve?.();
  }
}

function ending(): SvcError {
  return new SvcError("OVERLOADED", "The server is shutting down and has not started this call.", {
    hint: "Try again in a second.",
    retryAfter: 1,
  });
}

function overloaded(): SvcError {
  return new SvcError("OVERLOADED", "The server is running the maximum number of calls.", {
    hint: "Try again in a second.",
    retryAfter: 1,
  });
}
