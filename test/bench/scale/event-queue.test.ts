import { expect, test } from "vitest";

import { seededRandom } from "../../../bench/quality/random.ts";
import { EventQueue } from "../../../bench/scale/event-queue.ts";

test("actions run in the order of their times, and those of one time in the order in which they were added", () => {
  const queue = new EventQueue();
  const ran: string[] = [];
  for (const [name, atMs] of [
    ["late", 30],
    ["first of two", 20],
    ["early", 10],
    ["second of two", 20],
  ] as const) {
    queue.after(atMs, () => ran.push(`${name} at ${queue.nowMs}`));
  }
  queue.runUntil(100);
  expect(ran).toEqual(["early at 10", "first of two at 20", "second of two at 20", "late at 30"]);
  expect(queue.nowMs).toBe(100);
});

test("an action may add actions, and those after the end stay for the next run", () => {
  const queue = new EventQueue();
  const ran: number[] = [];
  const again = (): void => {
    ran.push(queue.nowMs);
    queue.after(4, again);
  };
  queue.after(4, again);
  queue.runUntil(10);
  expect(ran).toEqual([4, 8]);
  queue.runUntil(12);
  expect(ran).toEqual([4, 8, 12]);
});

test("thousands of actions at random times run in the order of a sorted list", () => {
  const random = seededRandom("times");
  const queue = new EventQueue();
  const times = Array.from({ length: 5000 }, () => Math.floor(random() * 1000));
  const ran: number[] = [];
  for (const [order, atMs] of times.entries()) queue.after(atMs, () => ran.push(order));
  queue.runUntil(1000);
  const expected = [...times.keys()].toSorted(
    (one, other) => (times[one] ?? 0) - (times[other] ?? 0) || one - other,
  );
  expect(ran).toEqual(expected);
});
