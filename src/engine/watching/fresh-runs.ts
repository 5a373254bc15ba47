import type { IndexReport } from "../indexing/indexer.ts";
import type { SourceFolder } from "../indexing/source-scan.ts";
import type { TouchedFolders } from "./watched-sources.ts";

interface FreshRunsOptions {
  /** One run over these folders; over everything without. */
  readonly run: (folders: readonly SourceFolder[] | undefined) => Promise<IndexReport>;
  readonly ended: (report: IndexReport, isWhole: boolean) => void;
}

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 30_000;
/** Between two runs, in a stream of changes: half of what the first took, for other writers and the machine. */
const SHORTEST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 500;

/** Has runs done over what was touched, one after the other; what comes meanwhile is joined for the next. */
export class FreshRuns {
  readonly #options: FreshRunsOptions;
  readonly #folders = new Map<string, SourceFolder>();
  #isWhole = false;
  #isRunning = false;
  #isClosed = false;
  #retryMs = FIRST_RETRY_MS;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: FreshRunsOptions) {
    this.#options = options;
  }

  get areDone(): boolean {
    return !this.#isRunning && !this.#isWaiting;
  }

  add({ folders }: TouchedFolders): void {
    if (folders === undefined) this.#isWhole = true;
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
    while (this.#isWaiting && !this.#isClosed && !this.#retry) {
      const from = performance.now();
      // eslint-disable-next-line no-await-in-loop -- one run after the other
      await this.#next();
      const half = (performance.now() - from) / 2;
      // eslint-disable-next-line no-await-in-loop -- as above
      if (this.#isWaiting) await pause(half);
    }
    this.#isRunning = false;
  }

  get #isWaiting(): boolean {
    return this.#isWhole || this.#folders.size > 0;
  }

  async #next(): Promise<void> {
    const isWhole = this.#isWhole;
    const folders = isWhole ? undefined : [...this.#folders.values()];
    this.#isWhole = false;
    this.#folders.clear();
    try {
      const report = await this.#options.run(folders);
      if (report.outcome === "busy") this.#putBack(folders);
      else this.#succeed(report, isWhole);
    } catch {
      // The run has been logged. What it was to see is still to be seen.
      this.#putBack(folders);
    }
  }

  #succeed(report: IndexReport, isWhole: boolean): void {
    this.#retryMs = FIRST_RETRY_MS;
    if (!this.#isClosed) this.#options.ended(report, isWhole);
  }

  #putBack(folders: readonly SourceFolder[] | undefined): void {
    if (this.#isClosed) return;
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.add({ folders });
    }, this.#retryMs).unref();
    this.#retryMs = Math.min(2 * this.#retryMs, LONGEST_RETRY_MS);
  }
}

function pause(ms: number): Promise<void> {
  const bounded = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, ms));
  return new Promise((resolve) => void setTimeout(resolve, bounded));
}
