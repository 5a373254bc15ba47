// The indexing runs of namespaces: when one begins, by itself or because somebody asked, and what is kept of it.

import { SvcError, toSvcError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import type { EmbeddedBackend } from "../../index/embedded/backend.ts";
import { namespaceNotFound } from "../../sources/namespace.ts";
import type { Registry } from "../../sources/registry.ts";
import { rootProblem } from "../../sources/source-root.ts";
import { NamespaceWatchers } from "../watching/namespace-watchers.ts";
import { IndexJobQueue, type RunningJob } from "./job-queue.ts";
import type { IndexJob, IndexProgress, IndexReport } from "./indexer.ts";
import { JobWaiters } from "./job-waiters.ts";
import { removeIndex } from "../pending-deletions.ts";

interface RunSchedulerOptions {
  readonly dataDirectory: string;
  readonly logger: Logger;
  /** The folder of a model2vec model; the program's own table by default. */
  readonly embeddings?: string | undefined;
  /** Watches the files of the namespaces that are used. */
  readonly watchesFiles?: boolean | undefined;
}

/** What runs ask of the engine. */
interface RunSchedulerDependencies {
  readonly backend: EmbeddedBackend;
  readonly registry: () => Registry;
  /** When the namespace was made; undefined when there is none of this name, or not any more. */
  readonly createdAt: (namespace: string) => string | undefined;
  /** Lets go of an index that is built anew. */
  readonly closeIndex: (namespace: string) => void;
}

interface RunRequest {
  /** Must see what is there now; otherwise the run under way will do. */
  readonly mustBeNew: boolean;
  readonly rebuild?: boolean;
  /** Puts a damaged index aside first. */
  readonly quarantine?: IndexJob["quarantine"];
  /** Told by the status. */
  readonly startedBy?: "index" | "background" | "watch";
  /** Only what lies directly in these. */
  readonly folders?: IndexJob["folders"];
}

/**
 * How old the last look at the files may be before a search has them looked at again, behind its back; where
 * nobody watches them.
 */
const MAX_SCAN_AGE_MS = 2000;
/** How long after a question that look begins. */
const REFRESH_DELAY_MS = 100;
/** How long a run waits for another process that is writing to the same namespace. */
export const MAX_WRITER_WAIT_MS = 15_000;

export class RunScheduler {
  readonly watchers: NamespaceWatchers;
  readonly waiters = new JobWaiters();
  readonly #options: RunSchedulerOptions;
  readonly #dependencies: RunSchedulerDependencies;
  readonly #jobs: IndexJobQueue;
  /** Times of `performance.now()`. */
  readonly #lastScan = new Map<string, number>();
  /** Namespaces that had no index when their latest run began. */
  readonly #firstBuilds = new Set<string>();
  /** Runs whose end is noted. */
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

  /** How far the very first run of a namespace is; runs after it take nothing from an answer. */
  building(namespace: string): IndexProgress | undefined {
    const progress = this.running(namespace)?.progress();
    if (progress === undefined) this.#firstBuilds.delete(namespace);
    return this.#firstBuilds.has(namespace) ? progress : undefined;
  }

  /** Has the files of a namespace watched from now on, where this process does so; `isPinned`, to its end. */
  watch(namespace: string, isPinned = false): void {
    const mayWatch = this.#options.watchesFiles === true && !this.#isClosed;
    if (mayWatch && this.#dependencies.registry().obstacle === undefined)
      this.watchers.watch(namespace, { isPinned });
  }

  /** All files have just been looked at. */
  markScanned(namespace: string): void {
    this.#lastScan.set(namespace, performance.now());
  }

  isStale(namespace: string): boolean {
    if (this.watchers.isWatched(namespace)) return false;
    return performance.now() - (this.#lastScan.get(namespace) ?? -Infinity) > MAX_SCAN_AGE_MS;
  }

  /** Has the files looked at when the last look is too old: once the question has its answer, which a thread would slow down. */
  refreshStale(namespace: string, delayMs = REFRESH_DELAY_MS): void {
    if (!this.isStale(namespace)) return;
    this.markScanned(namespace);
    setTimeout(() => this.refresh(namespace), delayMs).unref();
  }

  /** Has the files looked at, in the background. */
  refresh(namespace: string): void {
    if (this.#dependencies.registry().obstacle !== undefined) return;
    // Nobody asked for it: what was removed meanwhile is not made again.
    if (this.#isClosed || this.#dependencies.createdAt(namespace) === undefined) return;
    this.markScanned(namespace);
    // Failures are logged by the jobs; the old generation goes on serving.
    this.waiters
      .neverCancel(this.start(namespace, { mustBeNew: false }))
      .finished.then(() => this.markScanned(namespace))
      .catch(() => undefined);
  }

  /** Starts a run, or finds the one that will do. Throws INDEX_UNAVAILABLE where nothing can be written. */
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

  /** Notes how a run went, for the status of every process. */
  recordRun(
    namespace: string,
    startedBy: string,
    { thrown, warnings = [] }: { readonly thrown?: unknown; readonly warnings?: readonly string[] },
  ): void {
    if (this.#isClosed) return;
    const problem = thrown === undefined ? undefined : toSvcError(thrown).detail;
    try {
      // What the run may have brought back of a namespace that is gone.
      const registry = this.#dependencies.registry();
      const { dataDirectory } = this.#options;
      if (!registry.has(namespace)) removeIndex(registry, { dataDirectory, namespace });
      registry.setLastRun(namespace, { startedBy, problem, warnings });
    } catch (error) {
      // A disk that is full; the run itself has told its own failure.
      this.#options.logger.debug("run not noted", { namespace, error });
    }
  }

  /** A run over what those who watch have seen change. */
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
      // Of an index that was removed meanwhile, some folders would pass for all.
      folders: isFirstBuildPending ? undefined : folders,
      rebuild,
      quarantine,
      waitMs: MAX_WRITER_WAIT_MS,
    };
  }

  async #recordEnd(namespace: string, job: RunningJob, startedBy: string): Promise<void> {
    try {
      const { outcome, warnings } = await job.finished;
      // The status tells of looks at all files.
      if (outcome !== "busy" && job.coversAllFiles)
        this.recordRun(namespace, startedBy, { warnings });
    } catch (thrown) {
      if (!job.isCancelled()) this.recordRun(namespace, startedBy, { thrown });
    }
  }
}
