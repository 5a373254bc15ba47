import { setImmediate } from "node:timers/promises";

import { expect, test } from "vitest";

import { yieldToConnections } from "../../../src/transports/http/yield-to-connections.ts";

test("it is over when no further connection comes", async () => {
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

test("connections that never cease to come do not keep it from its end", async () => {
  let taken = 0;
  await yieldToConnections(() => (taken += 1));
  expect(taken).toBeGreaterThan(2);
});
