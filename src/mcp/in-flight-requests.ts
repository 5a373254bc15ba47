import { startDeadline } from "../base/deadline.ts";
import type { Id } from "./message.ts";

/** One request from its arrival to its answer. */
export interface InFlightRequest {
  /** Aborted by the time limit, by the client's cancellation, or with the connection. */
  readonly signal: AbortSignal;
  /** Time of `performance.now()` by which to answer, as in a Deadline. */
  readonly answerBy: number;
  /** False once answered or aborted: its work must not send anything more. */
  readonly isOpen: () => boolean;
  readonly end: () => void;
  /** Removes the time limit. */
  readonly stopClock: () => void;
}

/** The unanswered requests of a connection. */
export class InFlightRequests {
  /** Cancel functions by id. A request without an id has a symbol as key, which no client can name. */
  readonly #cancels = new Map<Id | symbol, () => void>();

  has(id: Id): boolean {
    return this.#cancels.has(id);
  }

  start(id: Id | undefined, timeoutMs: number): InFlightRequest {
    const key = id ?? Symbol("no id");
    // The id is free at once, even while the work is still ending.
    const { signal, answerBy, cancel, stop } = startDeadline(timeoutMs, () => end());
    const isOpen = (): boolean => this.#cancels.get(key) === cancel;
    const end = (): void => {
      stop();
      if (isOpen()) this.#cancels.delete(key);
    };
    this.#cancels.set(key, cancel);
    return { signal, answerBy, isOpen, end, stopClock: stop };
  }

  /** Does nothing when no such request is in flight. */
  cancel(id: Id): void {
    this.#cancels.get(id)?.();
  }

  cancelAll(): void {
    for (const cancel of this.#cancels.values()) cancel();
  }
}
