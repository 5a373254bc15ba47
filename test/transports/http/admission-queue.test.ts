import { expect, test, vi } from "vitest";

import { AdmissionQueue } from "../../../src/transports/http/admission-queue.ts";
import { stopTimers } from "../../helpers/stopped-clock.ts";

const LIMITS = { inFlight: 1, inFlightOfOwner: 1, queued: 10, queueMs: 1000 };
const NEVER = new AbortController().signal;

test("calls begin in turn, each in its own pass of the event loop", async () => {
  const queue = new AdmissionQueue(
    { ...LIMITS, inFlight: 4, inFlightOfOwner: 4, queueMs: 60_000 },
    () => 0,
  );
  let passes = 0;
  const over = new AbortController();
  const counting = (async () => {
    while (!over.signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one pass after the other
      await new Promise(setImmediate);
      passes += 1;
    }
  })();
  const begun: { call: number; pass: number }[] = [];
  await Promise.all(
    [0, 1, 2, 3].map(async (call) => {
      await queue.enter("a", NEVER).waitForTurn();
      begun.push({ call, pass: passes });
    }),
  );
  over.abort();
  await counting;
  expect(begun.map(({ call }) => call)).toEqual([0, 1, 2, 3]);
  expect(new Set(begun.map(({ pass }) => pass)).size).toBe(4);
});

test("a call is not refused for its wait while no other runs", async () => {
  stopTimers();
  const queue = new AdmissionQueue(LIMITS, () => 0);
  const first = queue.enter("a", NEVER);
  await first.waitForTurn();
  first.leave();
  const second = queue.enter("a", NEVER);
  const turn = second.waitForTurn();
  // Before the event loop continues, as if the process were stopped or starved.
  vi.advanceTimersByTime(50_000);
  await turn;
  expect(queue.inFlight).toBe(1);
});

test("a call that waits behind another is refused after its wait, and a running one never", async () => {
  stopTimers();
  const queue = new AdmissionQueue(LIMITS, () => 0);
  const first = queue.enter("a", NEVER);
  await first.waitForTurn();
  const second = queue.enter("b", NEVER);
  const turn = second.waitForTurn();
  turn.catch(() => {});
  vi.advanceTimersByTime(999);
  expect(second.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(second.signal.aborted).toBe(true);
  await expect(turn).rejects.toMatchObject({ code: "OVERLOADED", retryAfter: 1 });
  second.leave();
  expect([queue.inFlight, queue.waiting, first.signal.aborted]).toEqual([1, 0, false]);
});

test("a call whose client disconnects leaves the queue, and the next begins", async () => {
  const queue = new AdmissionQueue({ ...LIMITS, queueMs: 60_000 }, () => 0);
  const first = queue.enter("a", NEVER);
  await first.waitForTurn();
  const client = new AbortController();
  const second = queue.enter("a", client.signal);
  const turn = second.waitForTurn();
  const third = queue.enter("a", NEVER);
  client.abort(new Error("gone"));
  await expect(turn).rejects.toThrow("gone");
  second.leave();
  first.leave();
  await third.waitForTurn();
  expect([queue.inFlight, queue.waiting]).toEqual([1, 0]);
});
