import type { EventLoopUtilization } from "node:perf_hooks";

import { expect, test } from "vitest";

import { ProcessorLoad } from "../../../src/engine/passages/processor-load.ts";

/** A thread that is busy for a share of the time of `clock`. */
function threadWith(share: () => number, clock: () => number) {
  let active = 0;
  let last = clock();
  return (current?: EventLoopUtilization, earlier?: EventLoopUtilization): EventLoopUtilization => {
    if (current !== undefined && earlier !== undefined) {
      const busy = current.active - earlier.active;
      const all = busy + current.idle - earlier.idle;
      return { active: busy, idle: all - busy, utilization: busy / all };
    }
    active += share() * (clock() - last);
    last = clock();
    return { active, idle: last - active, utilization: 0 };
  };
}

test("the load is the number of busy threads in the last measured time", () => {
  let now = 1000;
  let share = 0.5;
  const clock = (): number => now;
  const load = new ProcessorLoad(clock);
  const main = threadWith(() => share, clock);
  const other = threadWith(() => 1, clock);
  expect(load.cores([main])).toBe(0);
  now += 100;
  // The time is too short for a measurement.
  expect(load.cores([main])).toBe(0);
  now += 150;
  expect(load.cores([main, other])).toBeCloseTo(0.5);
  share = 0.9;
  now += 250;
  // The second thread has been measured for as long.
  expect(load.cores([main, other])).toBeCloseTo(1.9);
  now += 249;
  expect(load.cores([main])).toBeCloseTo(1.9);
  share = 0;
  now += 10_000;
  expect(load.cores([main])).toBeLessThan(0.1);
});
