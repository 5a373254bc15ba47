import { yieldTurn } from "./turns.ts";

/** How often other calls can run. */
const YIELD_INTERVAL_MS = 15;

/**
 * Splits long work into slices. Between slices the event loop reads messages and runs timers, so that a call
 * can be cancelled while it works.
 */
export class Yielder {
  readonly #intervalMs: number;
  readonly #turn: () => Promise<void>;
  #end: number;

  /** `turn` resolves when the work may continue. */
  constructor(intervalMs = YIELD_INTERVAL_MS, turn = yieldTurn) {
    this.#intervalMs = intervalMs;
    this.#turn = turn;
    this.#end = performance.now() + intervalMs;
  }

  /** Await this between two steps. It waits only if the slice's time is over. */
  async yieldIfDue(): Promise<void> {
    if (performance.now() <= this.#end) return;
    await this.#turn();
    this.#end = performance.now() + this.#intervalMs;
  }
}
