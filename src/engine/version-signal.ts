/** A file system may not notify of a new version, so a waiting call looks again after this time. */
const MAX_SILENCE_MS = 250;

/** Calls `listener` after each new version. Returns a function that stops it. */
type Subscribe = (listener: () => void) => () => void;

/**
 * Waits for new versions of an index. It notices versions from its creation on, so a caller that creates it before it
 * reads misses none. Close it after use.
 */
export class VersionSignal {
  readonly #stops: readonly (() => void)[];
  #hasNews = false;
  #wake: (() => void) | undefined;

  constructor(...subscriptions: readonly Subscribe[]) {
    const listener = (): void => {
      this.#hasNews = true;
      this.#wake?.();
    };
    this.#stops = subscriptions.map((subscribe) => subscribe(listener));
  }

  /** Resolves after a new version since the last call, at the latest after `maxMs`, and when `signal` is aborted. */
  async next(maxMs: number, signal: AbortSignal): Promise<void> {
    if (!this.#hasNews && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const wake = (): void => resolve();
      this.#wake = wake;
      const timer = setTimeout(wake, Math.min(maxMs, MAX_SILENCE_MS));
      signal.addEventListener("abort", wake, { once: true });
      await promise;
      clearTimeout(timer);
      signal.removeEventListener("abort", wake);
      this.#wake = undefined;
    }
    this.#hasNews = false;
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }
}
