import { MinHeap } from "./min-heap.ts";

/** The clock of the model: actions at their times. Actions of the same time run in the order in which they were added. */
export class EventQueue {
  readonly #actions = new MinHeap<() => void>();
  #nowMs = 0;

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Adds an action. A past time means now. */
  after(delayMs: number, action: () => void): void {
    this.#actions.add(this.#nowMs + Math.max(0, delayMs), action);
  }

  /** Runs the actions up to a time, with those that they add. */
  runUntil(endMs: number): void {
    for (;;) {
      const timeMs = this.#actions.minKey;
      if (timeMs === undefined || timeMs > endMs) break;
      this.#nowMs = timeMs;
      this.#actions.take()?.();
    }
    this.#nowMs = Math.max(this.#nowMs, endMs);
  }
}
