import type { EventLoopUtilization } from "node:perf_hooks";

/** `performance.eventLoopUtilization` of the main thread or of a worker. */
type MeasuredThread = typeof performance.eventLoopUtilization;

/** A shorter time says little: one search takes some ten milliseconds. */
const MEASURE_MS = 250;

/** How many processors the event loops of some threads keep busy. */
export class ProcessorLoad {
  readonly #clock: () => number;
  #since = -Infinity;
  #before = new Map<MeasuredThread, EventLoopUtilization>();
  #cores = 0;

  /** `clock`: milliseconds that never go back. */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /** The mean number of busy threads in the last measured time of at least 250 ms; 0 at first. */
  cores(threads: readonly MeasuredThread[]): number {
    const now = this.#clock();
    if (now - this.#since < MEASURE_MS) return this.#cores;
    this.#since = now;
    const before = this.#before;
    this.#before = new Map(threads.map((thread) => [thread, thread()]));
    this.#cores = 0;
    for (const [thread, current] of this.#before) {
      const earlier = before.get(thread);
      if (earlier !== undefined) this.#cores += thread(current, earlier).utilization;
    }
    return this.#cores;
  }
}
