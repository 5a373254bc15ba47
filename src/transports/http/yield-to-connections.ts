import { setImmediate } from "node:timers/promises";

/**
 * How long calls wait for connections that keep coming. A thousand are taken in less; a flood of them
 * shares the time with the calls.
 */
const MAX_ACCEPT_MS = 50;

/**
 * Lets the event loop pass, once and then for as long as each pass takes a new connection. A pass takes
 * one at most: a thousand clients would otherwise be connected only after a thousand calls.
 *
 * @param taken How many connections have been taken so far.
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
