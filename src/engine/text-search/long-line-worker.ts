import type { Worker } from "node:worker_threads";

import { workerEntry } from "../../base/assets.ts";
import { untilAborted } from "../../base/deadline.ts";
import { Semaphore } from "../../base/semaphore.ts";
import { endThread, startThread } from "../../base/thread.ts";
import type { PatternWorkerData } from "./pattern-worker.ts";

/** Limit for all calls together. Only calls with long lines wait here. */
const THREADS = new Semaphore(2);

/** Tests lines that would block the main thread in a worker thread, which one call owns until close(). */
export class LongLineWorker {
  readonly #pattern: PatternWorkerData;
  readonly #signal: AbortSignal;
  #worker: Worker | undefined;

  /** `signal` aborts the test of a line at any moment. */
  constructor(pattern: PatternWorkerData, signal: AbortSignal) {
    this.#pattern = pattern;
    this.#signal = signal;
  }

  /** Whether the pattern matches in `line`. Rejects when the signal is aborted or the thread fails. */
  async test(line: string): Promise<boolean> {
    this.#signal.throwIfAborted();
    this.#worker ??= await this.#start();
    const worker = this.#worker;
    const { promise: answered, resolve, reject } = Promise.withResolvers<boolean>();
    worker.on("message", resolve).on("error", reject);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(line);
    return untilAborted(answered, this.#signal).finally(() =>
      worker.off("message", resolve).off("error", reject),
    );
  }

  close(): void {
    if (this.#worker === undefined) return;
    void endThread(this.#worker);
    this.#worker = undefined;
    THREADS.release();
  }

  async #start(): Promise<Worker> {
    await THREADS.acquire(this.#signal);
    try {
      const { source, options } = workerEntry("pattern-worker");
      const worker = startThread(source, { ...options, workerData: this.#pattern });
      worker.unref();
      // A failure between two lines affects no caller.
      worker.on("error", () => {});
      return worker;
    } catch (thrown) {
      THREADS.release();
      throw thrown;
    }
  }
}
