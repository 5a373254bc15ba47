import type { EventQueue } from "./event-queue.ts";
import { MinHeap } from "./min-heap.ts";

interface LinkOptions {
  /** Bandwidth of all transfers together, in bytes per millisecond. */
  readonly bytesPerMs: number;
  /** Maximum bandwidth of one transfer. */
  readonly maxBytesPerMsOfOne: number;
}

/** A connection whose bandwidth is shared equally by the transfers on it. */
export class SharedLink {
  readonly #queue: EventQueue;
  readonly #options: LinkOptions;
  /**
   * Transfers by the value of `#servedBytes` at which they end. All have the same rate, so the one that ends first now is
   * also the first later.
   */
  readonly #transfers = new MinHeap<() => void>();
  /** Bytes that a transfer would have received if it had run from the beginning. */
  #servedBytes = 0;
  #servedAtMs = 0;
  /** Number of the event that ends the next transfer; older events do nothing. */
  #turn = 0;
  #totalBytes = 0;

  constructor(queue: EventQueue, options: LinkOptions) {
    this.#queue = queue;
    this.#options = options;
  }

  /** Bytes of all transfers that have begun. */
  get totalBytes(): number {
    return this.#totalBytes;
  }

  transfer(bytes: number, done: () => void): void {
    this.#advance();
    this.#totalBytes += bytes;
    this.#transfers.add(this.#servedBytes + bytes, done);
    this.#planNext();
  }

  #rate(): number {
    const { bytesPerMs, maxBytesPerMsOfOne } = this.#options;
    return Math.min(maxBytesPerMsOfOne, bytesPerMs / Math.max(1, this.#transfers.size));
  }

  #advance(): void {
    this.#servedBytes += (this.#queue.nowMs - this.#servedAtMs) * this.#rate();
    this.#servedAtMs = this.#queue.nowMs;
  }

  #planNext(): void {
    const end = this.#transfers.minKey;
    if (end === undefined) return;
    this.#turn += 1;
    const turn = this.#turn;
    this.#queue.after((end - this.#servedBytes) / this.#rate(), () => {
      if (turn !== this.#turn) return;
      this.#advance();
      // The sum of many small steps is not exact; this transfer has ended.
      this.#servedBytes = Math.max(this.#servedBytes, end);
      const done = this.#transfers.take();
      this.#planNext();
      done?.();
    });
  }
}
