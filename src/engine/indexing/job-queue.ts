import { availableParallelism } from "node:os";

import type { LogFields, Logger } from "../../base/log.ts";
import { Semaphore } from "../../base/semaphore.ts";
import type { IndexProgress, IndexReport } from "./index-report.ts";
import type { IndexJob } from "./indexer.ts";
import { cancelled, IndexThreadPool } from "./thread-pool.ts";

export interface RunningJob {
  readonly finished: Promise<IndexReport>;
  /** False for a run over single folders, which cannot replace another run. */
  readonly coversAllFiles: boolean;
  readonly progress: () => IndexProgress;
  readonly onProgress: (listener: (progress: IndexProgress) => void) => void;
  readonly cancel: () => Promise<void>;
  readonly isCancelled: () => boolean;
}

interface StartOptions {
  /**
   * True when the run must see the current files. It then starts after the current run, which may have scanned
   * earlier. False when the current run is sufficient.
   */
  readonly mustBeNew: boolean;
  /** True for a run that reads everything again, which no other run can replace. */
  readonly rebuild: boolean;
}

/**
 * Runs indexing jobs in worker threads: one at a time per namespace in this process, and in total as many as leave one
 * processor for queries. Further jobs wait in order.
 */
export class IndexJobQueue {
  readonly #logger: Logger;
  readonly #semaphore = new Semaphore(Math.max(1, availableParallelism() - 1));
  readonly #threads = new IndexThreadPool();
  readonly #running = new Map<string, RunningJob>();
  /** Namespace -> the run that starts after the current one. */
  readonly #queued = new Map<string, RunningJob>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  running(namespace: string): RunningJob | undefined {
    return this.#running.get(namespace);
  }

  /** `make` is called when the run starts, so that the job has the current sources. */
  start(namespace: string, make: () => IndexJob, { mustBeNew, rebuild }: StartOptions): RunningJob {
    const current = this.#running.get(namespace);
    if (current === undefined) return this.#launch(make());
    // A cancelled run is not sufficient.
    if (!mustBeNew && !rebuild && current.coversAllFiles && !current.isCancelled()) return current;
    const queued = this.#queued.get(namespace);
    if (queued !== undefined && !rebuild && !queued.isCancelled()) return queued;
    return this.#queue(namespace, queued ?? current, make);
  }

  /** Resolves when the namespace has no running or queued run. */
  async idle(namespace: string): Promise<void> {
    for (;;) {
      const job = this.#queued.get(namespace) ?? this.#running.get(namespace);
      if (job === undefined) return;
      // eslint-disable-next-line no-await-in-loop -- another may have been queued meanwhile
      await job.finished.catch(() => undefined);
    }
  }

  /** Cancels all runs and ends their threads. No run may start afterwards. */
  async cancelAll(): Promise<void> {
    const jobs = [...this.#queued.values(), ...this.#running.values()];
    await Promise.all([...jobs.map((job) => job.cancel()), this.#threads.close()]);
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
      coversAllFiles: true,
      progress: () => (own ?? current).progress(),
      onProgress: (listener) => void listeners.push(listener),
      isCancelled: () => isCancelled,
      cancel: async () => {
        isCancelled = true;
        await own?.cancel();
      },
    };
    // Callers of the run get its failure. A run without waiting callers must not end the process.
    queued.finished.catch(() => undefined);
    this.#queued.set(namespace, queued);
    return queued;
  }

  #launch(job: IndexJob): RunningJob {
    const { namespace } = job;
    const started = this.#start(job);
    this.#running.set(namespace, started);
    void this.#followUp(started, job);
    return started;
  }

  #start(job: IndexJob): RunningJob {
    let latest: IndexProgress = { stage: "list", done: 0, total: 0 };
    const controller = new AbortController();
    const listeners = new Set<(progress: IndexProgress) => void>();
    const onProgress = (progress: IndexProgress): void => {
      latest = progress;
      for (const listener of listeners) listener(latest);
    };
    const run = async (): Promise<IndexReport> => {
      await this.#semaphore.acquire(controller.signal);
      try {
        controller.signal.throwIfAborted();
        return await this.#threads.run(job, onProgress, controller.signal);
      } finally {
        this.#semaphore.release();
      }
    };
    const finished = run();
    return {
      finished,
      coversAllFiles: job.folders === undefined,
      progress: () => latest,
      onProgress: (listener) => void listeners.add(listener),
      isCancelled: () => controller.signal.aborted,
      cancel: async () => {
        controller.abort(cancelled());
        await finished.catch(() => undefined);
      },
    };
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
