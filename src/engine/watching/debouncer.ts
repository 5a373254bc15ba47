/** All in milliseconds. */
export interface DebounceDelays {
  /** Nothing happens for so long before a batch ends. */
  readonly quietMs: number;
  /** A batch ends after this, even if there is no quiet. */
  readonly maxMs: number;
  /** The same while more is known to come. */
  readonly maxBusyMs: number;
}

const DEFAULT_DELAYS: DebounceDelays = { quietMs: 20, maxMs: 500, maxBusyMs: 10_000 };

interface DebouncedBatch {
  /** Whether more is known to come, though it is quiet now. */
  readonly isBusy: () => boolean;
  readonly end: () => void;
}

/** Joins events that come shortly after each other: one save is some events, a checkout thousands. */
export class Debouncer {
  readonly #batch: DebouncedBatch;
  readonly #delays: DebounceDelays;
  #timer: NodeJS.Timeout | undefined;
  /** Of the batch at hand. */
  #firstEventMs = 0;
  #latestEventMs = 0;

  constructor(batch: DebouncedBatch, delays = DEFAULT_DELAYS) {
    this.#batch = batch;
    this.#delays = delays;
  }

  /** Something happened. */
  add(): void {
    this.#latestEventMs = performance.now();
    if (this.#timer !== undefined) return;
    this.#firstEventMs = this.#latestEventMs;
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
    const isQuiet = now - this.#latestEventMs >= quietMs;
    if (age < maxBusyMs && this.#batch.isBusy()) {
      // What was done last may not have been heard yet.
      this.#latestEventMs = now;
      this.#wait(quietMs);
    } else if (isQuiet || age >= maxMs) {
      this.#timer = undefined;
      this.#batch.end();
    } else {
      this.#wait(Math.min(quietMs - (now - this.#latestEventMs), maxMs - age));
    }
  }
}
