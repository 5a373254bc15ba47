import { SvcError } from "./errors.ts";

/** The time one call may take, and the signal that tells its work to stop. */
export interface Deadline {
  /** Aborted with a TIMEOUT error when the time is over, with an AbortError by `cancel`. */
  readonly signal: AbortSignal;
  /** Time of `performance.now()`: work that can answer with a part does so then, to be through in time. */
  readonly answerBy: number;
  readonly cancel: () => void;
  /** Stops the clock. The signal stays as it is. */
  readonly stop: () => void;
}

/** Of the time of a call; the rest is for what was begun by then, on a busy machine. */
const ANSWER_SHARE = 2 / 3;

export function startDeadline(timeoutMs: number): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(
      new SvcError("TIMEOUT", `The call took longer than ${timeoutMs / 1000} seconds.`, {
        hint: "Ask for less: a narrower path, a smaller limit.",
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
 * Settles as `work` does, or rejects with the signal's reason as soon as it is aborted. Work that
 * does not listen to the signal runs on; what becomes of it is dropped.
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
