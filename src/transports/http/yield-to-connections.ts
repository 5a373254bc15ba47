import { setImmediate } from "node:timers/promises";

/**
 * Maximum time that calls wait for a stream of new connections. Accepting a thousand takes less; a flood shares the
 * time with the calls.
 */
const MAX_ACCEPT_MS = 50;

/**
 * Yields to the event loop once, and then for as long as each pass accepts a connection. A pass accepts at most
 * one, so otherwise a thousand clients would be connected only after a thousand calls.
 *
 * @param taken Returns the number of connections accepted so far.
 */
export async function yieldToConnections(taken: () => number): Promise<void> {
  const until = performance.now() + MAX_ACCEPT_MS;
  let accepted: number;
  do {
    accepted = taken();
    // oxlint-disable-next-line no-await-in-loop -- passes of the event loop follow each other
    await setImmediate();
  } while (taken() > accepted && performance.now() < until);
}
