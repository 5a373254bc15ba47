import { setImmediate } from "node:timers/promises";

import { SvcError } from "../../base/errors.ts";
import { FairTurns } from "./fair-turns.ts";
import type { HttpLimits } from "./limits.ts";
import { yieldToConnections } from "./yield-to-connections.ts";

type Limits = Pick<HttpLimits, "inFlight" | "inFlightOfOwner" | "queued" | "queueMs">;

/** The place of one call, from before its body is read to its end. */
export interface AdmissionTicket {
  /** Aborted, with the reason, when the call will not begin: it is refused, or its client has gone. */
  readonly signal: AbortSignal;
  /** Resolves when the call may begin. Rejects with the reason of `signal`. */
  readonly waitForTurn: () => Promise<void>;
  /** To be called in any case, however the call ended. */
  readonly leave: () => void;
}

/**
 * Admits calls by how many wait, lets a fixed number work at a time, and refuses a call that has waited
 * too long. A call that was begun is never refused, and neither is one while no other is at work.
 */
export class AdmissionQueue {
  readonly #limits: Limits;
  readonly #taken: () => number;
  readonly #turns: FairTurns<QueuedCall>;
  #isBeginning = false;

  /** @param taken How many connections have been taken so far. */
  constructor(limits: Limits, taken: () => number) {
    this.#limits = limits;
    this.#taken = taken;
    this.#turns = new FairTurns(limits.inFlightOfOwner);
  }

  /** How many calls are at work now. */
  get inFlight(): number {
    return this.#turns.atWork;
  }

  /** How many have a place and have not begun. */
  get waiting(): number {
    return this.#turns.waiting;
  }

  /** Throws OVERLOADED when the queue is full, and the credential has its share of it. */
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

  /** Refuses all that have not begun: the server is about to end. */
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
      // The process was stopped, or starved, for the whole wait: this call is the next to begin.
      if (this.#turns.atWork === 0) timer.refresh();
      else call.refuse(overloaded());
    }, this.#limits.queueMs);
    const turn = call.wait(timer);
    this.#turns.ready(call);
    void this.#begin();
    await turn;
  }

  /**
   * Begins calls one after the other, each in a pass of the event loop of its own. A call that reads what is
   * in memory runs to its end without a pause; were several begun in one pass, clocks, connections and
   * requests would wait for all of them.
   */
  async #begin(): Promise<void> {
    if (this.#isBeginning) return;
    this.#isBeginning = true;
    let call = this.#next();
    while (call !== undefined) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await yieldToConnections(this.#taken);
      call.begin();
      // Before the pass, in which the call may end: while calls wait one is always at work.
      const following = this.#next();
      // oxlint-disable-next-line no-await-in-loop -- a pass for each
      await setImmediate();
      call = following ?? this.#next();
    }
    this.#isBeginning = false;
  }

  /** The call whose turn it is. It counts as at work, and is no longer refused for having waited. */
  #next(): QueuedCall | undefined {
    if (this.#turns.atWork >= this.#limits.inFlight) return undefined;
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
  return new SvcError("OVERLOADED", "The server is about to end, and has not begun this call.", {
    hint: "Try again in a second.",
    retryAfter: 1,
  });
}

function overloaded(): SvcError {
  return new SvcError("OVERLOADED", "The server is at work on as many calls as it takes.", {
    hint: "Try again in a second.",
    retryAfter: 1,
  });
}
