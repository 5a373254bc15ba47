/** Lets a fixed number of requests run at a time; the rest wait in the order they came. */
export class Semaphore {
  /** Insertion order is the order of the queue; a set, so that one aborted leaves at no cost. */
  readonly #waiting = new Set<() => void>();
  #free: number;
  #isPaused = false;

  constructor(size: number) {
    this.#free = size;
  }

  /** Resolves when the caller may run and owes a `release`; rejects when aborted before. */
  acquire(signal: AbortSignal): Promise<void> {
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

  /** Nothing starts until `resume`; what runs goes on. */
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
