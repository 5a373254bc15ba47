import { availableParallelism } from "node:os";

import { toSvcError } from "../../base/errors.ts";
import type { LogFields, Logger } from "../../base/log.ts";
import { Semaphore } from "../../base/semaphore.ts";
import type { IndexProgress, IndexReport } from "../api/index-report.ts";
import type { JobRunner } from "./job-runner.ts";
import type { IndexJob, RunListener } from "./run-options.ts";
import { cancelled } from "./run-failure.ts";

export interface RunningJob {
  readonly finished: Promise<IndexReport>;
  /** False for a run over single folders, which cannot replace another run. */
  readonly coversAllFiles: boolean;
  readonly progress: () => IndexProgress;
  readonly listen: (listener: RunListener) => void;
  readonly cancel: () => Promise<void>;
  readonly isCancelled: () => boolean;
}

interface StartedJob extends RunningJob {
  /** Whether a caller waits for the run, and gets its failure. */
  readonly isAwaited: () => boolean;
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

/** A run that may start later. */
interface PlannedJob {
  readonly namespace: string;
  /** False if the request is for single folders. */
  readonly coversAllFiles: boolean;
  /** Called when the run starts, so that the job has the current sources. */
  readonly prepare: (signal: AbortSignal) => Promise<IndexJob>;
}

/**
 * Queues indexing jobs: one runs at a time per namespace in this process, and in total as many as leave one processor
 * for queries. Further jobs wait in order.
 */
export class IndexJobQueue {
  readonly #logger: Logger;
  readonly #semaphore = new Semaphore(Math.max(1, availableParallelism() - 1));
  readonly #runner: JobRunner;
  readonly #running = new Map<string, RunningJob>();
  /** Namespace -> the run that starts after the current one. */
  readonly #queued = new Map<string, RunningJob>();

  constructor(logger: Logger, runner: JobRunner) {
    this.#logger = logger;
    this.#runner = runner;
  }

  running(namespace: string): RunningJob | undefined {
    return this.#running.get(namespace);
  }

  start(planned: PlannedJob, { mustBeNew, rebuild }: StartOptions): RunningJob {
    const { namespace } = planned;
    const current = this.#running.get(namespace);
    if (current === undefined) return this.#launch(planned);
    // A cancelled run is not sufficient.
    if (!mustBeNew && !rebuild && current.coversAllFiles && !current.isCancelled()) return current;
    const queued = this.#queued.get(namespace);
    if (queued !== undefined && !rebuild && !queued.isCancelled()) return queued;
    return this.#queue(queued ?? current, planned);
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
    await Promise.all([...jobs.map((job) => job.cancel()), this.#runner.close()]);
  }

  #queue(current: RunningJob, planned: PlannedJob): RunningJob {
    const { namespace } = planned;
    let own: RunningJob | undefined;
    let isCancelled = false;
    const listeners: RunListener[] = [];
    const begin = (): Promise<IndexReport> => {
      if (this.#queued.get(namespace) === queued) this.#queued.delete(namespace);
      if (isCancelled) throw cancelled();
      own = this.#launch(planned);
      for (const listener of listeners) own.listen(listener);
      return own.finished;
    };
    const queued: RunningJob = {
      finished: current.finished.then(begin, begin),
      coversAllFiles: true,
      progress: () => (own ?? current).progress(),
      listen: (listener) => {
        listeners.push(listener);
        // Until its own run begins, the caller waits for this one.
        const { onProgress } = listener;
        current.listen({ onProgress });
      },
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

  #launch(planned: PlannedJob): RunningJob {
    const started = this.#start(planned);
    this.#running.set(planned.namespace, started);
    void this.#followUp(started, planned);
    return started;
  }

  #start({ prepare, ...planned }: PlannedJob): StartedJob {
    let { coversAllFiles } = planned;
    let latest: IndexProgress = { stage: "list", done: 0, total: 0 };
    const controller = new AbortController();
    const listeners = new Set<RunListener>();
    const listener: RunListener = {
      onProgress: (progress) => {
        latest = progress;
        for (const one of listeners) one.onProgress?.(progress);
      },
      onCommit: () => {
        for (const one of listeners) one.onCommit?.();
      },
    };
    const run = async (): Promise<IndexReport> => {
      const job = await prepare(controller.signal);
      coversAllFiles = job.folders === undefined;
      await this.#semaphore.acquire(controller.signal);
      try {
        controller.signal.throwIfAborted();
        return await this.#runner.run(job, listener, controller.signal);
      } finally {
        this.#semaphore.release();
      }
    };
    const finished = run();
    return {
      finished,
      get coversAllFiles() {
        return coversAllFiles;
      },
      progress: () => latest,
      listen: (one) => void listeners.add(one),
      isAwaited: () => listeners.size > 0,
      isCancelled: () => controller.signal.aborted,
      cancel: async () => {
        controller.abort(cancelled());
        await finished.catch(() => undefined);
      },
    };
  }

  async #followUp(started: StartedJob, { namespace }: PlannedJob): Promise<void> {
    try {
      const report = await started.finished;
      this.#logger.info("indexed", { namespace, ...report });
    } catch (thrown) {
      if (started.isCancelled()) this.#logger.debug("indexing cancelled", { namespace });
      else {
        // The caller reports it.
        const isReported = started.isAwaited() && toSvcError(thrown).code !== "INTERNAL_ERROR";
        const fields = failureFields(namespace, thrown);
        this.#logger[isReported ? "info" : "warn"]("indexing failed", fields);
      }
    } finally {
      if (this.#running.get(namespace) === started) this.#running.delete(namespace);
    }
  }
}

function failureFields(namespace: string, error: unknown): LogFields {
  const cause = error instanceof Error ? error.cause : undefined;
  return { namespace, error, ...(cause === undefined ? {} : { cause }) };
}
