// Timers that fire only when a test says so: it counts the milliseconds that a piece of work waits for.
import { onTestFinished, vi } from "vitest";

/** A longer wait counts as endless. */
const MAX_WAIT_MS = 60_000;

/** Stops all timers until the end of the test. Work that still completes does not wait for a timer. */
export function stopTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

/**
 * Returns the milliseconds of stopped timers that `work` waits for. Each millisecond follows a pass of the event loop,
 * so work that a timer started proceeds before the next timer fires.
 */
export async function timerMsOf(work: Promise<unknown>): Promise<number> {
  const state = { isDone: false };
  const done = work.finally(() => (state.isDone = true));
  for (let ms = 0; ms < MAX_WAIT_MS; ms += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one pass after the other
    await new Promise(setImmediate);
    if (state.isDone) {
      // oxlint-disable-next-line no-await-in-loop -- rejects if the work has failed
      await done;
      return ms;
    }
    vi.advanceTimersByTime(1);
  }
  throw new Error(`it waits for more than ${MAX_WAIT_MS} ms of timers`);
}
