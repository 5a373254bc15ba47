/** A lock that one writer can hold at a time. */
export class WriterLock {
  #holder: object | undefined;
  readonly #waiting = new Set<() => void>();

  get isHeld(): boolean {
    return this.#holder !== undefined;
  }

  /** Returns a function that releases the lock; undefined if another writer still holds it after `waitMs`. */
  async take(waitMs: number): Promise<(() => void) | undefined> {
    const deadline = performance.now() + waitMs;
    while (this.isHeld) {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) return undefined;
      // oxlint-disable-next-line no-await-in-loop -- another writer may be faster
      await this.#freed(leftMs);
    }
    const holder = {};
    this.#holder = holder;
    return () => {
      if (this.#holder === holder) this.revoke();
    };
  }

  /** Takes the lock from its holder, who does not notice. */
  revoke(): void {
    this.#holder = undefined;
    for (const wake of this.#waiting) wake();
  }

  /** Resolves when the lock is freed, or after `maxMs`. */
  #freed(maxMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, maxMs);
      this.#waiting.add(wake);
    });
  }
}
