// Keeps one namespace up to date, or waits to take over from the process that does. The holder of the lease watches the
// files and starts runs over changes. The lease is not the writer's lock: others must be able to write at any time.

import type { Logger } from "../../base/log.ts";
import { PUBLISH_MS, type Lease, type Leases } from "../../backend/leases/port.ts";
import { IncrementalQueue } from "./incremental-queue.ts";
import type { IndexReport } from "../api/index-report.ts";
import type { ConfiguredSource } from "../indexing/project-settings.ts";
import type { SourceFolder } from "../indexing/source-scan.ts";
import type { WatchThread } from "./watch-thread.ts";
import type { Freshness } from "../api/status.ts";
import { freshnessOf, NOT_WATCHED } from "./heartbeat.ts";

export interface WatchLeaderOptions {
  readonly namespace: string;
  readonly leases: Leases;
  readonly logger: Logger;
  readonly thread: WatchThread;
  /** Returns the current sources. */
  readonly sources: () => Promise<readonly ConfiguredSource[]>;
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
  readonly #lease: Lease;
  readonly #timer: NodeJS.Timeout;
  readonly #next: NextTimes = { heartbeat: 0, sources: 0, rescan: 0, watch: 0 };
  /** Undefined while another process has the lease. */
  #queue: IncrementalQueue | undefined;
  #stopWatching: () => void = () => {};
  #freshness = NOT_WATCHED;
  /** The tick that is running; ticks do not overlap. */
  #ticking: Promise<void> | undefined;
  #isClosed = false;
  /** The last problem that was logged. */
  #warned = "";
  /** The watched sources as JSON, to detect changes. */
  #sources = "";

  constructor(options: WatchLeaderOptions) {
    this.#options = options;
    this.#lease = options.leases.leaseOf(options.namespace);
    this.#timer = setInterval(() => void this.#tick(), TICK_MS).unref();
    void this.#tick();
  }

  /** Freshness reported by this process or by the holder of the lease. */
  get freshness(): Freshness {
    return this.#freshness;
  }

  get isLeading(): boolean {
    return this.#queue !== undefined;
  }

  /** Resolves when the first attempt to take the lease has ended. */
  async begun(): Promise<void> {
    await this.#ticking;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#ticking;
    await this.#resign();
  }

  #tick(): Promise<void> {
    this.#ticking ??= this.#runTick().finally(() => (this.#ticking = undefined));
    return this.#ticking;
  }

  async #runTick(): Promise<void> {
    if (this.#isClosed) return;
    try {
      if (this.isLeading) await this.#lead();
      else await this.#tryToLead();
    } catch (error) {
      // The index may have been removed; the next tick finds out.
      this.#options.logger.debug("watching failed", { namespace: this.#options.namespace, error });
      await this.#resign();
    }
  }

  async #tryToLead(): Promise<void> {
    const { namespace, leases, sources } = this.#options;
    if (!(await this.#lease.isValid()) && (await sources()).length === 0) return;
    if (await this.#lease.tryTake()) await this.#takeOver();
    else this.#freshness = await freshnessOf(leases, namespace);
  }

  async #takeOver(): Promise<void> {
    const queue = new IncrementalQueue({
      run: this.#options.run,
      onRunEnd: (report, isRescan) => this.#onRunEnd(report, isRescan),
    });
    this.#queue = queue;
    this.#options.logger.debug("watching", { namespace: this.#options.namespace });
    await this.#startWatching();
  }

  /** Starts or restarts watching. A full scan follows, so that no change is missed. */
  async #startWatching(): Promise<void> {
    this.#stopWatching();
    const { thread, sources, excludedFolders } = this.#options;
    const now = await sources();
    this.#sources = JSON.stringify(now);
    await this.#setFreshness({ mode: "starting", folders: 0 });
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
    void this.#setFreshness({ mode: "polled", folders: 0, problem });
    this.#queue?.add({ folders: undefined });
  }

  #onRunEnd(report: IndexReport, isRescan: boolean): void {
    if (isRescan) {
      const { mode, folders } = this.#freshness;
      const pollMs = this.#options.hasListener() ? POLL_MS_WITH_LISTENER : POLL_MS;
      const pause =
        mode === "polled" ? Math.max(pollMs, MIN_POLL_TO_RUN_RATIO * report.elapsedMs) : RESCAN_MS;
      this.#next.rescan = performance.now() + pause;
      if (mode === "starting") void this.#setFreshness({ mode: "watched", folders });
    }
    this.#options.onRunEnd(report);
  }

  async #lead(): Promise<void> {
    if (!(await this.#lease.isValid())) {
      await this.#resign();
      return;
    }
    const now = performance.now();
    if (now >= this.#next.heartbeat) {
      await this.#publish();
    }
    if (now >= this.#next.sources) {
      this.#next.sources = now + SOURCES_CHECK_MS;
      const sources = await this.#options.sources();
      if (sources.length === 0) {
        await this.#resign();
        return;
      }
      if (JSON.stringify(sources) !== this.#sources) await this.#startWatching();
    }
    const { mode } = this.#freshness;
    if (mode === "polled" && now >= this.#next.watch) await this.#startWatching();
    else if (mode !== "starting" && now >= this.#next.rescan && this.#queue?.isIdle === true) {
      this.#queue.add({ folders: undefined });
    }
  }

  async #resign(): Promise<void> {
    if (this.#queue !== undefined) {
      this.#queue.close();
      this.#queue = undefined;
      this.#stopWatching();
      this.#stopWatching = () => {};
    }
    this.#freshness = NOT_WATCHED;
    await this.#lease.release();
  }

  async #setFreshness({ mode, ...state }: Omit<Freshness, "pid">): Promise<void> {
    // In the order in which other processes report it: an answer is the same text from each.
    this.#freshness = { mode, pid: process.pid, ...state };
    await this.#publish();
  }

  async #publish(): Promise<void> {
    this.#next.heartbeat = performance.now() + PUBLISH_MS;
    try {
      await this.#lease.publish(this.#freshness);
    } catch (error) {
      // The index may have been removed; the next tick finds out.
      this.#options.logger.debug("watching failed", { namespace: this.#options.namespace, error });
    }
  }
}
