import { Worker } from "node:worker_threads";

import { workerEntry } from "../../base/assets.ts";
import { SvcError, toSvcError } from "../../base/errors.ts";
import type { IndexJob, IndexProgress, IndexReport } from "./indexer.ts";
import type { WorkerMessage } from "./index-worker.ts";

/** How long a thread waits for another run: the next save mostly comes sooner, and a start costs ten of them. */
const MAX_IDLE_MS = 120_000;
/** A thread that has read more than this has grown, and is ended. */
const MAX_FILES_TO_REUSE = 500;

/** Threads that index. One that is done is kept for a while, with its code compiled and its grammars loaded. */
export class IndexThreadPool {
  #idle: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** Aborting the signal ends the thread in the middle of the run. */
  async run(
    job: IndexJob,
    onProgress: (progress: IndexProgress) => void,
    signal: AbortSignal,
  ): Promise<IndexReport> {
    const worker = this.#takeWorker();
    const cancel = (): void => void worker.terminate();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const report = await reportOf(worker, job, onProgress);
      const isFit =
        report.isParserBroken !== true && report.added + report.changed <= MAX_FILES_TO_REUSE;
      if (isFit) this.#returnWorker(worker);
      else cancel();
      return report;
    } catch (thrown) {
      cancel();
      throw thrown;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#idle?.terminate();
  }

  #takeWorker(): Worker {
    const idle = this.#idle;
    this.#idle = undefined;
    clearTimeout(this.#timer);
    if (idle !== undefined) {
      stopListening(idle);
      idle.ref();
      return idle;
    }
    const { source, options } = workerEntry("index-worker");
    return new Worker(source, { ...options, stdout: false, stderr: false });
  }

  #returnWorker(worker: Worker): void {
    stopListening(worker);
    if (this.#idle !== undefined || this.#isClosed) {
      void worker.terminate();
      return;
    }
    const leave = (): void => {
      if (this.#idle === worker) this.#idle = undefined;
    };
    worker.once("error", leave).once("exit", leave);
    worker.unref();
    this.#idle = worker;
    this.#timer = setTimeout(() => void worker.terminate(), MAX_IDLE_MS).unref();
  }
}

/** Event by event: Node has listeners of its own there, without which no message comes any more. */
function stopListening(worker: Worker): void {
  for (const event of ["message", "error", "exit"]) worker.removeAllListeners(event);
}

function reportOf(
  worker: Worker,
  job: IndexJob,
  onProgress: (progress: IndexProgress) => void,
): Promise<IndexReport> {
  return new Promise<IndexReport>((resolve, reject) => {
    worker.on("message", (message: WorkerMessage) => {
      if ("progress" in message) {
        onProgress(message.progress);
      } else if ("report" in message) {
        resolve(message.report);
      } else {
        const { code, detail, stack } = message.failure;
        reject(new SvcError(code, detail, { cause: stack }));
      }
    });
    worker.on("error", (cause) => {
      const error = toSvcError(cause);
      const isKnown = error.code !== "INTERNAL_ERROR";
      reject(isKnown ? error : new SvcError(error.code, "The indexing thread failed.", { cause }));
    });
    worker.on("exit", () => reject(cancelled()));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(job);
  });
}

export function cancelled(): SvcError {
  return new SvcError("INDEX_UNAVAILABLE", "Indexing was cancelled.");
}
