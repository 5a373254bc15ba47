import type { Worker } from "node:worker_threads";

import { workerEntry } from "../../base/assets.ts";
import { endThread, startThread } from "../../base/thread.ts";
import type { WatchEvent, WatchCommand } from "./watch-worker.ts";
import type { DirtySourceFolders, WatchedSource } from "./watched-sources.ts";

export interface WatchListener {
  /** Called when all folders are watched, so no later change is missed. */
  readonly onReady: (folders: number) => void;
  /** `watched`: current number of watched folders. */
  readonly onDirty: (dirty: DirtySourceFolders, watched: number) => void;
  /** Called when watching failed or stopped, with the reason. */
  readonly onLimit: (reason: string) => void;
}

/** The worker thread that watches all namespaces of this process. It runs while there is one. */
export class WatchThread {
  readonly #listeners = new Map<number, WatchListener>();
  #worker: Worker | undefined;
  #latest = 0;

  /** Returns a function that stops watching. */
  watch(
    sources: readonly WatchedSource[],
    excludedFolders: readonly string[],
    listener: WatchListener,
  ): () => void {
    this.#latest += 1;
    const id = this.#latest;
    this.#listeners.set(id, listener);
    this.#send({ watch: id, sources, leftOut: excludedFolders });
    return () => this.#unwatch(id);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    await this.#end();
  }

  #unwatch(id: number): void {
    if (!this.#listeners.delete(id)) return;
    if (this.#listeners.size === 0) void this.#end();
    else this.#send({ forget: id });
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker !== undefined) await endThread(worker);
  }

  #send(command: WatchCommand): void {
    this.#worker ??= this.#start();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(command);
  }

  #start(): Worker {
    const { source, options } = workerEntry("watch-worker");
    const worker = startThread(source, { ...options, stdout: false, stderr: false });
    // The worker must not keep an idle process alive.
    worker.unref();
    worker.on("message", (event: WatchEvent) => this.#handleEvent(event));
    const fail = (reason: string): void => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      const listeners = [...this.#listeners.values()];
      this.#listeners.clear();
      for (const { onLimit } of listeners) onLimit(reason);
    };
    worker.on("error", (error) => fail(`The watching thread failed: ${String(error)}`));
    worker.on("exit", () => fail("The watching thread ended."));
    return worker;
  }

  #handleEvent(event: WatchEvent): void {
    const listener = this.#listeners.get(event.id);
    if ("ready" in event) listener?.onReady(event.ready.folders);
    else if ("dirty" in event) listener?.onDirty(event.dirty, event.watched);
    else if (this.#listeners.delete(event.id)) listener?.onLimit(event.limited);
  }
}
