import { setImmediate } from "node:timers/promises";

import { expect, test } from "vitest";

import { yieldToConnections } from "../../../src/transports/http/yield-to-connections.ts";

test("it ends when no further connection arrives", async () => {
  let taken = 0;
  const coming = (async () => {
    for (; taken < 20; taken += 1) {
      // oxlint-disable-next-line no-await-in-loop -- a pass takes one connection
      await setImmediate();
    }
  })();
  await yieldToConnections(() => taken);
  expect(taken).toBe(20);
  await coming;
});

test("an endless flood of connections does not keep it from ending", async () => {
  let taken = 0;
  await yieldToConnections(() => (taken += 1));
  expect(taken).toBeGreaterThan(2);
});
