// Executes updates of repositories from the queue that the nodes of a team share. If this process cannot finish an
// update, another node takes it.

import { availableParallelism, hostname } from "node:os";

import type { Logger } from "../../base/log.ts";
import {
  ANNOUNCE_MS,
  type TakenUpdate,
  type UpdateQueue,
  type UpdateResult,
} from "../../backend/updates/port.ts";
import { SvcError } from "../../base/errors.ts";
import { oneAtATime } from "../../base/one-at-a-time.ts";
import { failureResult } from "./follow-update.ts";
import type { RunningJob } from "./job-queue.ts";

interface UpdateWorkerOptions {
  readonly queue: UpdateQueue;
  /** Starts the runs of an update, at least one. */
  readonly start: (
    update: Pick<TakenUpdate, "namespace" | "sources" | "rebuild">,
  ) => Promise<readonly RunningJob[]>;
  readonly logger: Logger;
}

/** How often a node looks for work. */
const POLL_MS = 1000;
/** How often those who wait see progress. */
const PROGRESS_MS = 1000;

export class UpdateWorker {
  readonly #options: UpdateWorkerOptions;
  readonly #name = `${hostname()}:${process.pid}`;
  readonly #closing = new AbortController();
  /** The updates that this node does. */
  readonly #running = new Set<Promise<void>>();
  #loop: Promise<void> | undefined;
  /** Set while the loop waits. */
  #endPause: (() => void) | undefined;
  #announcing: NodeJS.Timeout | undefined;

  constructor(options: UpdateWorkerOptions) {
    this.#options = options;
  }

  /** Takes as many updates at a time as leave one processor for queries. */
  start(): void {
    if (this.#closing.signal.aborted || this.#loop !== undefined) return;
    const announce = oneAtATime(() =>
      this.#try("announce", () => this.#options.queue.announce(this.#name)),
    );
    announce();
    this.#announcing = setInterval(announce, ANNOUNCE_MS).unref();
    this.#loop = this.#takeAgainAndAgain(Math.max(1, availableParallelism() - 1));
  }

  /** Gives running updates back. Resolves when this node has no part in the queue any more. */
  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#loop === undefined) return;
    clearInterval(this.#announcing);
    await this.#loop;
    await Promise.all(this.#running);
    await this.#try("retire", () => this.#options.queue.retire());
  }

  async #takeAgainAndAgain(maxRunning: number): Promise<void> {
    const { queue } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const isBusy = this.#running.size >= maxRunning;
      // oxlint-disable-next-line no-await-in-loop -- one update after the other
      const update = isBusy ? undefined : await this.#try("take", () => queue.take());
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (update === undefined) await this.#pause();
      else {
        const work = this.#do(update).finally(() => {
          this.#running.delete(work);
          this.#endPause?.();
        });
        this.#running.add(work);
      }
    }
  }

  /** Resolves after POLL_MS, and at once when an update has ended or this node is closing. */
  #pause(): Promise<void> {
    const { signal } = this.#closing;
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        this.#endPause = undefined;
        resolve();
      };
      const timer = setTimeout(end, POLL_MS);
      this.#endPause = end;
      signal.addEventListener("abort", end);
      if (signal.aborted) end();
    });
  }

  async #do(update: TakenUpdate): Promise<void> {
    const { logger, start } = this.#options;
    const { namespace } = update;
    logger.info("updating", { namespace });
    let jobs: readonly RunningJob[] = [];
    const cancel = (): void => void Promise.all(jobs.map((job) => job.cancel()));
    const { signal } = this.#closing;
    signal.addEventListener("abort", cancel);
    const keep = async (): Promise<void> => {
      const [job] = jobs;
      const isKept = await this.#try("keep", () => update.keep(job?.progress() ?? {}));
      // A database that cannot be reached decides nothing.
      if (isKept === false) cancel();
    };
    const keeping = setInterval(oneAtATime(keep), PROGRESS_MS).unref();
    let result: UpdateResult | undefined;
    try {
      jobs = await start(update);
      if (signal.aborted) cancel();
      result = await resultOf(jobs);
    } catch (thrown) {
      result = failureResult(thrown);
    } finally {
      clearInterval(keeping);
      signal.removeEventListener("abort", cancel);
    }
    const isInterrupted = signal.aborted && result.problem !== undefined;
    const ended = result;
    await this.#try("end", () => (isInterrupted ? update.giveBack() : update.end(ended)));
  }

  /** Returns undefined after a failure, such as a database that cannot be reached: the next attempt may succeed. */
  async #try<T>(step: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#options.logger.warn("queue of updates", { step, error });
      return undefined;
    }
  }
}

/** The report of the last run: all runs of a namespace cover all its files. */
async function resultOf(jobs: readonly RunningJob[]): Promise<UpdateResult> {
  const ended = await Promise.allSettled(jobs.map((job) => job.finished));
  let report: object = {};
  for (const one of ended) {
    if (one.status === "rejected") return failureResult(one.reason);
    if (one.value.outcome === "busy") return failureResult(busy());
    report = one.value;
  }
  return { report };
}

function busy(): SvcError {
  return new SvcError("INDEX_UNAVAILABLE", "Another svc process is indexing this namespace.", {
    hint: "The update is done when it has ended.",
  });
}
