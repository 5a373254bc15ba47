import type { IndexReport } from "../api/index-report.ts";
import type { SourceFolder } from "../indexing/source-scan.ts";
import type { DirtySourceFolders } from "./watched-sources.ts";

interface IncrementalQueueOptions {
  /** Runs over these folders, or over everything when undefined. */
  readonly run: (folders: readonly SourceFolder[] | undefined) => Promise<IndexReport>;
  readonly onRunEnd: (report: IndexReport, isRescan: boolean) => void;
}

const MIN_RETRY_MS = 250;
const MAX_RETRY_MS = 30_000;
/** Pause between two runs: half of the first run's time, within these limits, for other writers and the machine. */
const MIN_PAUSE_MS = 25;
const MAX_PAUSE_MS = 500;

/** Runs over dirty folders, one run after the other. Folders that arrive during a run are batched for the next. */
export class IncrementalQueue {
  readonly #options: IncrementalQueueOptions;
  readonly #folders = new Map<string, SourceFolder>();
  #isRescanPending = false;
  #isRunning = false;
  #isClosed = false;
  #retryMs = MIN_RETRY_MS;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: IncrementalQueueOptions) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return !this.#isRunning && !this.#hasPending;
  }

  add({ folders }: DirtySourceFolders): void {
    if (folders === undefined) this.#isRescanPending = true;
    for (const folder of folders ?? []) {
      this.#folders.set(`${folder.source} ${folder.path}`, folder);
    }
    if (this.#retry === undefined) void this.#drain();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
  }

  async #drain(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#hasPending && !this.#isClosed && !this.#retry) {
      const from = performance.now();
      // eslint-disable-next-line no-await-in-loop -- sequential
      await this.#runNext();
      const half = (performance.now() - from) / 2;
      // eslint-disable-next-line no-await-in-loop -- as above
      if (this.#hasPending) await pause(half);
    }
    this.#isRunning = false;
  }

  get #hasPending(): boolean {
    return this.#isRescanPending || this.#folders.size > 0;
  }

  async #runNext(): Promise<void> {
    const isRescan = this.#isRescanPending;
    const folders = isRescan ? undefined : [...this.#folders.values()];
    this.#isRescanPending = false;
    this.#folders.clear();
    try {
      const report = await this.#options.run(folders);
      if (report.outcome === "busy") this.#requeue(folders);
      else this.#reportSuccess(report, isRescan);
    } catch {
      // The failure has been logged. Its folders are still dirty.
      this.#requeue(folders);
    }
  }

  #reportSuccess(report: IndexReport, isRescan: boolean): void {
    this.#retryMs = MIN_RETRY_MS;
    if (!this.#isClosed) this.#options.onRunEnd(report, isRescan);
  }

  #requeue(folders: readonly SourceFolder[] | undefined): void {
    if (this.#isClosed) return;
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.add({ folders });
    }, this.#retryMs).unref();
    this.#retryMs = Math.min(2 * this.#retryMs, MAX_RETRY_MS);
  }
}

function pause(ms: number): Promise<void> {
  const bounded = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, ms));
  return new Promise((resolve) => void setTimeout(resolve, bounded));
}
