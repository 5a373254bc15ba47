// The indexing runs of namespaces: when one begins, by itself or because somebody asked, and what is kept of it.

import { existsSync } from "node:fs";

import { SvcError, toSvcError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import type { EmbeddedBackend } from "../../index/embedded-backend.ts";
import { namespaceNotFound } from "../../sources/namespace.ts";
import type { Registry } from "../../sources/registry.ts";
import { FreshnessKeeper } from "../watching/freshness-keeper.ts";
import { IndexJobs, type RunningJob } from "./index-jobs.ts";
import type { IndexJob, IndexProgress, IndexReport } from "./indexer.ts";
import { Interest } from "../interest.ts";
import { removeIndex } from "../leftovers.ts";

interface RunsOptions {
  readonly dataDirectory: string;
  readonly logger: Logger;
  /** The folder of a model2vec model; the program's own table by default. */
  readonly embeddings?: string | undefined;
  /** Watches the files of the namespaces that are used. */
  readonly watches?: boolean | undefined;
}

/** What runs ask of the engine. */
interface RunsHost {
  readonly backend: EmbeddedBackend;
  readonly registry: () => Registry;
  /** When the namespace was made; undefined when there is none of this name, or not any more. */
  readonly createdAt: (namespace: string) => string | undefined;
  /** Lets go of an index that is built anew. */
  readonly forget: (namespace: string) => void;
}

interface Wish {
  /** Must see what is there now; otherwise the run under way will do. */
  readonly fresh: boolean;
  readonly rebuild?: boolean;
  /** Puts a damaged index aside first. */
  readonly setAside?: IndexJob["setAside"];
  /** Told by the status. */
  readonly by?: "index" | "background" | "watch";
  /** Only what lies directly in these. */
  readonly folders?: IndexJob["folders"];
}

/**
 * How old the last look at the files may be before a search has them looked at again, behind its back; where
 * nobody watches them.
 */
const RESCAN_AFTER_MS = 2000;
/** How long after a question that look begins. */
const REFRESH_DELAY_MS = 100;
/** How long a run waits for another process that is writing to the same namespace. */
export const WRITER_WAIT_MS = 15_000;

export class NamespaceRuns {
  readonly freshness: FreshnessKeeper;
  readonly interest = new Interest();
  readonly #options: RunsOptions;
  readonly #host: RunsHost;
  readonly #jobs: IndexJobs;
  /** Times of `performance.now()`. */
  readonly #lastLook = new Map<string, number>();
  /** Namespaces that had no index when their latest run began. */
  readonly #firstBuilds = new Set<string>();
  /** Runs whose end is noted. */
  readonly #noted = new WeakSet<RunningJob>();
  #isClosed = false;

  constructor(options: RunsOptions, host: RunsHost) {
    this.#options = options;
    this.#host = host;
    this.#jobs = new IndexJobs(options.logger);
    this.freshness = new FreshnessKeeper({
      dataDirectory: options.dataDirectory,
      logger: options.logger,
      layout: (namespace) => host.backend.layout(namespace),
      sources: (namespace) => host.registry().sources(namespace),
      run: (namespace, folders) => this.#runOver(namespace, folders),
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.freshness.close();
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

  /** Has the files of a namespace watched from now on, where this process does so; `keep`, to its end. */
  watch(namespace: string, keep = false): void {
    if (this.#options.watches === true && !this.#isClosed) this.freshness.use(namespace, { keep });
  }

  /** All files have just been looked at. */
  noteLook(namespace: string): void {
    this.#lastLook.set(namespace, performance.now());
  }

  isStale(namespace: string): boolean {
    if (this.freshness.isWatched(namespace)) return false;
    return performance.now() - (this.#lastLook.get(namespace) ?? -Infinity) > RESCAN_AFTER_MS;
  }

  /** Has the files looked at when the last look is too old: once the question has its answer, which a thread would slow down. */
  refreshStale(namespace: string, delayMs = REFRESH_DELAY_MS): void {
    if (!this.isStale(namespace)) return;
    this.noteLook(namespace);
    setTimeout(() => this.refresh(namespace), delayMs).unref();
  }

  /** Has the files looked at, in the background. */
  refresh(namespace: string): void {
    // Nobody asked for it: what was removed meanwhile is not made again.
    if (this.#isClosed || this.#host.createdAt(namespace) === undefined) return;
    this.noteLook(namespace);
    // Failures are logged by the jobs; the old generation goes on serving.
    this.interest
      .keep(this.start(namespace, { fresh: false }))
      .finished.then(() => this.noteLook(namespace))
      .catch(() => undefined);
  }

  /** Starts a run, or finds the one that will do. */
  start(namespace: string, wish: Wish): RunningJob {
    const { fresh, setAside, by = "background" } = wish;
    const rebuild = wish.rebuild === true || setAside !== undefined;
    const make = (): IndexJob => this.#jobOf(namespace, wish);
    const job = this.#jobs.start(namespace, make, { fresh, rebuild });
    if (!this.#noted.has(job)) {
      this.#noted.add(job);
      void this.#noteEnd(namespace, job, by);
    }
    return job;
  }

  /** Notes how a run went, for the status of every process. */
  note(
    namespace: string,
    startedBy: string,
    { thrown, warnings = [] }: { readonly thrown?: unknown; readonly warnings?: readonly string[] },
  ): void {
    if (this.#isClosed) return;
    const problem = thrown === undefined ? undefined : toSvcError(thrown).detail;
    try {
      // What the run may have brought back of a namespace that is gone.
      const registry = this.#host.registry();
      const { dataDirectory } = this.#options;
      if (!registry.has(namespace)) removeIndex(registry, { dataDirectory, namespace });
      registry.setLastRun(namespace, { startedBy, problem, warnings });
    } catch (error) {
      // A disk that is full; the run itself has told its own failure.
      this.#options.logger.debug("run not noted", { namespace, error });
    }
  }

  /** A run over what those who watch have seen change. */
  async #runOver(namespace: string, folders: IndexJob["folders"]): Promise<IndexReport> {
    await this.#jobs.idle(namespace);
    if (this.#isClosed) throw new SvcError("INDEX_UNAVAILABLE", "Indexing was cancelled.");
    const job = this.start(namespace, { fresh: true, folders, by: "watch" });
    return this.interest.keep(job).finished;
  }

  #jobOf(namespace: string, { rebuild = false, setAside, folders }: Wish): IndexJob {
    const { dataDirectory, embeddings } = this.#options;
    const { backend, registry, createdAt, forget } = this.#host;
    const namespaceCreatedAt = createdAt(namespace);
    if (namespaceCreatedAt === undefined) throw namespaceNotFound(namespace);
    const sources = registry().sources(namespace);
    if (rebuild || setAside !== undefined) forget(namespace);
    const isUnread = backend.isUnread(namespace);
    if (isUnread) this.#firstBuilds.add(namespace);
    else this.#firstBuilds.delete(namespace);
    return {
      dataDirectory,
      embeddings,
      namespace,
      sources: sources.filter(({ root }) => existsSync(root)),
      registered: sources.map(({ id }) => id),
      namespaceCreatedAt,
      // Of an index that was removed meanwhile, some folders would pass for all.
      folders: isUnread ? undefined : folders,
      rebuild,
      setAside,
      waitMs: WRITER_WAIT_MS,
    };
  }

  async #noteEnd(namespace: string, job: RunningJob, by: string): Promise<void> {
    try {
      const { outcome, warnings } = await job.finished;
      // The status tells of looks at all files.
      if (outcome !== "busy" && job.isWhole) this.note(namespace, by, { warnings });
    } catch (thrown) {
      if (!job.isCancelled()) this.note(namespace, by, { thrown });
    }
  }
}
