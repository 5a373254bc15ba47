import type { Worker } from "node:worker_threads";

import { workerEntry } from "../../base/assets.ts";
import type { DocumentFormat } from "../../base/documents/document-formats.ts";
import type { DocumentFailure } from "../../base/documents/document.ts";
import { endThread, startThread } from "../../base/thread.ts";
import type { ExtractCommand, ExtractReply } from "./document-worker.ts";

/** Processor time for one document, in milliseconds: a PDF of 1,000 pages takes about as long. */
const MAX_CPU_MS = 20_000;
const MAX_HEAP_MB = 256;
/** What a document may add to the memory of the process, with buffers outside of the heap. */
const MAX_ADDED_BYTES = 512 << 20;
/** How often both are checked. */
const CHECK_MS = 100;

interface ThreadLimits {
  readonly maxCpuMs?: number;
  readonly maxHeapMb?: number;
  readonly maxAddedBytes?: number;
}

/**
 * Extracts the text of documents in a thread of its own, one after the other. The thread is started with the first one,
 * and again after a document that needed too much.
 */
export class DocumentThread {
  readonly #hasLowPriority: boolean;
  readonly #limits: Required<ThreadLimits>;
  #worker: Worker | undefined;

  constructor(
    hasLowPriority: boolean,
    {
      maxCpuMs = MAX_CPU_MS,
      maxHeapMb = MAX_HEAP_MB,
      maxAddedBytes = MAX_ADDED_BYTES,
    }: ThreadLimits = {},
  ) {
    this.#hasLowPriority = hasLowPriority;
    this.#limits = { maxCpuMs, maxHeapMb, maxAddedBytes };
  }

  /** Returns the text as `encodeDocument` writes it, or why there is none. `bytes` are transferred to the thread. */
  async extract(format: DocumentFormat, bytes: Uint8Array<ArrayBuffer>): Promise<ExtractReply> {
    const worker = (this.#worker ??= this.#start());
    const reply = await this.#replyOf(worker, { format, bytes });
    if (reply !== undefined && "encoded" in reply) return reply;
    if (reply !== undefined && !NEEDS_NEW_THREAD.has(reply.failure)) return reply;
    await this.close();
    return reply ?? { failure: "document-damaged" };
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker !== undefined) await endThread(worker);
  }

  #start(): Worker {
    const { source, options } = workerEntry("document-worker");
    const worker = startThread(source, {
      ...options,
      // Output of the libraries is discarded, because stdout belongs to the protocol.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.maxHeapMb },
    });
    // Without a listener, an error of the thread between two documents would end the process. A thread with an error
    // has ended, and would never reply for the next document.
    return worker.on("error", () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
  }

  async #replyOf(
    worker: Worker,
    { format, bytes }: Pick<ExtractCommand, "format"> & { bytes: Uint8Array<ArrayBuffer> },
  ): Promise<ExtractReply | undefined> {
    const { promise, resolve } = Promise.withResolvers<ExtractReply | undefined>();
    const onMessage = (reply: ExtractReply): void => resolve(reply);
    const onError = (thrown: unknown): void => {
      const isMemory =
        thrown instanceof Error && "code" in thrown && thrown.code === "ERR_WORKER_OUT_OF_MEMORY";
      resolve({ failure: isMemory ? "document-too-large" : "document-damaged" });
    };
    const onExit = (): void => resolve(undefined);
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    const stopWatching = this.#watch(worker, resolve);
    worker.postMessage({ format, bytes, hasLowPriority: this.#hasLowPriority }, [bytes.buffer]);
    try {
      return await promise;
    } finally {
      stopWatching();
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
    }
  }

  /** Replies in the place of a thread that uses too much, whatever it does. */
  #watch(worker: Worker, reply: (failure: ExtractReply) => void): () => void {
    const { maxCpuMs, maxAddedBytes } = this.#limits;
    const memoryAtStart = process.memoryUsage.rss();
    let start: number | undefined;
    const check = async (): Promise<void> => {
      if (process.memoryUsage.rss() - memoryAtStart > maxAddedBytes) {
        reply({ failure: "document-too-large" });
      }
      // Processor time, not time: a busy machine must not change what is found in a document.
      const { user, system } = await worker.cpuUsage();
      const usedMs = (user + system) / 1000;
      start ??= usedMs;
      if (usedMs - start > maxCpuMs) reply({ failure: "document-too-slow" });
    };
    const timer = setInterval(() => {
      // It fails if the thread has ended, which another event reports.
      void check().catch(() => undefined);
    }, CHECK_MS);
    return () => clearInterval(timer);
  }
}

/** After these the thread may still be at work, or may have ended. */
const NEEDS_NEW_THREAD: ReadonlySet<DocumentFailure> = new Set([
  "document-too-slow",
  "document-too-large",
]);
