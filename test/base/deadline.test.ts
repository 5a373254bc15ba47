import { expect, test, vi } from "vitest";

import { Deadline, startDeadline, untilAborted } from "../../src/base/deadline.ts";
import { stopTimers } from "../helpers/stopped-clock.ts";

const TIMEOUT = { code: "TIMEOUT", message: "The call took longer than 1.5 seconds." };

test("the signal is aborted with TIMEOUT when the time is up, and not before", () => {
  stopTimers();
  const { deadline } = startDeadline(1500);
  vi.advanceTimersByTime(1499);
  expect([deadline.signal.aborted, deadline.isOver]).toEqual([false, false]);
  vi.advanceTimersByTime(1);
  expect(deadline.signal.reason).toMatchObject(TIMEOUT);
  expect([deadline.isOver, deadline.isCancelled]).toEqual([true, false]);
});

test("a stopped deadline is never aborted, and a cancelled one at once, for another reason", () => {
  stopTimers();
  const stopped = startDeadline(10);
  stopped.stop();
  const cancelled = startDeadline(10);
  cancelled.deadline.cancel();
  expect(cancelled.deadline.signal.reason).toMatchObject({ name: "AbortError" });
  vi.advanceTimersByTime(100);
  expect([stopped.deadline.signal.aborted, vi.getTimerCount()]).toEqual([false, 0]);
  expect(cancelled.deadline.signal.reason).toMatchObject({ name: "AbortError" });
  expect(cancelled.deadline.isCancelled).toBe(true);
});

test("a signal that is first used after the end has the reason too", () => {
  const deadline = new Deadline(1500);
  deadline.throwIfOver();
  deadline.expire();
  deadline.cancel();
  expect(deadline.signal.reason).toMatchObject(TIMEOUT);
  expect(() => deadline.throwIfOver()).toThrow(TIMEOUT.message);
});

test("work within a deadline ends as it does, or with the reason of the deadline", async () => {
  const deadline = new Deadline(1500);
  expect(await deadline.limit(Promise.resolve("done"))).toBe("done");
  await expect(deadline.limit(Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  const first = deadline.limit(new Promise(() => {}));
  const second = deadline.limit(new Promise(() => {}));
  deadline.expire();
  await expect(first).rejects.toMatchObject(TIMEOUT);
  await expect(second).rejects.toMatchObject(TIMEOUT);
  await expect(deadline.limit(new Promise(() => {}))).rejects.toMatchObject(TIMEOUT);
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
