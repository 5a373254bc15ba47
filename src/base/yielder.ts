import { yieldTurn } from "./turns.ts";

/** Other calls get their turn this often. */
const YIELD_INTERVAL_MS = 15;

/**
 * Cuts long work into slices. Between two of them messages are read, so that a call can be cancelled while it works,
 * and clocks strike.
 */
export class Yielder {
  #end = performance.now() + YIELD_INTERVAL_MS;

  /** To be awaited between two steps; waits only when the slice is over. */
  async yieldIfDue(): Promise<void> {
    if (performance.now() <= this.#end) return;
    await yieldTurn();
    this.#end = performance.now() + YIELD_INTERVAL_MS;
  }
}
