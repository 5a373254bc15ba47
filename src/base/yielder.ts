import { yieldTurn } from "./turns.ts";

/** How often other calls can run. */
const YIELD_INTERVAL_MS = 15;

/**
 * Splits long work into slices. Between slices the event loop reads messages and runs timers, so that a call
 * can be cancelled while it works.
 */
export class Yielder {
  #end = performance.now() + YIELD_INTERVAL_MS;

  /** Await this between two steps. It waits only if the slice's time is over. */
  async yieldIfDue(): Promise<void> {
    if (performance.now() <= this.#end) return;
    await yieldTurn();
    this.#end = performance.now() + YIELD_INTERVAL_MS;
  }
}
