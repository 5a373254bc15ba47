import { SvcError } from "../../base/errors.ts";
import { Slots } from "../../base/slots.ts";
import type { Exchange } from "./exchange.ts";
import { Turns } from "./turns.ts";

interface Size {
  readonly inFlight: number;
  readonly queueMs: number;
}

/**
 * Lets a fixed number of calls work at a time. Who cannot begin soon is turned away instead of kept in
 * a queue: an answer that comes too late costs as much as one that is of use.
 */
export class WaitingRoom {
  readonly #slots: Slots;
  readonly #turns: Turns;
  readonly #waitMs: number;
  #inFlight = 0;

  /** @param arrivals How many connections have been taken so far. */
  constructor({ inFlight, queueMs }: Size, arrivals: () => number) {
    this.#slots = new Slots(inFlight);
    this.#turns = new Turns(arrivals);
    this.#waitMs = queueMs;
  }

  /** How many are at work now. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** What `work` comes to. Throws OVERLOADED; rejects with the signal's reason when the client goes. */
  async run<T>({ gone }: Exchange, work: () => Promise<T>): Promise<T> {
    const arrivedAt = performance.now();
    const patience = new AbortController();
    const leave = (): void => patience.abort(gone.reason);
    const timer = setTimeout(() => patience.abort(overloaded()), this.#waitMs);
    gone.addEventListener("abort", leave, { once: true });
    if (gone.aborted) leave();
    try {
      patience.signal.throwIfAborted();
      await this.#slots.take(patience.signal);
    } finally {
      clearTimeout(timer);
      gone.removeEventListener("abort", leave);
    }
    this.#inFlight += 1;
    try {
      await this.#turns.next();
      gone.throwIfAborted();
      if (performance.now() - arrivedAt > this.#waitMs) throw overloaded();
      return await work();
    } finally {
      this.#inFlight -= 1;
      this.#slots.release();
    }
  }
}

function overloaded(): SvcError {
  return new SvcError("OVERLOADED", "The server is at work on as many calls as it takes.", {
    hint: "Try again in a second.",
    retryAfter: 1,
  });
}
