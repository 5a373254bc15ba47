import { expect, test } from "vitest";

import { nextTurn, yieldTurn } from "../../src/base/turns.ts";

/** Resolves when the queue is empty. */
async function idle(): Promise<void> {
  await yieldTurn();
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}

test("computations that begin together begin in passes of their own, in order", async () => {
  await idle();
  const events: string[] = [];
  const compute = async (name: string): Promise<void> => {
    await nextTurn();
    events.push(name);
  };
  const all = Promise.all(["a", "b", "c"].map(compute));
  // Other work of the event loop in between, such as reading a signal.
  const passes = (async () => {
    for (let pass = 0; pass < 4; pass += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one pass after the other
      await new Promise(setImmediate);
      events.push("|");
    }
  })();
  await Promise.all([all, passes]);
  expect(events.join("")).toMatch(/^a\|*b\|+c\|*$/);
});
