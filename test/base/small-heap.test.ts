import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

import { expect, test, vi } from "vitest";

import { forgetAtRest } from "../../src/base/at-rest.ts";
import { collectGarbage, keepHeapSmall, RestDetector } from "../../src/base/small-heap.ts";

function newSpaceBytes(): number {
  const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
  return space?.space_size ?? 0;
}

/** Creates objects that live long enough for the new space to grow. */
function work(): number {
  let kept: object[] = [];
  for (let round = 0; round < 40; round += 1) {
    kept = Array.from({ length: 100_000 }, (_, at) => ({ at, text: `object ${at}` }));
  }
  return kept.length;
}

test("a program rests when it hardly works, once after each piece of work", () => {
  const rest = new RestDetector();
  const seen = [100, 110, 900, 1200, 1210, 1215, 1220, 1900, 1905, 2600, 2605, 2606].map((cpuMs) =>
    rest.begins(cpuMs),
  );
  expect(seen).toEqual([
    // The start; a rest before there was enough to collect.
    false,
    false,
    // Work, and the rest after it, once.
    false,
    false,
    true,
    false,
    false,
    // Too little work for another collection, until it is enough.
    false,
    false,
    false,
    true,
    false,
  ]);
});

test("a collection gives back the memory of new objects", () => {
  expect(work()).toBe(100_000);
  const before = newSpaceBytes();
  expect(before).toBeGreaterThan(4e6);
  collectGarbage();
  expect(newSpaceBytes()).toBeLessThan(before / 2);
});

test("a program that works collects new objects a quarter as often, and no less often than that", () => {
  const script = join(import.meta.dirname, "fixtures/new-space.ts");
  const steps: unknown = JSON.parse(execFileSync(process.execPath, [script], { encoding: "utf8" }));
  // Some 84 times with 1 MB in use, 20 with 4 MB, and without a limit 13 times and then 3.
  expect(steps).toEqual({
    limited: expect.toSatisfy((times: number) => times > 50),
    working: expect.toSatisfy((times: number) => times > 14 && times < 40),
    "still working": expect.toSatisfy((times: number) => times > 14 && times < 40),
    "at rest": expect.toSatisfy((times: number) => times > 50),
  });
});

test("at rest, what can be made again is forgotten", () => {
  let forgotten = 0;
  const cache = { forget: (): void => void (forgotten += 1) };
  forgetAtRest(cache);
  const end = new AbortController();
  const usage = vi.spyOn(process, "cpuUsage");
  vi.useFakeTimers();
  try {
    keepHeapSmall(end.signal);
    for (const user of [1e6, 4e6, 7e6]) {
      usage.mockReturnValue({ user, system: 0 });
      vi.advanceTimersByTime(5000);
    }
    expect(forgotten).toBe(0);
    vi.advanceTimersByTime(10_000);
    expect(forgotten).toBe(1);
    expect(cache).toBeDefined();
  } finally {
    end.abort();
    vi.useRealTimers();
    usage.mockRestore();
    setFlagsFromString("--semi-space-growth-factor=2");
  }
});

test("the checks go on until the signal aborts, and keep no program alive", () => {
  vi.useFakeTimers();
  try {
    const end = new AbortController();
    keepHeapSmall(end.signal);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(20_000);
    expect(vi.getTimerCount()).toBe(1);
    end.abort();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
