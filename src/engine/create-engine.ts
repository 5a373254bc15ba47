import { setTimeout as delay } from "node:timers/promises";

import { SvcError } from "../base/errors.ts";
import { nextTurn } from "../base/turns.ts";
import { IndexDamage } from "../index/damage.ts";
import type { IndexReader, ChangeLogReader } from "../index/port.ts";
import { EmbeddedBackend } from "../index/embedded/backend.ts";
import type { AuthorizedNamespace } from "../sources/principal.ts";
import { noNamespaceNamed, requireNamespaceName } from "../sources/namespace.ts";
import type { Registry } from "../sources/registry.ts";
import { requireSomeRoot } from "../sources/source-root.ts";
import type { EngineRequest } from "./engine-request.ts";
import type { Engine, IndexResult, IndexRequest, StatusRequest } from "./engine.ts";
import type { EngineOptions } from "./engine-options.ts";
import { ensureWorkspace } from "./indexing/allow-outside-git.ts";
import type { RunningJob } from "./indexing/job-queue.ts";
import { firstReader, readyReader } from "./ready-reader.ts";
import type { IndexProgress } from "./indexing/index-report.ts";
import { removeIndex, finishPendingDeletions } from "./pending-deletions.ts";
import { requireSource } from "./require-source.ts";
import { maskedEngine } from "./masked-engine.ts";
import { OpenRegistry } from "./open-registry.ts";
import type { NamespaceStatus } from "./namespace-status.ts";
import { RunScheduler, MAX_WRITER_WAIT_MS } from "./indexing/scheduler.ts";
import type { IndexReadiness, OpenIndex, QueryService } from "./query-service.ts";
import { RepositoryUpdates } from "./indexing/repository-updates.ts";
import { SourceResolver } from "./indexing/source-resolver.ts";
import { namespaceStatus } from "./status.ts";

/** How long a request for changes waits for the check of the files. */
const MAX_CHANGES_RUN_WAIT_MS = 4000;
/** How long the creation of a monitor waits until the monitor is active. */
const MAX_MONITOR_RUN_WAIT_MS = 15_000;
/** How often a removal checks whether the index is still being written. */
const WRITER_POLL_MS = 25;
/** No call runs longer (interface, section 8). */
const MAX_CALL_MS = 30_000;

/** Opens no file before the first request. */
export function createEngine(options: EngineOptions): Engine {
  const engine = new LocalEngine(options);
  return options.showsSecrets === true ? engine : maskedEngine(engine);
}

class LocalEngine implements Engine {
  readonly #options: EngineOptions;
  readonly #lists: OpenRegistry;
  readonly #backend: EmbeddedBackend;
  readonly #runs: RunScheduler;
  /** Namespaces whose damaged index is being rebuilt. */
  readonly #rebuilding = new Set<string>();
  /** Namespaces whose index was verified because a query met damage. */
  readonly #verified = new Set<string>();
  readonly #updates: RepositoryUpdates;
  readonly #sourceResolver: SourceResolver;
  /** Creation times of the namespaces whose indexes may be open. */
  readonly #createdAt = new Map<string, string>();
  #queryService: Promise<QueryService> | undefined;
  #workspaceNamespace: string | undefined;
  #workspaceFolder: string | undefined;
  #isClosed = false;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#lists = new OpenRegistry(options);
    this.#backend = new EmbeddedBackend(options.dataDirectory);
    this.#runs = new RunScheduler(options, {
      backend: this.#backend,
      registry: () => this.#openRegistry(),
      createdAt: (namespace) => this.#currentCreatedAt(namespace),
      closeIndex: (namespace) => this.#closeIndex(namespace),
    });
    this.#updates = new RepositoryUpdates({
      dataDirectory: options.dataDirectory,
      fetchRepository: options.fetchRepository,
      registry: () => this.#openRegistry(),
      onFailure: (namespace, thrown) => this.#runs.recordRun(namespace, "index", { thrown }),
    });
    this.#sourceResolver = new SourceResolver({
      options,
      registry: () => this.#openRegistry(),
      workspace: () => this.#workspace(),
      defaultNamespace: () => this.#defaultNamespace(),
      authorize: (request, namespace) => this.#authorize(request, namespace),
    });
  }

  readonly search: Engine["search"] = async (request) =>
    (await this.#loadQueryService()).search(request);
  readonly searchText: Engine["searchText"] = async (request) =>
    (await this.#loadQueryService()).searchText(request);
  readonly read: Engine["read"] = async (request) => (await this.#loadQueryService()).read(request);
  readonly references: Engine["references"] = async (request) =>
    (await this.#loadQueryService()).references(request);
  readonly findSymbols: Engine["findSymbols"] = async (request) =>
    (await this.#loadQueryService()).findSymbols(request);
  readonly outline: Engine["outline"] = async (request) =>
    (await this.#loadQueryService()).outline(request);
  readonly related: Engine["related"] = async (request) =>
    (await this.#loadQueryService()).related(request);
  readonly changes: Engine["changes"] = async (request) => {
    // The answer must include all changes up to now, so check the files first.
    const namespace = this.#requestedNamespace(request);
    if (this.#openRegistry().obstacle === undefined) {
      const job = this.#runs.start(namespace, { mustBeNew: true });
      const wait = { waitMs: MAX_CHANGES_RUN_WAIT_MS, signal: request.signal };
      await this.#runs.waiters.wait(job, wait).catch(() => undefined);
      this.#runs.markScanned(namespace);
    }
    return (await this.#loadQueryService()).changes({ ...request, namespace });
  };
  readonly impact: Engine["impact"] = async (request) =>
    (await this.#loadQueryService()).impact(request);

  /** Loaded on the first query, so that a session starts sooner. */
  #loadQueryService(): Promise<QueryService> {
    this.#queryService ??= import("./query-service.ts").then(
      ({ QueryService: Answering }) =>
        new Answering({
          withIndex: (request, readiness, query) =>
            this.#withRebuildOnDamage(request, readiness, query),
          sources: (namespace) => this.#displaySources(namespace),
          reader: (namespace) => this.#anyReader(namespace),
          monitors: (namespace, { principal }) =>
            this.#lists.monitors().listByOwner(namespace, principal.id),
          refresh: (namespace) => this.#runs.refreshStale(namespace, 0),
          building: (namespace) => this.#runs.building(namespace),
          embeddings: this.#options.embeddings,
          answerCache: this.#options.answerCache,
        }),
    );
    return this.#queryService;
  }

  readonly monitors: Engine["monitors"] = async (request) => {
    const namespace = this.#requestedNamespace(request);
    const { setMonitor } = await import("./monitors/set-monitor.ts");
    const result = setMonitor(this.#lists.monitors(), namespace, request);
    if (request.action !== "create") return { ...result, isWatching: true };
    // A monitor is active once a run has prepared it.
    const job = this.#runs.start(namespace, { mustBeNew: true });
    const wait = { waitMs: MAX_MONITOR_RUN_WAIT_MS, signal: request.signal };
    const report = await this.#runs.waiters.wait(job, wait);
    return { ...result, isWatching: report?.outcome === "done" };
  };

  readonly monitorHits: Engine["monitorHits"] = async (request) => {
    const { principal, positions } = request;
    const { findMonitorHits } = await import("./monitors/monitor-hits.ts");
    if (this.#isClosed) return { found: [], positions };
    const own = this.#lists.monitors().listAllByOwner(principal.id);
    const monitors = own.filter(({ namespace }) => principal.canAccess(namespace));
    const changeLog = (namespace: string): ChangeLogReader | undefined =>
      this.#backend.changeLog(this.#authorize(request, namespace));
    return findMonitorHits({ monitors, changeLog }, request);
  };

  readonly index = async (request: IndexRequest): Promise<IndexResult> => {
    const resolved = this.#sourceResolver.resolve(request);
    const { namespace, source } = resolved;
    const { obstacle } = this.#openRegistry();
    if (obstacle !== undefined) {
      // The check of the workspace before a query is optional; an explicit request to index is not.
      if (request.source !== undefined) throw obstacle;
      const status = await this.#status(namespace, "summary");
      return { namespace, source: source.root, report: undefined, isUnchanged: true, status };
    }
    const before = await this.#version(namespace);
    const run = { mustBeNew: true, rebuild: request.rebuild ?? false, startedBy: "index" } as const;
    const start = (): RunningJob => this.#runs.start(namespace, run);
    const { repository } = resolved;
    const job =
      repository === undefined ? start() : this.#updates.start(resolved, repository, start);
    if (request.onProgress !== undefined) job.onProgress(request.onProgress);
    // Queries during this run need no other check of the files.
    this.#runs.markScanned(namespace);
    const report = await this.#runs.waiters.wait(job, request);
    if (report !== undefined) this.#runs.markScanned(namespace);
    const isUnchanged = before !== undefined && (await this.#version(namespace)) === before;
    const status = await this.#status(namespace, "summary");
    return { namespace, source: source.url ?? source.root, report, isUnchanged, status };
  };

  readonly removeSource: Engine["removeSource"] = async (request) => {
    const source = requireSource(this.#openRegistry(), request);
    const namespace = this.#authorize(request, source.namespace);
    this.#openRegistry().removeSource(source);
    await Promise.all(this.#updates.of([source]).map((update) => update.cancel()));
    const run = this.#runs.start(namespace, { mustBeNew: true, startedBy: "index" });
    const { outcome } = await run.finished;
    finishPendingDeletions(this.#openRegistry(), this.#options.dataDirectory);
    if (outcome === "done") return namespace;
    throw new SvcError("INDEX_UNAVAILABLE", `Another svc process is indexing "${namespace}".`, {
      hint: "The source is removed; the next run deletes its files from the index.",
    });
  };

  readonly verify: Engine["verify"] = async (request) => {
    const source = requireSource(this.#openRegistry(), request);
    const namespace = this.#authorize(request, source.namespace);
    const damage = this.#backend.verify(namespace);
    if (damage !== undefined) return { namespace, damage };
    throw new SvcError("INDEX_EMPTY", `"${namespace}" has no index yet.`, {
      hint: "Run `svc index`.",
    });
  };

  readonly removeNamespace: Engine["removeNamespace"] = async (request) => {
    const namespace = this.#authorize(request, request.namespace);
    const registry = this.#openRegistry();
    const { dataDirectory } = this.#options;
    const updates = this.#updates.of(registry.sources(namespace));
    registry.removeNamespace(namespace);
    this.#closeIndex(namespace);
    await Promise.all(updates.map((update) => update.cancel()));
    // A process that writes to the index notices the removal and stops.
    const end = performance.now() + MAX_WRITER_WAIT_MS;
    while (this.#backend.isBeingWritten(namespace) && performance.now() < end) {
      // eslint-disable-next-line no-await-in-loop -- polling
      await delay(WRITER_POLL_MS);
    }
    removeIndex(registry, { dataDirectory, namespace });
    finishPendingDeletions(registry, dataDirectory);
  };

  readonly status = async (request: StatusRequest): Promise<readonly NamespaceStatus[]> => {
    await nextTurn();
    // While it was in line the session may have ended.
    if (request.signal.aborted) throw new SvcError("TIMEOUT", "The call was cancelled.");
    if (request.namespace !== undefined) {
      const authorized = this.#authorize(request, request.namespace);
      return [await this.#status(authorized, request.detail)];
    }
    const visible = this.#openRegistry()
      .namespaces()
      .filter((name) => request.principal.canAccess(name))
      .map((name) => this.#authorize(request, name));
    return Promise.all(visible.map((authorized) => this.#status(authorized, request.detail)));
  };

  readonly checkRegistry = async (): Promise<void> => {
    this.#openRegistry().namespaces();
  };

  readonly startBackground = (): void => {
    if (this.#isClosed) return;
    let namespace: string;
    try {
      namespace = this.#defaultNamespace();
    } catch (thrown) {
      // A missing workspace does not fail the session: the tools report how to name one.
      this.#options.logger.warn("no workspace", { error: thrown });
      return;
    }
    this.#runs.watch(namespace, true);
    // The first build does not wait for the watcher.
    const isFirstBuildPending = this.#backend.isFirstBuildPending(namespace);
    if (isFirstBuildPending || !this.#runs.watchers.isWatched(namespace))
      this.#runs.refresh(namespace);
  };

  readonly watch: Engine["watch"] = (namespace, onBatch) => {
    const { watchers } = this.#runs;
    watchers.listen(namespace, onBatch);
    watchers.watch(namespace, { isPinned: true });
    return watchers.freshness(namespace);
  };

  readonly close = async (): Promise<void> => {
    this.#isClosed = true;
    await this.#updates.cancelAll();
    await this.#runs.close();
    if (this.#queryService !== undefined) (await this.#queryService).close();
    this.#backend.close();
    this.#lists.close();
  };

  #openRegistry(): Registry {
    return this.#lists.registry();
  }

  #sources(namespace: string): ReturnType<Registry["sources"]> {
    return this.#openRegistry().sources(namespace);
  }

  #displaySources(namespace: string): ReturnType<Registry["sources"]> {
    const sources = this.#sources(namespace);
    if (this.#options.showsSecrets !== true) return sources;
    return sources.map((source) => ({ ...source, showsSecrets: true }));
  }

  #defaultNamespace(): string {
    const { namespace } = this.#options;
    if (namespace !== undefined) return requireNamespaceName(namespace);
    this.#workspaceNamespace ??= ensureWorkspace(this.#openRegistry(), this.#workspace());
    return this.#workspaceNamespace;
  }

  #workspace(): string {
    const { workspace } = this.#options;
    // Resolved once: another folder may take its place later.
    this.#workspaceFolder ??= workspace?.();
    if (this.#workspaceFolder !== undefined) return this.#workspaceFolder;
    throw new SvcError("NO_WORKSPACE", "There is no workspace.", { hint: "Name a namespace." });
  }

  /** The namespace of a request: the named one, or else the caller's only one, or that of the workspace. */
  #requestedNamespace(request: EngineRequest): AuthorizedNamespace {
    const { principal } = request;
    const requested = request.namespace ?? principal.onlyNamespace;
    if (requested !== undefined) return this.#authorize(request, requested);
    const served = this.#defaultNamespace();
    // The error must not reveal the name to this caller.
    if (!principal.canAccess(served)) throw noNamespaceNamed();
    return this.#authorize(request, served);
  }

  #authorize(
    { principal }: Pick<EngineRequest, "principal">,
    namespace: string,
  ): AuthorizedNamespace {
    return principal.authorize(
      namespace,
      (name) => this.#currentCreatedAt(name) !== undefined,
      () => this.#openRegistry().namespaces(),
    );
  }

  /** Closes the index of a namespace that was removed, also when a new one has its name. */
  #currentCreatedAt(namespace: string): string | undefined {
    const createdAt = this.#openRegistry().createdAt(namespace);
    const before = this.#createdAt.get(namespace);
    if (before !== undefined && before !== createdAt) this.#closeIndex(namespace);
    if (createdAt === undefined) {
      this.#createdAt.delete(namespace);
      this.#runs.watchers.drop(namespace);
    } else this.#createdAt.set(namespace, createdAt);
    return createdAt;
  }

  /** Runs a query on the index of its namespace, and starts a rebuild when the index is damaged. */
  async #withRebuildOnDamage<T>(
    request: EngineRequest,
    readiness: IndexReadiness,
    query: (opened: OpenIndex) => Promise<T>,
  ): Promise<T> {
    const namespace = this.#requestedNamespace(request);
    requireSomeRoot(this.#sources(namespace));
    try {
      return await query(await this.#open(namespace, readiness, request));
    } catch (thrown) {
      const canBuild = !this.#isClosed && this.#openRegistry().obstacle === undefined;
      if (!(thrown instanceof IndexDamage) || !canBuild) throw thrown;
      this.#startRebuild(namespace, thrown);
      throw new SvcError("INDEX_UNAVAILABLE", `The index of "${namespace}" is damaged.`, {
        hint: "It is being rebuilt from the files; try again in a few seconds.",
        cause: thrown,
      });
    }
  }

  /** Starts a rebuild unless one is running: each query during a rebuild meets the same damage. */
  #startRebuild(namespace: string, error: SvcError): void {
    if (this.#rebuilding.has(namespace)) return;
    this.#rebuilding.add(namespace);
    this.#options.logger.warn("index damaged", { namespace, error });
    this.#backend.recordDamage(namespace, error.message);
    const end = (): void => void this.#rebuilding.delete(namespace);
    // Damage again after a verification that found nothing: quarantine everything, or it would recur forever.
    const quarantine = this.#verified.has(namespace) ? "all" : "damaged";
    this.#verified.add(namespace);
    const job = this.#runs.start(namespace, { mustBeNew: true, quarantine });
    this.#runs.waiters.neverCancel(job).finished.then(end, end);
  }

  /** Opens the index of a namespace, and waits briefly for a first build. Throws INDEX_EMPTY. */
  async #open(
    namespace: AuthorizedNamespace,
    readiness: IndexReadiness,
    request: EngineRequest,
  ): Promise<OpenIndex> {
    const read = (): Promise<IndexReader | undefined> =>
      readyReader(this.#backend, namespace, { readiness, request });
    let reader = await read();
    if (reader === undefined) {
      const job = this.#runs.waiters.neverCancel(this.#runs.start(namespace, { mustBeNew: false }));
      reader = await firstReader(job, read, request.signal);
    } else this.#runs.refreshStale(namespace);
    this.#runs.watch(namespace);
    if (reader !== undefined) return { namespace, reader };
    throw new SvcError(
      "INDEX_EMPTY",
      `The index of "${namespace}" is being built for the first time.`,
      {
        hint: `${progressText(this.#runs.running(namespace)?.progress())} Try again in a few seconds; \`index_status\` shows the progress.`,
      },
    );
  }

  async #anyReader(namespace: AuthorizedNamespace): Promise<IndexReader> {
    const reader = await this.#backend.reader(namespace);
    if (reader !== undefined) return reader;
    throw new SvcError("INDEX_UNAVAILABLE", `The index of "${namespace}" is gone.`, {
      hint: "Try again in a few seconds.",
    });
  }

  /** Version of an index; undefined before the first build, and when it is damaged. */
  async #version(namespace: AuthorizedNamespace): Promise<string | undefined> {
    const reader = await this.#backend.reader(namespace).catch(() => undefined);
    return reader && `${reader.version.epoch} ${reader.version.at}`;
  }

  #closeIndex(namespace: string): void {
    const close = this.#backend.detach(namespace);
    // Running calls still read from it.
    if (close !== undefined) setTimeout(close, MAX_CALL_MS).unref();
  }

  #status(
    namespace: AuthorizedNamespace,
    detail: StatusRequest["detail"],
  ): Promise<NamespaceStatus> {
    const sources = this.#sources(namespace);
    const [update] = this.#updates.of(sources);
    return namespaceStatus({
      namespace,
      detail,
      sources,
      reader: () => this.#backend.reader(namespace),
      progress: (update ?? this.#runs.running(namespace))?.progress(),
      lastRun: this.#openRegistry().lastRun(namespace),
      damage: () => this.#backend.recordedDamage(namespace),
      isBeingWritten: () => this.#backend.isBeingWritten(namespace),
      freshness: () => this.#runs.watchers.freshness(namespace),
    });
  }
}

function progressText(progress: IndexProgress | undefined): string {
  if (progress === undefined || progress.total === 0) return "";
  return `${progress.done} of ${progress.total} files ${progress.stage === "list" ? "listed" : "read"}.`;
}
