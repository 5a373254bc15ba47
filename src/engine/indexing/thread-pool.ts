import type { Worker } from "node:worker_threads";

import { workerEntry } from "../../base/assets.ts";
import { SvcError, toSvcError } from "../../base/errors.ts";
import { endThread, startThread } from "../../base/thread.ts";
import type { IndexReport } from "../api/index-report.ts";
import type { JobRunner } from "./job-runner.ts";
import type { IndexJob, RunListener } from "./run-options.ts";
import type { WorkerMessage } from "./index-worker.ts";

/** How long an idle thread is kept: the next save mostly comes sooner, and a new thread costs as much as ten runs. */
const MAX_IDLE_MS = 120_000;
/** A thread that has read more files has grown in memory and is ended. */
const MAX_FILES_TO_REUSE = 500;

/** Without a limit, V8 lets the part of new objects grow to 134 MB, and indexing takes just as long with little. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 12 };

/** Indexing threads. Keeps one idle thread for a while, with compiled code and loaded grammars. */
export class IndexThreadPool implements JobRunner {
  #idle: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  readonly #maxIdleMs: number;

  constructor({ maxIdleMs = MAX_IDLE_MS }: { readonly maxIdleMs?: number } = {}) {
    this.#maxIdleMs = maxIdleMs;
  }

  readonly run: JobRunner["run"] = async (job, listener, signal) => {
    const worker = this.#takeWorker();
    const cancel = (): void => void endThread(worker);
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const report = await reportOf(worker, job, listener);
      // Once it is cancelled, the thread ends, even if it has still sent its report.
      const isFit =
        !signal.aborted &&
        report.isParserBroken !== true &&
        report.added + report.changed <= MAX_FILES_TO_REUSE;
      if (isFit) this.#returnWorker(worker);
      else cancel();
      return report;
    } catch (thrown) {
      cancel();
      throw thrown;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  };

  readonly close = async (): Promise<void> => {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    if (this.#idle !== undefined) await endThread(this.#idle);
  };

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
    return startThread(source, {
      ...options,
      stdout: false,
      stderr: false,
      resourceLimits: RESOURCE_LIMITS,
    });
  }

  #returnWorker(worker: Worker): void {
    stopListening(worker);
    if (this.#idle !== undefined || this.#isClosed) {
      void endThread(worker);
      return;
    }
    const forget = (): void => {
      if (this.#idle === worker) this.#idle = undefined;
    };
    worker.once("error", forget).once("exit", forget);
    worker.unref();
    this.#idle = worker;
    const end = (): void => {
      // Ending takes a while, and no run may get this thread meanwhile.
      forget();
      void endThread(worker);
    };
    this.#timer = setTimeout(end, this.#maxIdleMs).unref();
  }
}

/** Removes listeners per event: a worker without Node's own listeners gets no messages. */
function stopListening(worker: Worker): void {
  for (const event of ["message", "error", "exit"]) worker.removeAllListeners(event);
}

function reportOf(worker: Worker, job: IndexJob, listener: RunListener): Promise<IndexReport> {
  return new Promise<IndexReport>((resolve, reject) => {
    worker.on("message", (message: WorkerMessage) => {
      if ("progress" in message) {
        listener.onProgress?.(message.progress);
      } else if ("committed" in message) {
        listener.onCommit?.();
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
