// Schedules the indexing runs of namespaces, on request and in the background, and records their results.

import { SvcError, toSvcError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import type { EmbeddedBackend } from "../../index/embedded/backend.ts";
import { namespaceNotFound } from "../../sources/namespace.ts";
import type { Registry } from "../../sources/registry.ts";
import { rootProblem } from "../../sources/source-root.ts";
import { NamespaceWatchers } from "../watching/namespace-watchers.ts";
import { IndexJobQueue, type RunningJob } from "./job-queue.ts";
import type { IndexProgress, IndexReport } from "./index-report.ts";
import type { IndexJob } from "./indexer.ts";
import { JobWaiters } from "./job-waiters.ts";
import { removeIndex } from "../pending-deletions.ts";

interface RunSchedulerOptions {
  readonly dataDirectory: string;
  readonly logger: Logger;
  /** The folder of a model2vec model; the bundled table by default. */
  readonly embeddings?: string | undefined;
  /** Watch the files of the namespaces in use. */
  readonly watchesFiles?: boolean | undefined;
}

/** Functions of the engine that runs use. */
interface RunSchedulerDependencies {
  readonly backend: EmbeddedBackend;
  readonly registry: () => Registry;
  /** Creation time of the namespace; undefined when it does not exist. */
  readonly createdAt: (namespace: string) => string | undefined;
  /** Closes an index that is being rebuilt. */
  readonly closeIndex: (namespace: string) => void;
}

interface RunRequest {
  /** The run must see the current files; otherwise the current run is sufficient. */
  readonly mustBeNew: boolean;
  readonly rebuild?: boolean;
  /** Quarantine a damaged index first. */
  readonly quarantine?: IndexJob["quarantine"];
  /** Reported by the status. */
  readonly startedBy?: "index" | "background" | "watch";
  /** Check only the direct entries of these folders. */
  readonly folders?: IndexJob["folders"];
}

/**
 * Maximum age of the last check of the files, when they are not watched. After that, a query starts another check in
 * the background.
 */
const MAX_SCAN_AGE_MS = 2000;
/** How long after a query that check starts. */
const REFRESH_DELAY_MS = 100;
/** How long a run waits for another process that is writing to the same namespace, in ms. */
export const MAX_WRITER_WAIT_MS = 15_000;

export class RunScheduler {
  readonly watchers: NamespaceWatchers;
  readonly waiters = new JobWaiters();
  readonly #options: RunSchedulerOptions;
  readonly #dependencies: RunSchedulerDependencies;
  readonly #jobs: IndexJobQueue;
  /** Namespace -> `performance.now()` of its last check. */
  readonly #lastScan = new Map<string, number>();
  /** Namespaces that had no index when their latest run started. */
  readonly #firstBuilds = new Set<string>();
  /** Runs whose end is recorded. */
  readonly #recorded = new WeakSet<RunningJob>();
  #isClosed = false;

  constructor(options: RunSchedulerOptions, dependencies: RunSchedulerDependencies) {
    this.#options = options;
    this.#dependencies = dependencies;
    this.#jobs = new IndexJobQueue(options.logger);
    this.watchers = new NamespaceWatchers({
      dataDirectory: options.dataDirectory,
      logger: options.logger,
      layout: (namespace) => dependencies.backend.layout(namespace),
      sources: (namespace) => dependencies.registry().sources(namespace),
      run: (namespace, folders) => this.#runOverFolders(namespace, folders),
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.watchers.close();
    await this.#jobs.cancelAll();
  }

  running(namespace: string): RunningJob | undefined {
    return this.#jobs.running(namespace);
  }

  /** Progress of the first run of a namespace; undefined for later runs, during which answers are complete. */
  building(namespace: string): IndexProgress | undefined {
    const progress = this.running(namespace)?.progress();
    if (progress === undefined) this.#firstBuilds.delete(namespace);
    return this.#firstBuilds.has(namespace) ? progress : undefined;
  }

  /** Starts to watch the files of a namespace, if this process watches files. `isPinned`: until the process ends. */
  watch(namespace: string, isPinned = false): void {
    const mayWatch = this.#options.watchesFiles === true && !this.#isClosed;
    if (mayWatch && this.#dependencies.registry().obstacle === undefined)
      this.watchers.watch(namespace, { isPinned });
  }

  /** Records that all files have just been checked. */
  markScanned(namespace: string): void {
    this.#lastScan.set(namespace, performance.now());
  }

  isStale(namespace: string): boolean {
    if (this.watchers.isWatched(namespace)) return false;
    return performance.now() - (this.#lastScan.get(namespace) ?? -Infinity) > MAX_SCAN_AGE_MS;
  }

  /** Checks the files when the last check is too old. Delayed, because the thread would slow down the query. */
  refreshStale(namespace: string, delayMs = REFRESH_DELAY_MS): void {
    if (!this.isStale(namespace)) return;
    this.markScanned(namespace);
    setTimeout(() => this.refresh(namespace), delayMs).unref();
  }

  /** Starts a check of the files in the background. */
  refresh(namespace: string): void {
    if (this.#dependencies.registry().obstacle !== undefined) return;
    // A background run must not recreate a removed namespace.
    if (this.#isClosed || this.#dependencies.createdAt(namespace) === undefined) return;
    this.markScanned(namespace);
    // The jobs log failures; queries continue on the old generation.
    this.waiters
      .neverCancel(this.start(namespace, { mustBeNew: false }))
      .finished.then(() => this.markScanned(namespace))
      .catch(() => undefined);
  }

  /** Starts a run or returns a sufficient one. Throws INDEX_UNAVAILABLE when the data directory is read-only. */
  start(namespace: string, request: RunRequest): RunningJob {
    const { obstacle } = this.#dependencies.registry();
    if (obstacle !== undefined) throw obstacle;
    const { mustBeNew, quarantine, startedBy = "background" } = request;
    const rebuild = request.rebuild === true || quarantine !== undefined;
    const make = (): IndexJob => this.#createJob(namespace, request);
    const job = this.#jobs.start(namespace, make, { mustBeNew, rebuild });
    if (!this.#recorded.has(job)) {
      this.#recorded.add(job);
      void this.#recordEnd(namespace, job, startedBy);
    }
    return job;
  }

  /** Records the result of a run, for the status in every process. */
  recordRun(
    namespace: string,
    startedBy: string,
    { thrown, warnings = [] }: { readonly thrown?: unknown; readonly warnings?: readonly string[] },
  ): void {
    if (this.#isClosed) return;
    const problem = thrown === undefined ? undefined : toSvcError(thrown).detail;
    try {
      // The run may have recreated the index of a removed namespace.
      const registry = this.#dependencies.registry();
      const { dataDirectory } = this.#options;
      if (!registry.has(namespace)) removeIndex(registry, { dataDirectory, namespace });
      registry.setLastRun(namespace, { startedBy, problem, warnings });
    } catch (error) {
      // For example, the disk is full. The run has reported its own failure.
      this.#options.logger.debug("run not recorded", { namespace, error });
    }
  }

  /** A run over folders that the watcher found changed. */
  async #runOverFolders(namespace: string, folders: IndexJob["folders"]): Promise<IndexReport> {
    await this.#jobs.idle(namespace);
    if (this.#isClosed) throw new SvcError("INDEX_UNAVAILABLE", "Indexing was cancelled.");
    const job = this.start(namespace, { mustBeNew: true, folders, startedBy: "watch" });
    return this.waiters.neverCancel(job).finished;
  }

  #createJob(namespace: string, { rebuild = false, quarantine, folders }: RunRequest): IndexJob {
    const { dataDirectory, embeddings } = this.#options;
    const { backend, registry, createdAt, closeIndex } = this.#dependencies;
    const namespaceCreatedAt = createdAt(namespace);
    if (namespaceCreatedAt === undefined) throw namespaceNotFound(namespace);
    const sources = registry().sources(namespace);
    if (rebuild || quarantine !== undefined) closeIndex(namespace);
    const isFirstBuildPending = backend.isFirstBuildPending(namespace);
    if (isFirstBuildPending) this.#firstBuilds.add(namespace);
    else this.#firstBuilds.delete(namespace);
    return {
      dataDirectory,
      embeddings,
      namespace,
      sources: sources.filter((source) => rootProblem(source) === undefined),
      registeredSources: sources.map(({ id }) => id),
      namespaceCreatedAt,
      // After a removal of the index, a run over some folders would leave it incomplete.
      folders: isFirstBuildPending ? undefined : folders,
      rebuild,
      quarantine,
      waitMs: MAX_WRITER_WAIT_MS,
    };
  }

  async #recordEnd(namespace: string, job: RunningJob, startedBy: string): Promise<void> {
    try {
      const { outcome, warnings } = await job.finished;
      // The status only reports checks of all files.
      if (outcome !== "busy" && job.coversAllFiles)
        this.recordRun(namespace, startedBy, { warnings });
    } catch (thrown) {
      if (!job.isCancelled()) this.recordRun(namespace, startedBy, { thrown });
    }
  }
}
