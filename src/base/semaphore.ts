/** Lets a fixed number of requests run at a time. The others wait in order of arrival. */
export class Semaphore {
  /** The queue, in insertion order. A set, so that an aborted request is removed in constant time. */
  readonly #waiting = new Set<() => void>();
  #free: number;
  #isPaused = false;

  constructor(size: number) {
    this.#free = size;
  }

  /** Whether the caller may run at once, as is nearly always so; it must then call `release`. */
  tryAcquire(): boolean {
    if (this.#free === 0 || this.#isPaused || this.#waiting.size > 0) return false;
    this.#free -= 1;
    return true;
  }

  /**
   * Resolves when the caller may run; the caller must then call `release`. Rejects if the signal is aborted
   * before.
   */
  acquire(signal: AbortSignal): Promise<void> {
    if (this.tryAcquire()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(enter);
        reject(signal.reason);
      };
      const enter = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.add(enter);
      this.#admit();
    });
  }

  release(): void {
    this.#free += 1;
    this.#admit();
  }

  /** Starts no request until `resume`; running requests continue. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#admit();
  }

  #admit(): void {
    for (const enter of this.#waiting) {
      if (this.#free === 0 || this.#isPaused) return;
      this.#free -= 1;
      this.#waiting.delete(enter);
      enter();
    }
  }
}
