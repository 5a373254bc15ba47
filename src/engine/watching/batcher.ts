/** All in milliseconds. */
export interface Pace {
  /** Nothing happens for so long before a batch ends. */
  readonly quiet: number;
  /** A batch ends after this, even if there is no quiet. */
  readonly longest: number;
  /** The same while more is known to come. */
  readonly longestBusy: number;
}

const PACE: Pace = { quiet: 20, longest: 500, longestBusy: 10_000 };

interface Batch {
  /** Whether more is known to come, though it is quiet now. */
  readonly isBusy: () => boolean;
  readonly end: () => void;
}

/** Joins events that come shortly after each other: one save is some events, a checkout thousands. */
export class Batcher {
  readonly #batch: Batch;
  readonly #pace: Pace;
  #timer: NodeJS.Timeout | undefined;
  /** Of the batch at hand. */
  #first = 0;
  #latest = 0;

  constructor(batch: Batch, pace = PACE) {
    this.#batch = batch;
    this.#pace = pace;
  }

  /** Something happened. */
  add(): void {
    this.#latest = performance.now();
    if (this.#timer !== undefined) return;
    this.#first = this.#latest;
    this.#wait(this.#pace.quiet);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => this.#look(), Math.max(1, ms));
  }

  #look(): void {
    const { quiet, longest, longestBusy } = this.#pace;
    const now = performance.now();
    const age = now - this.#first;
    const isQuiet = now - this.#latest >= quiet;
    if (age < longestBusy && this.#batch.isBusy()) {
      // What was done last may not have been heard yet.
      this.#latest = now;
      this.#wait(quiet);
    } else if (isQuiet || age >= longest) {
      this.#timer = undefined;
      this.#batch.end();
    } else {
      this.#wait(Math.min(quiet - (now - this.#latest), longest - age));
    }
  }
}
