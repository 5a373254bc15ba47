import { SvcError } from "./errors.ts";

/**
 * Share of the call's time after which work returns a partial answer. The rest lets started work finish on a
 * busy machine.
 */
const ANSWER_SHARE = 2 / 3;

/** What stops the work of one call: its time limit, or its cancellation. It has no timer of its own. */
export class Deadline {
  /**
   * In the milliseconds of `performance.now()`. Work that can return a partial answer does so at this time, to
   * finish before the deadline.
   */
  readonly answerBy: number;
  /** In the milliseconds of `performance.now()`. */
  readonly endsAt: number;
  readonly #timeoutMs: number;
  #onOver: ((reason: unknown) => void) | undefined;
  #controller: AbortController | undefined;
  #reason: unknown;

  constructor(timeoutMs: number) {
    const now = performance.now();
    this.answerBy = now + timeoutMs * ANSWER_SHARE;
    this.endsAt = now + timeoutMs;
    this.#timeoutMs = timeoutMs;
  }

  /** Created on first use, because most of the cost of a short call would be its signal and the listeners on it. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.isOver) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** True once the time is up or the call was cancelled. */
  get isOver(): boolean {
    return this.#reason !== undefined;
  }

  /** True once the call was cancelled before its time was up. */
  get isCancelled(): boolean {
    return this.isOver && !(this.#reason instanceof SvcError);
  }

  /** Throws the reason once it is over. */
  throwIfOver(): void {
    if (this.isOver) throw this.#reason;
  }

  /** Ends the work with a TIMEOUT error. */
  expire(): void {
    const detail = `The call took longer than ${this.#timeoutMs / 1000} seconds.`;
    this.#end(new SvcError("TIMEOUT", detail, { hint: "Use a narrower path or a smaller limit." }));
  }

  /** Ends the work with an AbortError. */
  cancel(): void {
    this.#end(new DOMException("This operation was aborted", "AbortError"));
  }

  /** Like `untilAborted`, without a signal. */
  limit<T>(work: Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    if (this.isOver) reject(this.#reason);
    const before = this.#onOver;
    this.#onOver =
      before === undefined
        ? reject
        : (reason) => {
            before(reason);
            reject(reason);
          };
    work.then(resolve, reject);
    return promise;
  }

  #end(reason: unknown): void {
    if (this.isOver) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#onOver?.(reason);
  }
}

/** A deadline with a timer of its own, until `stop`. */
export interface TimedDeadline {
  readonly deadline: Deadline;
  readonly stop: () => void;
}

/** Starts the time limit of a call. */
export function startDeadline(timeoutMs: number): TimedDeadline {
  const deadline = new Deadline(timeoutMs);
  const timer = setTimeout(() => deadline.expire(), timeoutMs);
  return { deadline, stop: () => clearTimeout(timer) };
}

/**
 * Resolves or rejects as `work` does, or rejects with the signal's reason as soon as the signal is aborted.
 * Work that ignores the signal continues; its result is dropped.
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // One promise instead of a race with its three.
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
