import { setImmediate } from "node:timers/promises";

/**
 * How long calls wait for connections that keep coming. A thousand are taken in less; a flood of them
 * shares the time with the calls.
 */
const TAKING_MS = 50;

/**
 * Lets calls begin one after the other, each in a pass of the event loop of its own. A call that reads
 * what is in memory runs to its end without a pause; were several begun in one pass, clocks, connections
 * and requests would wait for all of them. And a pass takes one new connection at most: while they come,
 * passes are made that do nothing else, or a thousand clients would wait for a thousand calls.
 */
export class Turns {
  readonly #arrivals: () => number;
  #last: Promise<unknown> = Promise.resolve();

  /** @param arrivals How many connections have been taken so far. */
  constructor(arrivals: () => number) {
    this.#arrivals = arrivals;
  }

  /** Resolves when the caller may begin. */
  async next(): Promise<void> {
    const before = this.#last;
    const begun = Promise.withResolvers<unknown>();
    this.#last = begun.promise;
    await before;
    const until = performance.now() + TAKING_MS;
    let seen: number;
    do {
      seen = this.#arrivals();
      // oxlint-disable-next-line no-await-in-loop -- passes of the event loop follow each other
      await setImmediate();
    } while (this.#arrivals() > seen && performance.now() < until);
    begun.resolve(setImmediate());
  }
}
