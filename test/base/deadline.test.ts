import { expect, test, vi } from "vitest";

import { startDeadline, untilAborted } from "../../src/base/deadline.ts";
import { stopTimers } from "../helpers/stopped-clock.ts";

test("the signal is aborted with TIMEOUT when the time is up, and not before", () => {
  stopTimers();
  const { signal } = startDeadline(1500);
  vi.advanceTimersByTime(1499);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.reason).toMatchObject({
    code: "TIMEOUT",
    message: "The call took longer than 1.5 seconds.",
  });
});

test("a stopped deadline is never aborted, and a cancelled one at once, for another reason", () => {
  stopTimers();
  const stopped = startDeadline(10);
  stopped.stop();
  const cancelled = startDeadline(10);
  cancelled.cancel();
  expect(cancelled.signal.reason).toMatchObject({ name: "AbortError" });
  vi.advanceTimersByTime(100);
  expect([stopped.signal.aborted, vi.getTimerCount()]).toEqual([false, 0]);
  expect(cancelled.signal.reason).toMatchObject({ name: "AbortError" });
});

test("work that waits for a signal ends as it does, or with the reason of the signal", async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(Promise.resolve("done"), signal)).toBe("done");
  await expect(untilAborted(Promise.reject(new Error("broken")), signal)).rejects.toThrow("broken");
  const before = AbortSignal.abort(new Error("gone before"));
  await expect(untilAborted(new Promise(() => {}), before)).rejects.toThrow("gone before");
  const controller = new AbortController();
  const waiting = untilAborted(new Promise(() => {}), controller.signal);
  controller.abort(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
});
