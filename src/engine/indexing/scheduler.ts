// Schedules the indexing runs of namespaces, on request and in the background, and records their results.

import type { Backend } from "../../backend/backend.ts";
import { SvcError, toSvcError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import { cloneAt, checkedOutCommit, isCloneUnfinished } from "../../sources/clones.ts";
import { namespaceNotFound } from "../../sources/namespace.ts";
import type { Source } from "../../sources/registry/records.ts";
import { withProjectSettings } from "./project-settings.ts";
import { rootProblem } from "../../sources/source-root.ts";
import type { AuthorizedNamespace } from "../../base/authorized-namespace.ts";
import type { IndexProgress, IndexReport } from "../api/index-report.ts";
import type { Namespaces } from "../namespaces.ts";
import { removeIndex } from "../pending-deletions.ts";
import { NamespaceWatchers } from "../watching/namespace-watchers.ts";
import { DOCUMENT_TURN_BYTES } from "./document-turn.ts";
import { IndexJobQueue, type RunningJob } from "./job-queue.ts";
import { localRunner, type JobRunner } from "./job-runner.ts";
import { JobWaiters } from "./job-waiters.ts";
import type { IndexJob } from "./run-options.ts";
import { SessionOffer, type OpenOffer } from "./session-offer.ts";
import { IndexThreadPool } from "./thread-pool.ts";

interface RunSchedulerOptions {
  readonly dataDirectory: string;
  readonly logger: Logger;
  /** The folder of a model2vec model; the bundled table by default. */
  readonly embeddings?: string | undefined;
  /** Watch the files of the namespaces in use. */
  readonly watchesFiles?: boolean | undefined;
  /** See `EngineOptions`. */
  readonly jobRunner?: JobRunner | undefined;
  readonly writerWaitMs?: number | undefined;
  readonly openOffer?: OpenOffer | undefined;
}

interface RunRequest {
  /** The run must see the current files; otherwise the current run is sufficient. */
  readonly mustBeNew: boolean;
  readonly rebuild?: boolean;
  /** See `RunOptions`. */
  readonly isAwaited?: boolean;
  /** Quarantine a damaged index first. */
  readonly quarantine?: IndexJob["quarantine"];
  /** Reported by the status. */
  readonly startedBy?: "index" | "background" | "watch";
  /** Check only the direct entries of these folders. */
  readonly folders?: IndexJob["folders"];
  /** See `RunOptions`. */
  readonly facts?: IndexJob["facts"];
}

/**
 * Maximum age of the last check of the files, when they are not watched. After that, a query starts another check in
 * the background.
 */
const MAX_SCAN_AGE_MS = 2000;
/** How long after a query that check starts. */
const REFRESH_DELAY_MS = 100;
/** How long after a run that has left documents to another one that starts. */
const DOCUMENTS_DELAY_MS = 100;
const WRITER_WAIT_MS = 15_000;
/** A larger run takes seconds, and hundreds of megabytes. */
const MAX_BYTES_IN_THREAD = 16 << 20;
/** How long a replaced index stays open: no call runs longer (interface, section 8). */
const MAX_CALL_MS = 30_000;

export class RunScheduler {
  readonly watchers: NamespaceWatchers;
  readonly waiters = new JobWaiters();
  readonly writerWaitMs: number;
  readonly #options: RunSchedulerOptions;
  readonly #backend: Backend;
  readonly #namespaces: Namespaces;
  readonly #jobs: IndexJobQueue;
  readonly #offer: SessionOffer | undefined;
  /** Namespace -> `performance.now()` of its last check. */
  readonly #lastScan = new Map<string, number>();
  /** Namespaces that had no index when their latest run started. */
  readonly #firstBuilds = new Set<string>();
  /** Runs whose end is recorded. */
  readonly #recorded = new WeakSet<RunningJob>();
  #isClosed = false;

  constructor(options: RunSchedulerOptions, backend: Backend, namespaces: Namespaces) {
    this.#options = options;
    this.#backend = backend;
    this.#namespaces = namespaces;
    this.writerWaitMs = options.writerWaitMs ?? WRITER_WAIT_MS;
    const { openOffer, embeddings, logger } = options;
    const workspace = (): Promise<string | undefined> => namespaces.ofWorkspace();
    const { bases } = backend.index;
    this.#offer =
      openOffer && new SessionOffer({ openOffer, bases, embeddings, workspace, logger });
    const isInMemory = backend.description.kind === "memory";
    const own = (): JobRunner =>
      isInMemory
        ? localRunner(backend)
        : new IndexThreadPool({
            maxBytes: options.watchesFiles === true ? MAX_BYTES_IN_THREAD : undefined,
          });
    this.#jobs = new IndexJobQueue(options.logger, options.jobRunner ?? own());
    this.watchers = new NamespaceWatchers({
      dataDirectory: options.dataDirectory,
      logger: options.logger,
      leases: backend.leases,
      sources: async (namespace) =>
        withProjectSettings((await namespaces.state()).sources(namespace)),
      run: (namespace, folders) => this.#runOverFolders(namespace, folders),
    });
    namespaces.onRemoved((namespace, exists) => {
      this.closeIndex(namespace);
      if (!exists) this.watchers.drop(namespace);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.watchers.close();
    await this.#jobs.cancelAll();
  }

  /** Closes an index that is removed or rebuilt, once the running calls have read from it. */
  closeIndex(namespace: string): void {
    const close = this.#backend.index.detach(namespace);
    if (close !== undefined) setTimeout(close, MAX_CALL_MS).unref();
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
  async watch(namespace: string, isPinned = false): Promise<void> {
    if (this.#options.watchesFiles !== true || this.#isClosed) return;
    if ((await this.#namespaces.obstacle()) === undefined && !this.#isClosed)
      this.watchers.watch(namespace, { isPinned });
  }

  /** Records that all files have just been checked. */
  markScanned(namespace: string): void {
    this.#lastScan.set(namespace, performance.now());
  }

  /** Checks the files when the last check is too old. Delayed, because the thread would slow down the query. */
  refreshStale(namespace: string, delayMs = REFRESH_DELAY_MS): void {
    if (!this.#isStale(namespace)) return;
    this.markScanned(namespace);
    const marked = this.#lastScan.get(namespace);
    const refresh = (): void => {
      // A watcher that the query has started scans the files when it is ready.
      if (this.watchers.isWatched(namespace)) return;
      // A command at a shell checks the files itself, and may have begun after its query.
      if (this.#lastScan.get(namespace) === marked) void this.refresh(namespace);
    };
    setTimeout(refresh, delayMs).unref();
  }

  #isStale(namespace: string): boolean {
    if (this.watchers.isWatched(namespace)) return false;
    return performance.now() - (this.#lastScan.get(namespace) ?? -Infinity) > MAX_SCAN_AGE_MS;
  }

  /** Checks the files in the background. Never rejects: the jobs log failures; queries continue on the old version. */
  async refresh(namespace: string): Promise<void> {
    // The registry would be opened again.
    if (this.#isClosed) return;
    try {
      if ((await this.#namespaces.obstacle()) !== undefined) return;
      // A background run must not recreate a removed namespace.
      const exists = (await this.#namespaces.state()).has(namespace);
      if (this.#isClosed || !exists) return;
      this.markScanned(namespace);
      await this.waiters.neverCancel(this.start(namespace, { mustBeNew: false })).finished;
      this.markScanned(namespace);
    } catch (error) {
      this.#options.logger.debug("refresh failed", { namespace, error });
    }
  }

  /** Starts a run or returns a sufficient one. It rejects with INDEX_UNAVAILABLE when the data directory is read-only. */
  start(namespace: string, request: RunRequest): RunningJob {
    const { mustBeNew, quarantine, folders, startedBy = "background" } = request;
    const rebuild =
      request.rebuild === true || quarantine !== undefined || request.facts !== undefined;
    const prepare = async (signal: AbortSignal): Promise<IndexJob> => {
      const prepared = await this.#prepareJob(namespace, request);
      // The files may have changed by the time the server has answered.
      const isOld = await this.#offer?.fetchFor(prepared, signal);
      return isOld === true ? this.#prepareJob(namespace, request) : prepared;
    };
    const planned = { namespace, coversAllFiles: folders === undefined, prepare };
    const job = this.#jobs.start(planned, { mustBeNew, rebuild });
    if (!this.#recorded.has(job)) {
      this.#recorded.add(job);
      void this.#recordEnd(namespace, job, startedBy);
    }
    return job;
  }

  /**
   * Checks the files in this thread, which does nothing else meanwhile. Returns the report of a run that would change
   * nothing; undefined if a run might change something, or runs already.
   */
  async look(namespace: AuthorizedNamespace): Promise<IndexReport | undefined> {
    if (this.running(namespace) !== undefined) return undefined;
    const job = await this.#prepareJob(namespace, { mustBeNew: true, startedBy: "index" });
    if (this.#firstBuilds.has(namespace)) return undefined;
    // A query meanwhile needs no other check of the files: if this one finds changes, a run follows.
    this.markScanned(namespace);
    const { lookForChanges } = await import("./look-for-changes.ts");
    const report = await lookForChanges(namespace, job, this.#backend);
    if (report === undefined) return undefined;
    this.markScanned(namespace);
    await this.recordRun(namespace, "index", report);
    return report;
  }

  /** Records the result of a run, for the status in every process. Never rejects. */
  async recordRun(
    namespace: string,
    startedBy: string,
    { thrown, warnings = [] }: { readonly thrown?: unknown; readonly warnings?: readonly string[] },
  ): Promise<void> {
    if (this.#isClosed) return;
    const problem = thrown === undefined ? undefined : toSvcError(thrown).detail;
    try {
      const registry = await this.#namespaces.registry();
      // The run may have recreated the index of a removed namespace.
      if (!(await registry.state()).has(namespace))
        await removeIndex(registry, this.#backend.index, namespace);
      await registry.setLastRun(namespace, { startedBy, problem, warnings });
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

  /** Runs that wait for this one, over files that someone has edited, come first. */
  #readMoreDocuments(namespace: string): void {
    setTimeout(() => void this.refresh(namespace), DOCUMENTS_DELAY_MS).unref();
  }

  /** Called when the run starts, so that the job has the current sources. */
  async #prepareJob(
    namespace: string,
    { rebuild = false, isAwaited = false, quarantine, folders, facts, startedBy }: RunRequest,
  ): Promise<IndexJob> {
    const obstacle = await this.#namespaces.obstacle();
    if (obstacle !== undefined) throw obstacle;
    const state = await this.#namespaces.state();
    const namespaceCreatedAt = state.createdAt(namespace);
    if (namespaceCreatedAt === undefined) throw namespaceNotFound(namespace);
    const sources = state.sources(namespace);
    if (rebuild || quarantine !== undefined) this.closeIndex(namespace);
    const isFirstBuild = await this.#backend.index.isFirstBuildPending(namespace);
    if (isFirstBuild) this.#firstBuilds.add(namespace);
    else this.#firstBuilds.delete(namespace);
    const isShared = this.#backend.description.kind === "postgres";
    // A run in the background finds nothing new in a clone.
    const readsClones =
      startedBy === "index" || rebuild || quarantine !== undefined || isFirstBuild;
    const isReadable = (source: Source): boolean =>
      rootProblem(source) === undefined &&
      (!isShared || source.url === undefined || (readsClones && isCurrentClone(source)));
    return {
      backend: this.#backend.description,
      embeddings: this.#options.embeddings,
      namespace,
      sources: await withProjectSettings(sources.filter(isReadable)),
      registeredSources: sources.map(({ id }) => id),
      namespaceCreatedAt,
      // After a removal of the index, a run over some folders would leave it incomplete.
      folders: isFirstBuild ? undefined : folders,
      rebuild,
      quarantine,
      facts,
      isAwaited,
      maxDocumentBytes: isAwaited ? undefined : startedBy === "watch" ? 0 : DOCUMENT_TURN_BYTES,
      isShared,
      waitMs: this.writerWaitMs,
    };
  }

  async #recordEnd(namespace: string, job: RunningJob, startedBy: string): Promise<void> {
    try {
      const { outcome, warnings, unreadDocuments } = await job.finished;
      if (unreadDocuments !== undefined) this.#readMoreDocuments(namespace);
      // The status only reports checks of all files.
      if (outcome !== "busy" && job.coversAllFiles)
        await this.recordRun(namespace, startedBy, { warnings });
    } catch (thrown) {
      if (!job.isCancelled()) await this.recordRun(namespace, startedBy, { thrown });
    }
  }
}

/** Whether this machine's clone has the commit that a machine has fetched last: an older one would undo its update. */
function isCurrentClone({ root, fetchedCommit }: Source): boolean {
  return fetchedCommit === checkedOutCommit(root) && !isCloneUnfinished(cloneAt(root));
}
