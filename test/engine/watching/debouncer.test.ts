import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";

import { Debouncer } from "../../../src/engine/watching/debouncer.ts";

const PACE = { quietMs: 20, maxMs: 500, maxBusyMs: 10_000 };

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

function debouncer(): { batcher: Debouncer; ends: number[]; state: { isBusy: boolean } } {
  const ends: number[] = [];
  const state = { isBusy: false };
  const end = (): void => void ends.push(performance.now());
  const batcher = new Debouncer({ isBusy: () => state.isBusy, end }, PACE);
  onTestFinished(() => batcher.close());
  return { batcher, ends, state };
}

test("events in quick succession are one batch", () => {
  const { batcher, ends } = debouncer();
  const from = performance.now();
  for (let at = 0; at < 5; at += 1) {
    batcher.add();
    vi.advanceTimersByTime(15);
  }
  vi.advanceTimersByTime(1000);
  expect(ends.map((end) => end - from)).toEqual([80]);
});

test("a stream without a pause is cut", () => {
  const { batcher, ends } = debouncer();
  for (let at = 0; at < 200; at += 1) {
    batcher.add();
    vi.advanceTimersByTime(10);
  }
  vi.advanceTimersByTime(1000);
  expect(ends).toHaveLength(4);
});

test("a batch waits while it is busy, but not forever", () => {
  const { batcher, ends, state } = debouncer();
  const from = performance.now();
  state.isBusy = true;
  batcher.add();
  vi.advanceTimersByTime(3000);
  expect(ends).toEqual([]);
  state.isBusy = false;
  vi.advanceTimersByTime(100);
  expect(ends).toHaveLength(1);
  state.isBusy = true;
  batcher.add();
  vi.advanceTimersByTime(15_000);
  expect(ends).toHaveLength(2);
  expect((ends[1] ?? 0) - from).toBeLessThan(14_000);
});

test("events that arrive just after a busy time belong to its batch", () => {
  const { batcher, ends, state } = debouncer();
  state.isBusy = true;
  batcher.add();
  vi.advanceTimersByTime(3000);
  state.isBusy = false;
  // The check after the one that finds the system idle ends the batch, and only if nothing has arrived in between.
  vi.advanceTimersByTime(25);
  batcher.add();
  const last = performance.now();
  vi.advanceTimersByTime(1000);
  expect(ends.map((end) => end - last)).toEqual([20]);
});
