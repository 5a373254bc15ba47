import { startDeadline } from "../base/deadline.ts";
import type { Id } from "./message.ts";

/** One request from its arrival to its answer. */
export interface InFlightRequest {
  /** Aborted by the time limit, by the client's cancellation, or with the connection. */
  readonly signal: AbortSignal;
  /** As that of a Deadline. */
  readonly answerBy: number;
  /** False once answered or aborted: whatever its work still does, it sends nothing more. */
  readonly isOpen: () => boolean;
  readonly end: () => void;
  /** Takes the time limit off. */
  readonly stopClock: () => void;
}

/** The requests a connection has not answered yet. */
export class InFlightRequests {
  /** By id; requests without one stand under a symbol, where no client can name them. */
  readonly #cancels = new Map<Id | symbol, () => void>();

  has(id: Id): boolean {
    return this.#cancels.has(id);
  }

  start(id: Id | undefined, timeoutMs: number): InFlightRequest {
    const key = id ?? Symbol("no id");
    const { signal, answerBy, cancel, stop } = startDeadline(timeoutMs);
    const isOpen = (): boolean => this.#cancels.get(key) === cancel;
    const end = (): void => {
      stop();
      if (isOpen()) this.#cancels.delete(key);
    };
    this.#cancels.set(key, cancel);
    // The id is free again at once, even while the work is still winding up.
    signal.addEventListener("abort", end, { once: true });
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
