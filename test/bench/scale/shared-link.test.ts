import { expect, test } from "vitest";

import { EventQueue } from "../../../bench/scale/event-queue.ts";
import { SharedLink } from "../../../bench/scale/shared-link.ts";

function linkWith(bytesPerMs: number, maxBytesPerMsOfOne: number) {
  const queue = new EventQueue();
  const link = new SharedLink(queue, { bytesPerMs, maxBytesPerMsOfOne });
  const ended: string[] = [];
  const transfer = (name: string, bytes: number, atMs: number): void =>
    queue.after(atMs, () =>
      link.transfer(bytes, () => ended.push(`${name} at ${queue.nowMs.toFixed(3)}`)),
    );
  return { queue, link, ended, transfer };
}

test("one transfer gets its own limit, and several share the bandwidth equally", () => {
  const { queue, link, ended, transfer } = linkWith(100, 60);
  transfer("alone", 600, 0);
  // Both have 50 until the short one ends after 4 ms, then the long one has 60: 1000 = 200 + 800.
  transfer("long", 1000, 100);
  transfer("short", 200, 100);
  queue.runUntil(1000);
  expect(ended).toEqual(["alone at 10.000", "short at 104.000", "long at 117.333"]);
  expect(link.totalBytes).toBe(1800);
});

test("a transfer that comes later slows the others down from then on", () => {
  const { queue, ended, transfer } = linkWith(10, 10);
  transfer("first", 100, 0);
  transfer("second", 100, 5);
  queue.runUntil(1000);
  // The first has 50 left after 5 ms, at half the speed; then the second has all of it.
  expect(ended).toEqual(["first at 15.000", "second at 20.000"]);
});

test("a transfer of nothing ends at once", () => {
  const { queue, ended, transfer } = linkWith(10, 10);
  transfer("empty", 0, 3);
  queue.runUntil(3);
  expect(ended).toEqual(["empty at 3.000"]);
});
