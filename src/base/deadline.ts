import { SvcError } from "./errors.ts";

/** The time limit of one call, and the signal that stops its work. */
export interface Deadline {
  /** Aborted with a TIMEOUT error when the time is up, and with an AbortError by `cancel`. */
  readonly signal: AbortSignal;
  /**
   * In the milliseconds of `performance.now()`. Work that can return a partial answer does so at this time, to
   * finish before the deadline.
   */
  readonly answerBy: number;
  /** Aborts the work and stops the clock. */
  readonly cancel: () => void;
  /** Stops the timer. The signal keeps its state. */
  readonly stop: () => void;
}

/**
 * Share of the call's time after which work returns a partial answer. The rest lets started work finish on a
 * busy machine.
 */
const ANSWER_SHARE = 2 / 3;

/** Starts the time limit of a call. `onAbort` is called after the signal was aborted: cheaper than a listener. */
export function startDeadline(timeoutMs: number, onAbort: () => void = () => {}): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(
      new SvcError("TIMEOUT", `The call took longer than ${timeoutMs / 1000} seconds.`, {
        hint: "Use a narrower path or a smaller limit.",
      }),
    );
    onAbort();
  }, timeoutMs);
  const stop = (): void => clearTimeout(timer);
  return {
    signal: controller.signal,
    answerBy: performance.now() + timeoutMs * ANSWER_SHARE,
    cancel() {
      stop();
      controller.abort();
      onAbort();
    },
    stop,
  };
}

/**
 * Resolves or rejects as `work` does, or rejects with the signal's reason as soon as the signal is aborted.
 * Work that ignores the signal continues; its result is dropped.
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // One promise instead of a race with its three: each call over MCP waits here.
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const onAbort = (): void => reject(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  const settled = (): void => signal.removeEventListener("abort", onAbort);
  work.then(
    (value) => {
      settled();
      return resolve(value);
    },
    (error: unknown) => {
      settled();
      reject(error);
    },
  );
  return promise;
}
