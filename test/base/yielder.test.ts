import { expect, onTestFinished, test, vi } from "vitest";

import { Yielder } from "../../src/base/yielder.ts";

/** Passes of the event loop that a yield takes. */
async function passesOf(work: Promise<void>): Promise<number> {
  const state = { isDone: false, passes: 0 };
  void work.then(() => (state.isDone = true));
  await Promise.resolve();
  while (!state.isDone) {
    // oxlint-disable-next-line no-await-in-loop -- one pass after the other
    await new Promise(setImmediate);
    state.passes += 1;
  }
  return state.passes;
}

test("it gives the event loop a pass once per slice of 15 ms", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const yielder = new Yielder();
  const passes: number[] = [];
  for (const ms of [0, 15, 1, 0, 15, 1]) {
    vi.advanceTimersByTime(ms);
    // oxlint-disable-next-line no-await-in-loop -- one step after the other
    passes.push(Math.min(1, await passesOf(yielder.yieldIfDue())));
  }
  expect(passes).toEqual([0, 0, 1, 0, 0, 1]);
});
