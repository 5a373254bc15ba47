import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

import { workerEntry } from "../base/assets.ts";
import { SvcError } from "../base/errors.ts";
import type { LogFields, Logger } from "../base/log.ts";
import { Slots } from "../base/slots.ts";
import type { IndexJob, IndexProgress, IndexReport } from "./indexer.ts";
import type { WorkerMessage } from "./index-worker.ts";

export interface RunningJob {
  readonly finished: Promise<IndexReport>;
  readonly progress: () => IndexProgress;
  readonly onProgress: (listener: (progress: IndexProgress) => void) => void;
  readonly cancel: () => Promise<void>;
  readonly isCancelled: () => boolean;
}

interface StartOptions {
  /**
   * True for a run that must see everything there is now: it begins after the one under way, which may
   * have looked before. Otherwise the run under way will do.
   */
  readonly fresh: boolean;
  /** True for a run that reads everything again, which no other run can stand for. */
  readonly rebuild: boolean;
}

/**
 * Runs indexing jobs in worker threads: one at a time for each namespace of this process, and of all
 * namespaces as many as leave one processor to the answers; the others wait in line.
 */
export class IndexJobs {
  readonly #logger: Logger;
  readonly #threads = new Slots(Math.max(1, availableParallelism() - 1));
  readonly #running = new Map<string, RunningJob>();
  /** The run that begins after the running one. */
  readonly #queued = new Map<string, RunningJob>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  running(namespace: string): RunningJob | undefined {
    return this.#running.get(namespace);
  }

  /** `make` is called when the run begins, so that it knows the sources of that moment. */
  start(namespace: string, make: () => IndexJob, { fresh, rebuild }: StartOptions): RunningJob {
    const current = this.#running.get(namespace);
    if (current === undefined) return this.#launch(make());
    // One that is being ended does for nobody.
    if (!fresh && !rebuild && !current.isCancelled()) return current;
    const queued = this.#queued.get(namespace);
    if (queued !== undefined && !rebuild && !queued.isCancelled()) return queued;
    return this.#queue(namespace, queued ?? current, make);
  }

  async cancelAll(): Promise<void> {
    const jobs = [...this.#queued.values(), ...this.#running.values()];
    await Promise.all(jobs.map((job) => job.cancel()));
  }

  #queue(namespace: string, current: RunningJob, make: () => IndexJob): RunningJob {
    let own: RunningJob | undefined;
    let isCancelled = false;
    const listeners: ((progress: IndexProgress) => void)[] = [];
    const begin = (): Promise<IndexReport> => {
      if (this.#queued.get(namespace) === queued) this.#queued.delete(namespace);
      if (isCancelled) throw cancelled();
      own = this.#launch(make());
      for (const listener of listeners) own.onProgress(listener);
      return own.finished;
    };
    const queued: RunningJob = {
      finished: current.finished.then(begin, begin),
      progress: () => (own ?? current).progress(),
      onProgress: (listener) => void listeners.push(listener),
      isCancelled: () => isCancelled,
      cancel: async () => {
        isCancelled = true;
        await own?.cancel();
      },
    };
    // Whoever asked for the run hears of its failure; a run that nobody waits for any more must not
    // end the process.
    queued.finished.catch(() => undefined);
    this.#queued.set(namespace, queued);
    return queued;
  }

  #launch(job: IndexJob): RunningJob {
    const { namespace } = job;
    const started = startWorker(job, this.#threads);
    this.#running.set(namespace, started);
    void this.#followUp(started, job);
    return started;
  }

  async #followUp(started: RunningJob, job: IndexJob): Promise<void> {
    const { namespace } = job;
    try {
      const report = await started.finished;
      this.#logger.info("indexed", { namespace, ...report });
    } catch (thrown) {
      if (started.isCancelled()) this.#logger.debug("indexing cancelled", { namespace });
      else this.#logger.warn("indexing failed", failureFields(job, thrown));
    } finally {
      if (this.#running.get(namespace) === started) this.#running.delete(namespace);
    }
  }
}

function failureFields({ namespace }: IndexJob, error: unknown): LogFields {
  const cause = error instanceof Error ? error.cause : undefined;
  return { namespace, error, ...(cause === undefined ? {} : { cause }) };
}

function startWorker(job: IndexJob, threads: Slots): RunningJob {
  let latest: IndexProgress = { stage: "list", done: 0, total: 0 };
  const giveUp = new AbortController();
  let worker: Worker | undefined;
  const listeners = new Set<(progress: IndexProgress) => void>();
  const onProgress = (progress: IndexProgress): void => {
    latest = progress;
    for (const listener of listeners) listener(latest);
  };
  const run = async (): Promise<IndexReport> => {
    await threads.take(giveUp.signal);
    try {
      giveUp.signal.throwIfAborted();
      const { source, options } = workerEntry("index-worker");
      worker = new Worker(source, { ...options, workerData: job, stdout: false, stderr: false });
      return await reportOf(worker, onProgress);
    } finally {
      threads.release();
    }
  };
  return {
    finished: run(),
    progress: () => latest,
    onProgress: (listener) => void listeners.add(listener),
    isCancelled: () => giveUp.signal.aborted,
    cancel: async () => {
      giveUp.abort(cancelled());
      await worker?.terminate();
    },
  };
}

function reportOf(
  worker: Worker,
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
    worker.on("error", (cause) =>
      reject(new SvcError("INTERNAL_ERROR", "The indexing thread failed.", { cause })),
    );
    worker.on("exit", () => reject(cancelled()));
  });
}

function cancelled(): SvcError {
  return new SvcError("INDEX_UNAVAILABLE", "Indexing was cancelled.");
}
