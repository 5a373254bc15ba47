import { setImmediate } from "node:timers/promises";

import { expect, test } from "vitest";

import { Turns } from "../../../src/transports/http/turns.ts";

test("calls begin in the order they came, each in a pass of the event loop of its own", async () => {
  let passes = 0;
  const over = new AbortController();
  const counting = (async () => {
    while (!over.signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one pass after the other
      await setImmediate();
      passes += 1;
    }
  })();
  const turns = new Turns(() => 0);
  const begun: { call: number; pass: number }[] = [];
  await Promise.all(
    [0, 1, 2, 3].map(async (call) => {
      await turns.next();
      begun.push({ call, pass: passes });
    }),
  );
  over.abort();
  await counting;
  expect(begun.map(({ call }) => call)).toEqual([0, 1, 2, 3]);
  expect(new Set(begun.map(({ pass }) => pass)).size).toBe(4);
});

test("a call begins when no further connection comes", async () => {
  let taken = 0;
  const turns = new Turns(() => taken);
  const coming = (async () => {
    for (; taken < 20; taken += 1) {
      // oxlint-disable-next-line no-await-in-loop -- a pass takes one connection
      await setImmediate();
    }
  })();
  await turns.next();
  expect(taken).toBe(20);
  await coming;
});

test("connections that never cease to come do not keep calls from beginning", async () => {
  let taken = 0;
  const turns = new Turns(() => (taken += 1));
  await turns.next();
  await turns.next();
  expect(taken).toBeGreaterThan(2);
});
