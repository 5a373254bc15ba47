// Keeps one namespace fresh, or waits for the process that does to end. Who has the lease watches the files and
// has runs done over what changes. It is not the writer's lock: others must be able to write at any time.

import type { Logger } from "../../base/log.ts";
import type { IndexLayout } from "../../index/layout.ts";
import type { Source } from "../../sources/registry.ts";
import { FreshRuns } from "./fresh-runs.ts";
import type { IndexReport } from "../indexing/indexer.ts";
import type { SourceFolder } from "../indexing/source-scan.ts";
import { WatchLease } from "./watch-lease.ts";
import type { WatchThread } from "./watch-thread.ts";
import {
  readNote,
  removeNote,
  renewNote,
  SIGN_OF_LIFE_MS,
  WHEN_ASKED,
  writeNote,
  type Freshness,
} from "./watcher-note.ts";

export interface NamespaceWatchOptions {
  readonly namespace: string;
  readonly layout: IndexLayout;
  readonly logger: Logger;
  readonly thread: WatchThread;
  /** As they are now. */
  readonly sources: () => readonly Source[];
  /** Absolute real paths of directories that are never watched. */
  readonly leftOut: () => readonly string[];
  readonly run: (folders: readonly SourceFolder[] | undefined) => Promise<IndexReport>;
  /** Hears of the runs of this process over what has changed. */
  readonly ended: (report: IndexReport) => void;
  /** Whether somebody wants to hear of them. */
  readonly isListened: () => boolean;
}

/** How often a process that waits looks whether it may take over, and one that watches whether all is as it was. */
const TICK_MS = 300;
const SOURCES_LOOK_MS = 1000;
/** Not every change is an event: writes through a mapping of memory or another hard link are none. */
const WHOLE_LOOK_MS = 600_000;
/** Where nothing can be watched: between two looks, and this many times as long as a look takes. */
const POLL_MS = 30_000;
const LISTENED_POLL_MS = 2000;
const POLL_SHARE = 20;
/** The limits that stood in the way may have been raised. */
const WATCH_AGAIN_MS = 300_000;

/** What is to be done at which time of `performance.now()`. */
interface Due {
  sign: number;
  sources: number;
  look: number;
  watch: number;
}

export class NamespaceWatch {
  readonly #options: NamespaceWatchOptions;
  readonly #lease: WatchLease;
  readonly #timer: NodeJS.Timeout;
  readonly #due: Due = { sign: 0, sources: 0, look: 0, watch: 0 };
  /** Undefined while another process has the lease. */
  #runs: FreshRuns | undefined;
  #stopWatching: () => void = () => {};
  #freshness = WHEN_ASKED;
  /** What the note says. */
  #told: Freshness | undefined;
  /** The problem that was warned of. */
  #warned = "";
  /** What is watched, to be compared with what should be. */
  #sources = "";

  constructor(options: NamespaceWatchOptions) {
    this.#options = options;
    this.#lease = new WatchLease(options.layout);
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
    this.#tick();
  }

  /** Of this process or the one that has the lease. */
  get freshness(): Freshness {
    return this.#freshness;
  }

  get isLeader(): boolean {
    return this.#runs !== undefined;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#resign();
  }

  #tick(): void {
    try {
      if (this.isLeader) this.#lead();
      else this.#wait();
    } catch (error) {
      // The index may have been removed; the next tick finds out.
      this.#options.logger.debug("watching failed", { namespace: this.#options.namespace, error });
      this.#resign();
    }
  }

  #wait(): void {
    if (!this.#lease.isValid() && this.#options.sources().length === 0) return;
    if (this.#lease.tryTake()) this.#takeOver();
    else this.#freshness = readNote(this.#options.layout);
  }

  #takeOver(): void {
    const runs = new FreshRuns({
      run: this.#options.run,
      ended: (report, isWhole) => this.#ended(report, isWhole),
    });
    this.#runs = runs;
    this.#options.logger.debug("watching", { namespace: this.#options.namespace });
    this.#watch();
  }

  /** Begins to watch, or begins anew: once it does, everything is looked at, so that nothing is missed. */
  #watch(): void {
    this.#stopWatching();
    const { thread, sources, leftOut } = this.#options;
    const now = sources();
    this.#sources = JSON.stringify(now);
    this.#tell({ mode: "starting", folders: 0 });
    this.#stopWatching = thread.watch(now, leftOut(), {
      ready: (folders) => {
        this.#freshness = { ...this.#freshness, folders };
        this.#runs?.add({ folders: undefined });
      },
      touched: (touched, folders) => {
        this.#freshness = { ...this.#freshness, folders };
        this.#runs?.add(touched);
      },
      limited: (problem) => this.#limited(problem),
    });
  }

  #limited(problem: string): void {
    const { namespace, logger } = this.#options;
    // It is tried again and again, and told once.
    if (this.#warned !== problem) {
      const message = "files cannot be watched, so they are looked at from time to time";
      logger.warn(message, { namespace, problem });
    }
    this.#warned = problem;
    this.#due.watch = performance.now() + WATCH_AGAIN_MS;
    this.#tell({ mode: "polled", folders: 0, problem });
    this.#runs?.add({ folders: undefined });
  }

  #ended(report: IndexReport, isWhole: boolean): void {
    if (isWhole) {
      const { mode, folders } = this.#freshness;
      const pollMs = this.#options.isListened() ? LISTENED_POLL_MS : POLL_MS;
      const pause =
        mode === "polled" ? Math.max(pollMs, POLL_SHARE * report.elapsedMs) : WHOLE_LOOK_MS;
      this.#due.look = performance.now() + pause;
      if (mode === "starting") this.#tell({ mode: "watched", folders });
    }
    this.#options.ended(report);
  }

  #lead(): void {
    if (!this.#lease.isValid()) {
      this.#resign();
      return;
    }
    const now = performance.now();
    if (now >= this.#due.sign) {
      this.#due.sign = now + SIGN_OF_LIFE_MS;
      this.#sign();
    }
    if (now >= this.#due.sources) {
      this.#due.sources = now + SOURCES_LOOK_MS;
      const sources = this.#options.sources();
      if (sources.length === 0) {
        this.#resign();
        return;
      }
      if (JSON.stringify(sources) !== this.#sources) this.#watch();
    }
    const { mode } = this.#freshness;
    if (mode === "polled" && now >= this.#due.watch) this.#watch();
    else if (mode !== "starting" && now >= this.#due.look && this.#runs?.areDone === true) {
      this.#runs.add({ folders: undefined });
    }
  }

  #resign(): void {
    if (this.#runs !== undefined) {
      this.#runs.close();
      this.#runs = undefined;
      this.#stopWatching();
      this.#stopWatching = () => {};
      if (this.#lease.isValid()) removeNote(this.#options.layout);
    }
    this.#freshness = WHEN_ASKED;
    this.#lease.release();
  }

  #tell(state: Omit<Freshness, "pid">): void {
    this.#freshness = { ...state, pid: process.pid };
    this.#due.sign = performance.now() + SIGN_OF_LIFE_MS;
    this.#sign();
  }

  #sign(): void {
    if (this.#told === this.#freshness) renewNote(this.#options.layout);
    else writeNote(this.#options.layout, this.#freshness);
    this.#told = this.#freshness;
  }
}
