import type { RunningJob } from "./job-queue.ts";
import type { IndexReport } from "../api/index-report.ts";

interface WaitOptions {
  /** Maximum milliseconds to wait; until the run ends by default. */
  readonly waitMs?: number | undefined;
  readonly signal: AbortSignal;
}

/** Counts the calls that wait for a run, and cancels a run when all its calls were cancelled. */
export class JobWaiters {
  readonly #calls = new WeakMap<RunningJob, number>();

  /** Keeps the run alive even when all its calls are cancelled. */
  neverCancel(job: RunningJob): RunningJob {
    this.#calls.set(job, Infinity);
    return job;
  }

  /** The report of a run, or undefined when it is still running after `waitMs` or the call was cancelled. */
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

/** The report of a job, or undefined when it is still running after `waitMs` or `signal` was aborted. */
export async function waitFor(
  job: RunningJob,
  { waitMs, signal }: WaitOptions,
): Promise<IndexReport | undefined> {
  if (signal.aborted) return undefined;
  const { promise, resolve, reject } = Promise.withResolvers<IndexReport | undefined>();
  const stopWaiting = (): void => resolve(undefined);
  const timer = waitMs === undefined ? undefined : setTimeout(stopWaiting, waitMs);
  signal.addEventListener("abort", stopWaiting);
  job.finished.then(resolve, reject);
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", stopWaiting);
  });
}
