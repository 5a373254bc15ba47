import { setTimeout as delay } from "node:timers/promises";

import type { AuthorizedNamespace } from "../../base/authorized-namespace.ts";
import type { Backend } from "../../backend/backend.ts";
import type { TakenUpdate, UpdateQueue } from "../../backend/updates/port.ts";
import { SvcError } from "../../base/errors.ts";
import type { FetchedIndex, IndexBases } from "../../index/index-base.ts";
import { parseRepositoryUrl, type RepositoryUrl } from "../../sources/git-url.ts";
import { namespaceNotFound } from "../../sources/namespace.ts";
import type { Source } from "../../sources/registry/records.ts";
import type { Engine } from "../api/engine.ts";
import type { IndexReport } from "../api/index-report.ts";
import type { IndexRequest, IndexResult, RemoveSourceRequest } from "../api/index-source.ts";
import type { EngineOptions } from "../engine-options.ts";
import { embeddingsFrom } from "../embeddings.ts";
import type { Namespaces } from "../namespaces.ts";
import { finishPendingDeletions, removeIndex } from "../pending-deletions.ts";
import { requireSource } from "../require-source.ts";
import type { StatusService } from "../status-service.ts";
import type { RunningJob } from "./job-queue.ts";
import type { RepositoryUpdates } from "./repository-updates.ts";
import type { RunScheduler } from "./scheduler.ts";
import { followUpdate } from "./follow-update.ts";
import { UpdateWorker } from "./update-worker.ts";
import { SourceResolver, type ResolvedSource } from "./source-resolver.ts";

interface SourceServiceParts {
  readonly backend: Backend;
  readonly namespaces: Namespaces;
  readonly runs: RunScheduler;
  readonly updates: RepositoryUpdates;
  readonly status: StatusService;
}

/** How often a removal checks whether the index is still being written. */
const WRITER_POLL_MS = 25;

/** Adds, updates, verifies and removes the sources of namespaces. */
export class SourceService {
  readonly #options: EngineOptions;
  readonly #parts: SourceServiceParts;
  readonly #resolver: SourceResolver;
  /** Does the updates of a team; undefined if this process is not one of its index nodes. */
  readonly #worker: UpdateWorker | undefined;

  constructor(options: EngineOptions, parts: SourceServiceParts) {
    this.#options = options;
    this.#parts = parts;
    this.#resolver = new SourceResolver(options, parts.namespaces, parts.backend.index);
    const { role, logger } = options;
    const queue = role === "index" || role === "both" ? parts.backend.updates : undefined;
    this.#worker =
      queue && new UpdateWorker({ queue, start: (update) => this.#startUpdate(update), logger });
  }

  readonly index: Engine["index"] = async (request) => {
    const { namespaces } = this.#parts;
    if (request.offer !== undefined) this.#requireBases();
    const resolved = await this.#resolver.resolve(request);
    const { namespace, repository } = resolved;
    const isHere = request.isHere === true || request.scip !== undefined;
    const queue = repository && !isHere ? await this.#queue() : undefined;
    const obstacle = queue === undefined ? await namespaces.obstacle() : undefined;
    if (obstacle !== undefined) {
      // The check of the workspace before a query is optional; an explicit request to index is not.
      if (request.source !== undefined) throw obstacle;
      return this.#resultOf(request, resolved, { report: undefined, isUnchanged: true });
    }
    const fetched = await this.#fetchOffer(request, resolved);
    const before = await this.#version(namespace);
    const report =
      (await this.#look(request, resolved)) ?? (await this.#run(request, resolved, queue));
    const scip = await this.#takeScip(request, resolved, report);
    // Another process may have committed meanwhile.
    const isUnchanged = before !== undefined && (await this.#version(namespace)) === before;
    return this.#resultOf(request, resolved, {
      report: scip?.report ?? report,
      isUnchanged,
      ...scip?.result,
      ...fetched,
    });
  };

  /** Throws USAGE for a backend whose indexes cannot start from others. */
  #requireBases(): IndexBases {
    const { bases } = this.#parts.backend.index;
    if (bases !== undefined) return bases;
    throw new SvcError("USAGE", "An index in a database cannot start from that of a server.", {
      hint: "Index the files, without --from-remote.",
    });
  }

  /** Fetches the index that the request offers, for the run to start from. */
  async #fetchOffer(
    { offer, onFetched, signal }: IndexRequest,
    { namespace, repository, undo }: ResolvedSource,
  ): Promise<FetchedIndex | undefined> {
    if (offer === undefined) return undefined;
    if (repository !== undefined) {
      await undo?.();
      throw new SvcError("USAGE", "--from-remote is for folders of this machine.", {
        hint: "Clone the repository, and index the clone.",
      });
    }
    const embedder = embeddingsFrom(this.#options.embeddings)?.id ?? "";
    return this.#requireBases().fetchOffer(namespace, offer, {
      embedder,
      signal,
      onProgress: onFetched,
    });
  }

  /** Returns the report of a run that would change nothing; undefined if one must be started. */
  async #look(
    { isOnlyTask = false, rebuild = false }: IndexRequest,
    { namespace, repository }: ResolvedSource,
  ): Promise<IndexReport | undefined> {
    const mayLook = isOnlyTask && !rebuild && repository === undefined;
    return mayLook ? this.#parts.runs.look(namespace) : undefined;
  }

  /** Imports SCIP indexes into an index that is up to date, or forgets them; undefined if the request is for neither. */
  async #takeScip(
    request: IndexRequest,
    { namespace, source }: ResolvedSource,
    report: IndexReport | undefined,
  ): Promise<
    | { readonly report: IndexReport | undefined; readonly result: Pick<IndexResult, "refused"> }
    | undefined
  > {
    const { scip, forgetsScip = false, signal } = request;
    if ((scip === undefined && !forgetsScip) || report?.outcome !== "done") return undefined;
    const { backend, namespaces, runs } = this.#parts;
    const { importScip, NO_NEW_FACTS } = await import("../scip/import-scip.ts");
    const sources = (await namespaces.state()).sources(namespace);
    const reader = await backend.index.reader(namespace);
    const imported =
      scip === undefined || reader === undefined
        ? undefined
        : await importScip(
            {
              reader,
              texts: backend.texts.open(namespace, sources),
              archive: backend.texts.archiveOf(namespace),
              sources,
              source,
            },
            scip,
            signal,
          );
    const job = runs.start(namespace, {
      mustBeNew: true,
      isAwaited: true,
      startedBy: "index",
      facts: imported?.facts ?? NO_NEW_FACTS,
    });
    job.listen({ onProgress: request.onProgress });
    const last = await runs.waiters.wait(job, request);
    const { added, changed, removed, unchanged, skipped, elapsedMs } = report;
    const counts = { added, changed, removed, unchanged, skipped };
    const both = last && { ...last, ...counts, elapsedMs: elapsedMs + last.elapsedMs };
    return { report: both, result: imported === undefined ? {} : { refused: imported.refused } };
  }

  /** Starts a run, or requests it of `queue`. Returns its report; undefined if it has not ended in time. */
  async #run(
    request: IndexRequest,
    resolved: ResolvedSource,
    queue: UpdateQueue | undefined,
  ): Promise<IndexReport | undefined> {
    const { runs, updates } = this.#parts;
    const { namespace, repository } = resolved;
    const run = {
      mustBeNew: true,
      rebuild: request.rebuild ?? false,
      isAwaited: request.waitMs === undefined,
      startedBy: "index",
    } as const;
    const start = (): RunningJob => runs.start(namespace, run);
    let job: RunningJob;
    if (repository === undefined) job = start();
    else if (queue === undefined) job = updates.start(resolved, repository, start);
    else job = await this.#requestUpdate(queue, resolved, request.rebuild);
    job.listen({ onProgress: request.onProgress });
    // Queries during this run need no other check of the files.
    runs.markScanned(namespace);
    const report = await runs.waiters.wait(job, request);
    if (report !== undefined) runs.markScanned(namespace);
    return report;
  }

  async #resultOf(
    { principal }: IndexRequest,
    { namespace, source }: ResolvedSource,
    result: Pick<IndexResult, "report" | "isUnchanged" | "refused" | "fetchedBytes">,
  ): Promise<IndexResult> {
    const status = await this.#parts.status.of(namespace, { detail: "summary", principal });
    return { namespace, source: source.url ?? source.root, ...result, status };
  }

  readonly refresh: Engine["refresh"] = async (request) => {
    const { namespaces, runs, updates } = this.#parts;
    const namespace = await namespaces.authorize(request, request.namespace);
    const repositories = repositoriesIn((await namespaces.state()).sources(namespace));
    const queue = repositories.length === 0 ? undefined : await this.#queue();
    if (queue !== undefined) {
      await queue.request({ namespace });
      // A request meanwhile is followed by another update.
      return { finished: Promise.resolve() };
    }
    const obstacle = await namespaces.obstacle();
    if (obstacle !== undefined) throw obstacle;
    const start = (): RunningJob => runs.start(namespace, { mustBeNew: true, startedBy: "index" });
    const jobs = repositories.map(({ source, repository }) =>
      updates.start({ namespace, source }, repository, start),
    );
    if (jobs.length === 0) jobs.push(start());
    // The status reports failures.
    const finished = Promise.allSettled(jobs.map((job) => runs.waiters.neverCancel(job).finished));
    return { finished: finished.then(() => undefined) };
  };

  /** Indexes the files of a source as they are now, unless this process may not write. Throws PATH_NOT_FOUND. */
  async refreshNow(request: RemoveSourceRequest): Promise<void> {
    const { namespaces, runs } = this.#parts;
    const { namespace } = requireSource(await namespaces.state(), request);
    if ((await namespaces.obstacle()) !== undefined) return;
    const job = runs.start(namespace, { mustBeNew: true, isAwaited: true });
    await runs.waiters.wait(job, request);
    runs.markScanned(namespace);
  }

  /** Starts an update that this node has taken. Throws NAMESPACE_NOT_FOUND. */
  async #startUpdate({
    namespace,
    sources,
    rebuild,
  }: Pick<TakenUpdate, "namespace" | "sources" | "rebuild">): Promise<readonly RunningJob[]> {
    const { namespaces, runs, updates, backend } = this.#parts;
    // The request came after the source was added.
    const state = await namespaces.state({ isNewest: true });
    if (!state.has(namespace)) {
      await backend.updates?.forget(namespace);
      throw namespaceNotFound(namespace);
    }
    const run = { mustBeNew: true, startedBy: "index", isAwaited: true, rebuild } as const;
    const start = (): RunningJob => runs.start(namespace, run);
    const jobs = repositoriesIn(state.sources(namespace))
      .filter(({ source }) => sources?.includes(source.id) ?? true)
      .map(({ source, repository }) => updates.start({ namespace, source }, repository, start));
    return (jobs.length === 0 ? [start()] : jobs).map((job) => runs.waiters.neverCancel(job));
  }

  /** The queue of the team's updates, if a node is there to do them; undefined if this process should. */
  async #queue(): Promise<UpdateQueue | undefined> {
    const { updates: queue } = this.#parts.backend;
    if (queue === undefined || this.#options.role === "read") return queue;
    return (await queue.nodes()).length > 0 ? queue : undefined;
  }

  /** Lets a node do it. */
  async #requestUpdate(
    queue: UpdateQueue,
    { namespace, source, undo }: ResolvedSource,
    rebuild: boolean | undefined,
  ): Promise<RunningJob> {
    const { namespaces } = this.#parts;
    const number = await queue.request({ namespace, sources: [source.id], rebuild });
    const { logger } = this.#options;
    const undoIfNeverFetched = async (): Promise<void> => {
      const current = (await namespaces.state({ isNewest: true })).sources(namespace);
      if (current.find(({ id }) => id === source.id)?.fetchedAt !== undefined) return;
      await undo?.().catch((error: unknown) =>
        logger.warn("the source was not removed again", { error }),
      );
    };
    return followUpdate(queue, { namespace, request: number, onFailure: undoIfNeverFetched });
  }

  readonly remove: Engine["removeSource"] = async (request) => {
    const { namespaces, runs, updates } = this.#parts;
    const registry = await namespaces.registry();
    const source = requireSource(await namespaces.state(), request);
    const namespace = await namespaces.authorize(request, source.namespace);
    await registry.removeSource(source);
    await Promise.all(updates.of([source]).map((update) => update.cancel()));
    const run = runs.start(namespace, { mustBeNew: true, startedBy: "index" });
    const { outcome } = await run.finished;
    await finishPendingDeletions(registry, this.#place);
    if (outcome === "done") return namespace;
    throw new SvcError("INDEX_UNAVAILABLE", `Another svc process is indexing "${namespace}".`, {
      hint: "The source is removed; the next run deletes its files from the index.",
    });
  };

  readonly verify: Engine["verify"] = async (request) => {
    const { namespaces, backend } = this.#parts;
    const source = requireSource(await namespaces.state(), request);
    const namespace = await namespaces.authorize(request, source.namespace);
    const damage = await backend.index.verify(namespace);
    if (damage !== undefined) return { namespace, damage };
    throw new SvcError("INDEX_EMPTY", `"${namespace}" has no index yet.`, {
      hint: "Run `svc index`.",
    });
  };

  readonly removeNamespace: Engine["removeNamespace"] = async (request) => {
    const { namespaces, runs, updates, backend } = this.#parts;
    const namespace = await namespaces.authorize(request, request.namespace);
    const registry = await namespaces.registry();
    const running = updates.of((await namespaces.state()).sources(namespace));
    await registry.removeNamespace(namespace);
    runs.closeIndex(namespace);
    await Promise.all(running.map((update) => update.cancel()));
    // A process that writes to the index notices the removal and stops.
    const end = performance.now() + runs.writerWaitMs;
    // eslint-disable-next-line no-await-in-loop -- polling
    while ((await backend.index.health(namespace)).isBeingWritten && performance.now() < end) {
      // eslint-disable-next-line no-await-in-loop -- as above
      await delay(WRITER_POLL_MS);
    }
    await removeIndex(registry, backend.index, namespace);
    await finishPendingDeletions(registry, this.#place);
  };

  /** Takes updates of the team, and watches and indexes the namespace of the session. */
  async startBackground(): Promise<void> {
    this.#worker?.start();
    const { role, workspace, namespace: chosen } = this.#options;
    // A node of a team may have no workspace.
    if (role === "read" || (role !== undefined && (workspace ?? chosen) === undefined)) return;
    const { namespaces, runs, backend } = this.#parts;
    let namespace: string;
    try {
      namespace = await namespaces.default();
      await runs.watch(namespace, true);
    } catch (thrown) {
      // A missing workspace does not fail the session: the tools report how to name one.
      this.#options.logger.warn("no workspace", { error: thrown });
      return;
    }
    // The first build does not wait for the watcher, which scans the files when it is ready.
    const isFirstBuildPending = await backend.index.isFirstBuildPending(namespace);
    if (isFirstBuildPending || !(await runs.watchers.willBeWatched(namespace)))
      await runs.refresh(namespace);
  }

  async close(): Promise<void> {
    await this.#worker?.close();
    await this.#parts.updates.cancelAll();
  }

  get #place(): Parameters<typeof finishPendingDeletions>[1] {
    return { dataDirectory: this.#options.dataDirectory, index: this.#parts.backend.index };
  }

  /** Version of an index; undefined before the first build, and when it is damaged. */
  async #version(namespace: AuthorizedNamespace): Promise<string | undefined> {
    const reader = await this.#parts.backend.index.reader(namespace).catch(() => undefined);
    return reader && `${reader.version.epoch} ${reader.version.at}`;
  }
}

/** The sources that are fetched. */
function repositoriesIn(
  sources: readonly Source[],
): readonly { readonly source: Source; readonly repository: RepositoryUrl }[] {
  return sources.flatMap((source) =>
    source.url === undefined
      ? []
      : [{ source, repository: parseRepositoryUrl(source.url, source.ref) }],
  );
}
