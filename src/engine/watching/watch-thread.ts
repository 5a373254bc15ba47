import { Worker } from "node:worker_threads";

import { workerEntry } from "../../base/assets.ts";
import type { WatchNews, WatchOrder } from "./watch-worker.ts";
import type { TouchedFolders, WatchedSource } from "./watched-sources.ts";

export interface WatchListener {
  /** From now on nothing is missed. */
  readonly ready: (folders: number) => void;
  /** `watched`: how many folders are watched now. */
  readonly touched: (touched: TouchedFolders, watched: number) => void;
  /** Nothing is watched, or no longer, for this reason. */
  readonly limited: (reason: string) => void;
}

/** The thread that watches for all namespaces of this process; it runs while there is one. */
export class WatchThread {
  readonly #listeners = new Map<number, WatchListener>();
  #worker: Worker | undefined;
  #latest = 0;

  /** Returns what ends it. */
  watch(
    sources: readonly WatchedSource[],
    leftOut: readonly string[],
    listener: WatchListener,
  ): () => void {
    this.#latest += 1;
    const id = this.#latest;
    this.#listeners.set(id, listener);
    this.#send({ watch: id, sources, leftOut });
    return () => this.#forget(id);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    await this.#end();
  }

  #forget(id: number): void {
    if (!this.#listeners.delete(id)) return;
    if (this.#listeners.size === 0) void this.#end();
    else this.#send({ forget: id });
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #send(order: WatchOrder): void {
    this.#worker ??= this.#start();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(order);
  }

  #start(): Worker {
    const { source, options } = workerEntry("watch-worker");
    const worker = new Worker(source, { ...options, stdout: false, stderr: false });
    // It must not keep a process alive that has nothing else to do.
    worker.unref();
    worker.on("message", (news: WatchNews) => this.#hear(news));
    const fail = (reason: string): void => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      const listeners = [...this.#listeners.values()];
      this.#listeners.clear();
      for (const { limited } of listeners) limited(reason);
    };
    worker.on("error", (error) => fail(`The watching thread failed: ${String(error)}`));
    worker.on("exit", () => fail("The watching thread ended."));
    return worker;
  }

  #hear(news: WatchNews): void {
    const listener = this.#listeners.get(news.id);
    if ("ready" in news) listener?.ready(news.ready.folders);
    else if ("touched" in news) listener?.touched(news.touched, news.watched);
    else if (this.#listeners.delete(news.id)) listener?.limited(news.limited);
  }
}
