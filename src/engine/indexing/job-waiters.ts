import type { RunningJob } from "./job-queue.ts";
import type { IndexReport } from "./indexer.ts";

interface WaitOptions {
  /** How long to wait; to the end by default. */
  readonly waitMs?: number | undefined;
  readonly signal: AbortSignal;
}

/** Who waits for runs: a run that was asked for only by calls which have been cancelled is ended. */
export class JobWaiters {
  readonly #calls = new WeakMap<RunningJob, number>();

  /** Lets the run go on whoever leaves it. */
  neverCancel(job: RunningJob): RunningJob {
    this.#calls.set(job, Infinity);
    return job;
  }

  /** The report of a run, or undefined when it goes on after `waitMs` or the call was cancelled. */
  async wait(job: RunningJob, options: WaitOptions): Promise<IndexReport | undefined> {
    this.#calls.set(job, (this.#calls.get(job) ?? 0) + 1);
    const report = await waitFor(job, options);
    if (report === undefined && !options.signal.aborted) this.neverCancel(job);
    const left = (this.#calls.get(job) ?? 0) - 1;
    this.#calls.set(job, left);
    if (options.signal.aborted && report === undefined && left === 0) await job.cancel();
    return report;
  }
}

/** The report of a job, or undefined when it goes on after `waitMs` or the caller has given up. */
export async function waitFor(
  job: RunningJob,
  { waitMs, signal }: WaitOptions,
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
