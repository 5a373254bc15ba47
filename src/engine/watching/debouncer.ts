/** All in milliseconds. */
export interface DebounceDelays {
  /** A batch ends after this long without an event. */
  readonly quietMs: number;
  /** Maximum length of a batch with constant events. */
  readonly maxMs: number;
  /** The same while `isBusy` returns true. */
  readonly maxBusyMs: number;
}

const DEFAULT_DELAYS: DebounceDelays = { quietMs: 20, maxMs: 500, maxBusyMs: 10_000 };

interface DebouncedBatch {
  /** Whether more events are expected, even without one now. */
  readonly isBusy: () => boolean;
  readonly end: () => void;
}

/** Batches events in quick succession: a save causes some events, a checkout thousands. */
export class Debouncer {
  readonly #batch: DebouncedBatch;
  readonly #delays: DebounceDelays;
  #timer: NodeJS.Timeout | undefined;
  /** Times of the current batch. */
  #firstEventMs = 0;
  #latestEventMs = 0;
  /** When the batch began, or when it was last busy. */
  #calmSinceMs = 0;
  #wasBusy = false;

  constructor(batch: DebouncedBatch, delays = DEFAULT_DELAYS) {
    this.#batch = batch;
    this.#delays = delays;
  }

  /** Adds an event. */
  add(): void {
    this.#latestEventMs = performance.now();
    if (this.#timer !== undefined) return;
    this.#firstEventMs = this.#latestEventMs;
    this.#calmSinceMs = this.#latestEventMs;
    this.#wait(this.#delays.quietMs);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => this.#flushIfQuiet(), Math.max(1, ms));
  }

  #flushIfQuiet(): void {
    const { quietMs, maxMs, maxBusyMs } = this.#delays;
    const now = performance.now();
    const age = now - this.#firstEventMs;
    const quiet = now - this.#latestEventMs;
    const calm = now - this.#calmSinceMs;
    const isBusy = age < maxBusyMs && this.#batch.isBusy();
    if (isBusy || this.#wasBusy) {
      // The last events may not have arrived yet, also just after it was busy.
      this.#wasBusy = isBusy;
      this.#latestEventMs = now;
      this.#calmSinceMs = now;
      this.#wait(quietMs);
    } else if (quiet >= quietMs || calm >= maxMs) {
      this.#timer = undefined;
      this.#batch.end();
    } else {
      this.#wait(Math.min(quietMs - quiet, maxMs - calm));
    }
  }
}
