import { availableParallelism } from "node:os";

import type { LogFields, Logger } from "../../base/log.ts";
import { Semaphore } from "../../base/semaphore.ts";
import type { IndexJob, IndexProgress, IndexReport } from "./indexer.ts";
import { cancelled, IndexThreadPool } from "./thread-pool.ts";

export interface RunningJob {
  readonly finished: Promise<IndexReport>;
  /** False for a run over single folders, which stands for no other. */
  readonly coversAllFiles: boolean;
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
  readonly mustBeNew: boolean;
  /** True for a run that reads everything again, which no other run can stand for. */
  readonly rebuild: boolean;
}

/**
 * Runs indexing jobs in worker threads: one at a time for each namespace of this process, and of all
 * namespaces as many as leave one processor to the answers; the others wait in line.
 */
export class IndexJobQueue {
  readonly #logger: Logger;
  readonly #semaphore = new Semaphore(Math.max(1, availableParallelism() - 1));
  readonly #threads = new IndexThreadPool();
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
  start(namespace: string, make: () => IndexJob, { mustBeNew, rebuild }: StartOptions): RunningJob {
    const current = this.#running.get(namespace);
    if (current === undefined) return this.#launch(make());
    // One that is being ended does for nobody.
    if (!mustBeNew && !rebuild && current.coversAllFiles && !current.isCancelled()) return current;
    const queued = this.#queued.get(namespace);
    if (queued !== undefined && !rebuild && !queued.isCancelled()) return queued;
    return this.#queue(namespace, queued ?? current, make);
  }

  /** Resolves when no run of the namespace is under way or waits. */
  async idle(namespace: string): Promise<void> {
    for (;;) {
      const job = this.#queued.get(namespace) ?? this.#running.get(namespace);
      if (job === undefined) return;
      // eslint-disable-next-line no-await-in-loop -- another may have been queued meanwhile
      await job.finished.catch(() => undefined);
    }
  }

  /** Ends all runs and their threads; there are no others afterwards. */
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
    // Whoever asked for the run hears of its failure; a run that nobody waits for any more must not
    // end the process.
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
    const giveUp = new AbortController();
    const listeners = new Set<(progress: IndexProgress) => void>();
    const onProgress = (progress: IndexProgress): void => {
      latest = progress;
      for (const listener of listeners) listener(latest);
    };
    const run = async (): Promise<IndexReport> => {
      await this.#semaphore.acquire(giveUp.signal);
      try {
        giveUp.signal.throwIfAborted();
        return await this.#threads.run(job, onProgress, giveUp.signal);
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
      isCancelled: () => giveUp.signal.aborted,
      cancel: async () => {
        giveUp.abort(cancelled());
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
