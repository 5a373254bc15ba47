import type { EventQueue } from "./event-queue.ts";
import { Fifo } from "./fifo.ts";

interface Work {
  readonly cpuMs: number;
  /** Receives the time that the work took. */
  readonly done: (takenMs: number) => void;
}

/** The slowdown factor of work if this share of the cores is busy, from above 0 to 1. */
export type Slowdown = (busyShare: number) => number;

/** Cores of one machine. Work runs in the order of arrival, each piece on one core without a break. */
export class Processors {
  readonly #queue: EventQueue;
  readonly #cores: number;
  readonly #slowdown: Slowdown;
  readonly #waiting = new Fifo<Work>();
  #busy = 0;
  #usedMs = 0;

  constructor(queue: EventQueue, cores: number, slowdown: Slowdown = () => 1) {
    this.#queue = queue;
    this.#cores = cores;
    this.#slowdown = slowdown;
  }

  /** Processor time so far, of work that has begun. */
  get usedMs(): number {
    return this.#usedMs;
  }

  /** `cpuMs`: the time without slowdown. `done` is called when the work has ended. */
  run(cpuMs: number, done: Work["done"]): void {
    if (this.#busy < this.#cores) this.#start({ cpuMs, done });
    else this.#waiting.add({ cpuMs, done });
  }

  #start({ cpuMs, done }: Work): void {
    this.#busy += 1;
    const takenMs = cpuMs * this.#slowdown(this.#busy / this.#cores);
    this.#usedMs += takenMs;
    this.#queue.after(takenMs, () => {
      this.#busy -= 1;
      // The next piece begins before the end of this one creates more work.
      const next = this.#waiting.take();
      if (next !== undefined) this.#start(next);
      done(takenMs);
    });
  }
}

/** A thread: one piece of work after the other, on any core of its machine. */
export class Thread {
  readonly #machine: Processors;
  readonly #waiting = new Fifo<Work>();
  #isBusy = false;

  constructor(machine: Processors) {
    this.#machine = machine;
  }

  run(cpuMs: number, done: Work["done"]): void {
    if (this.#isBusy) this.#waiting.add({ cpuMs, done });
    else this.#start({ cpuMs, done });
  }

  #start({ cpuMs, done }: Work): void {
    this.#isBusy = true;
    this.#machine.run(cpuMs, (takenMs) => {
      this.#isBusy = false;
      const next = this.#waiting.take();
      if (next !== undefined) this.#start(next);
      done(takenMs);
    });
  }
}
