import type { RunningJob } from "./indexing/index-jobs.ts";
import type { IndexReport } from "./indexing/indexer.ts";

interface Patience {
  /** How long to wait; to the end by default. */
  readonly waitMs?: number | undefined;
  readonly signal: AbortSignal;
}

/** Who waits for runs: a run that was asked for only by calls which have been cancelled is ended. */
export class Interest {
  readonly #calls = new WeakMap<RunningJob, number>();

  /** Lets the run go on whoever leaves it. */
  keep(job: RunningJob): RunningJob {
    this.#calls.set(job, Infinity);
    return job;
  }

  /** The report of a run, or undefined when it goes on after `waitMs` or the call was cancelled. */
  async wait(job: RunningJob, patience: Patience): Promise<IndexReport | undefined> {
    this.#calls.set(job, (this.#calls.get(job) ?? 0) + 1);
    const report = await settled(job, patience);
    if (report === undefined && !patience.signal.aborted) this.keep(job);
    const left = (this.#calls.get(job) ?? 0) - 1;
    this.#calls.set(job, left);
    if (patience.signal.aborted && report === undefined && left === 0) await job.cancel();
    return report;
  }
}

/** The report of a job, or undefined when it goes on after `waitMs` or the caller has given up. */
export async function settled(
  job: RunningJob,
  { waitMs, signal }: Patience,
): Promise<IndexReport | undefined> {
  if (signal.aborted) return undefined;
  const { promise, resolve, reject } = Promise.withResolvers<IndexReport | undefined>();
  const giveUp = (): void => resolve(undefined);
  const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
  signal.addEventListener("abort", giveUp);
  job.finished.then(resolve, reject);
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  });
}
