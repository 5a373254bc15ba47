// Keeps one namespace up to date, or waits to take over from the process that does. The holder of the lease watches the
// files and starts runs over changes. The lease is not the writer's lock: others must be able to write at any time.

import type { Logger } from "../../base/log.ts";
import type { IndexLayout } from "../../index/embedded/layout.ts";
import type { Source } from "../../sources/registry.ts";
import { IncrementalQueue } from "./incremental-queue.ts";
import type { IndexReport } from "../indexing/index-report.ts";
import type { SourceFolder } from "../indexing/source-scan.ts";
import { LeaderLease } from "./leader-lease.ts";
import type { WatchThread } from "./watch-thread.ts";
import {
  readFreshness,
  removeHeartbeat,
  touchHeartbeat,
  HEARTBEAT_MS,
  NOT_WATCHED,
  writeHeartbeat,
  type Freshness,
} from "./heartbeat.ts";

export interface WatchLeaderOptions {
  readonly namespace: string;
  readonly layout: IndexLayout;
  readonly logger: Logger;
  readonly thread: WatchThread;
  /** Returns the current sources. */
  readonly sources: () => readonly Source[];
  /** Absolute real paths of directories that are never watched. */
  readonly excludedFolders: () => readonly string[];
  readonly run: (folders: readonly SourceFolder[] | undefined) => Promise<IndexReport>;
  /** Called after each incremental run of this process. */
  readonly onRunEnd: (report: IndexReport) => void;
  /** Whether `onRunEnd` has a listener. */
  readonly hasListener: () => boolean;
}

/** How often a waiting process tries to take over, and the leader checks its lease and timers. */
const TICK_MS = 300;
const SOURCES_CHECK_MS = 1000;
/** Some changes cause no event: writes through a memory mapping or another hard link. */
const RESCAN_MS = 600_000;
/** Pause between two polls when files cannot be watched; at least MIN_POLL_TO_RUN_RATIO times a poll's duration. */
const POLL_MS = 30_000;
const POLL_MS_WITH_LISTENER = 2000;
const MIN_POLL_TO_RUN_RATIO = 20;
/** Retry watching after this time: the limits may have been raised. */
const WATCH_RETRY_MS = 300_000;

/** Next due times, as `performance.now()`. */
interface NextTimes {
  heartbeat: number;
  sources: number;
  rescan: number;
  watch: number;
}

export class WatchLeader {
  readonly #options: WatchLeaderOptions;
  readonly #lease: LeaderLease;
  readonly #timer: NodeJS.Timeout;
  readonly #next: NextTimes = { heartbeat: 0, sources: 0, rescan: 0, watch: 0 };
  /** Undefined while another process has the lease. */
  #queue: IncrementalQueue | undefined;
  #stopWatching: () => void = () => {};
  #freshness = NOT_WATCHED;
  /** The last written heartbeat. */
  #writtenHeartbeat: Freshness | undefined;
  /** The last problem that was logged. */
  #warned = "";
  /** The watched sources as JSON, to detect changes. */
  #sources = "";

  constructor(options: WatchLeaderOptions) {
    this.#options = options;
    this.#lease = new LeaderLease(options.layout);
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
    this.#tick();
  }

  /** Freshness reported by this process or by the holder of the lease. */
  get freshness(): Freshness {
    return this.#freshness;
  }

  get isLeading(): boolean {
    return this.#queue !== undefined;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#resign();
  }

  #tick(): void {
    try {
      if (this.isLeading) this.#lead();
      else this.#tryToLead();
    } catch (error) {
      // The index may have been removed; the next tick finds out.
      this.#options.logger.debug("watching failed", { namespace: this.#options.namespace, error });
      this.#resign();
    }
  }

  #tryToLead(): void {
    if (!this.#lease.isValid() && this.#options.sources().length === 0) return;
    if (this.#lease.tryTake()) this.#takeOver();
    else this.#freshness = readFreshness(this.#options.layout);
  }

  #takeOver(): void {
    const queue = new IncrementalQueue({
      run: this.#options.run,
      onRunEnd: (report, isRescan) => this.#onRunEnd(report, isRescan),
    });
    this.#queue = queue;
    this.#options.logger.debug("watching", { namespace: this.#options.namespace });
    this.#startWatching();
  }

  /** Starts or restarts watching. A full scan follows, so that no change is missed. */
  #startWatching(): void {
    this.#stopWatching();
    const { thread, sources, excludedFolders } = this.#options;
    const now = sources();
    this.#sources = JSON.stringify(now);
    this.#setFreshness({ mode: "starting", folders: 0 });
    this.#stopWatching = thread.watch(now, excludedFolders(), {
      onReady: (folders) => {
        this.#freshness = { ...this.#freshness, folders };
        this.#queue?.add({ folders: undefined });
      },
      onDirty: (dirty, folders) => {
        this.#freshness = { ...this.#freshness, folders };
        this.#queue?.add(dirty);
      },
      onLimit: (problem) => this.#onWatchLimit(problem),
    });
  }

  #onWatchLimit(problem: string): void {
    const { namespace, logger } = this.#options;
    // Watching is retried, but each problem is logged once.
    if (this.#warned !== problem) {
      const message = "files cannot be watched; they are checked periodically";
      logger.warn(message, { namespace, problem });
    }
    this.#warned = problem;
    this.#next.watch = performance.now() + WATCH_RETRY_MS;
    this.#setFreshness({ mode: "polled", folders: 0, problem });
    this.#queue?.add({ folders: undefined });
  }

  #onRunEnd(report: IndexReport, isRescan: boolean): void {
    if (isRescan) {
      const { mode, folders } = this.#freshness;
      const pollMs = this.#options.hasListener() ? POLL_MS_WITH_LISTENER : POLL_MS;
      const pause =
        mode === "polled" ? Math.max(pollMs, MIN_POLL_TO_RUN_RATIO * report.elapsedMs) : RESCAN_MS;
      this.#next.rescan = performance.now() + pause;
      if (mode === "starting") this.#setFreshness({ mode: "watched", folders });
    }
    this.#options.onRunEnd(report);
  }

  #lead(): void {
    if (!this.#lease.isValid()) {
      this.#resign();
      return;
    }
    const now = performance.now();
    if (now >= this.#next.heartbeat) {
      this.#next.heartbeat = now + HEARTBEAT_MS;
      this.#writeHeartbeat();
    }
    if (now >= this.#next.sources) {
      this.#next.sources = now + SOURCES_CHECK_MS;
      const sources = this.#options.sources();
      if (sources.length === 0) {
        this.#resign();
        return;
      }
      if (JSON.stringify(sources) !== this.#sources) this.#startWatching();
    }
    const { mode } = this.#freshness;
    if (mode === "polled" && now >= this.#next.watch) this.#startWatching();
    else if (mode !== "starting" && now >= this.#next.rescan && this.#queue?.isIdle === true) {
      this.#queue.add({ folders: undefined });
    }
  }

  #resign(): void {
    if (this.#queue !== undefined) {
      this.#queue.close();
      this.#queue = undefined;
      this.#stopWatching();
      this.#stopWatching = () => {};
      if (this.#lease.isValid()) removeHeartbeat(this.#options.layout);
    }
    this.#freshness = NOT_WATCHED;
    this.#lease.release();
  }

  #setFreshness(state: Omit<Freshness, "pid">): void {
    this.#freshness = { ...state, pid: process.pid };
    this.#next.heartbeat = performance.now() + HEARTBEAT_MS;
    this.#writeHeartbeat();
  }

  #writeHeartbeat(): void {
    if (this.#writtenHeartbeat === this.#freshness) touchHeartbeat(this.#options.layout);
    else writeHeartbeat(this.#options.layout, this.#freshness);
    this.#writtenHeartbeat = this.#freshness;
  }
}
