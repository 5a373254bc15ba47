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

/** Starts the time limit of a call. */
export function startDeadline(timeoutMs: number): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(
      new SvcError("TIMEOUT", `The call took longer than ${timeoutMs / 1000} seconds.`, {
        hint: "Use a narrower path or a smaller limit.",
      }),
    );
  }, timeoutMs);
  const stop = (): void => clearTimeout(timer);
  return {
    signal: controller.signal,
    answerBy: performance.now() + timeoutMs * ANSWER_SHARE,
    cancel() {
      stop();
      controller.abort();
    },
    stop,
  };
}

/**
 * Resolves or rejects as `work` does, or rejects with the signal's reason as soon as the signal is aborted.
 * Work that ignores the signal continues; its result is dropped.
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  return Promise.race([work, aborted.promise]).finally(() =>
    signal.removeEventListener("abort", onAbort),
  );
}
