import { setTimeout as delay } from "node:timers/promises";

import type { AuthorizedNamespace } from "../../base/authorized-namespace.ts";
import type { Backend } from "../../backend/backend.ts";
import { SvcError } from "../../base/errors.ts";
import { parseRepositoryUrl } from "../../sources/git-url.ts";
import type { Engine } from "../api/engine.ts";
import type { EngineOptions } from "../engine-options.ts";
import type { Namespaces } from "../namespaces.ts";
import { finishPendingDeletions, removeIndex } from "../pending-deletions.ts";
import { requireSource } from "../require-source.ts";
import type { StatusService } from "../status-service.ts";
import type { RunningJob } from "./job-queue.ts";
import type { RepositoryUpdates } from "./repository-updates.ts";
import type { RunScheduler } from "./scheduler.ts";
import { SourceResolver } from "./source-resolver.ts";

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

  constructor(options: EngineOptions, parts: SourceServiceParts) {
    this.#options = options;
    this.#parts = parts;
    this.#resolver = new SourceResolver(options, parts.namespaces, parts.backend.index);
  }

  readonly index: Engine["index"] = async (request) => {
    const { namespaces, runs, updates, status } = this.#parts;
    const resolved = await this.#resolver.resolve(request);
    const { namespace, source } = resolved;
    const obstacle = await namespaces.obstacle();
    if (obstacle !== undefined) {
      // The check of the workspace before a query is optional; an explicit request to index is not.
      if (request.source !== undefined) throw obstacle;
      return {
        namespace,
        source: source.root,
        report: undefined,
        isUnchanged: true,
        status: await status.of(namespace, "summary"),
      };
    }
    const before = await this.#version(namespace);
    const run = {
      mustBeNew: true,
      rebuild: request.rebuild ?? false,
      isAwaited: request.waitMs === undefined,
      startedBy: "index",
    } as const;
    const start = (): RunningJob => runs.start(namespace, run);
    const { repository } = resolved;
    const job = repository === undefined ? start() : updates.start(resolved, repository, start);
    job.listen({ onProgress: request.onProgress });
    // Queries during this run need no other check of the files.
    runs.markScanned(namespace);
    const report = await runs.waiters.wait(job, request);
    if (report !== undefined) runs.markScanned(namespace);
    const isUnchanged = before !== undefined && (await this.#version(namespace)) === before;
    return {
      namespace,
      source: source.url ?? source.root,
      report,
      isUnchanged,
      status: await status.of(namespace, "summary"),
    };
  };

  readonly refresh: Engine["refresh"] = async (request) => {
    const { namespaces, runs, updates } = this.#parts;
    const namespace = await namespaces.authorize(request, request.namespace);
    const obstacle = await namespaces.obstacle();
    if (obstacle !== undefined) throw obstacle;
    const start = (): RunningJob => runs.start(namespace, { mustBeNew: true, startedBy: "index" });
    const repositories = (await namespaces.state())
      .sources(namespace)
      .flatMap((source) =>
        source.url === undefined
          ? []
          : [{ source, repository: parseRepositoryUrl(source.url, source.ref) }],
      );
    const jobs = repositories.map(({ source, repository }) =>
      updates.start({ namespace, source }, repository, start),
    );
    if (jobs.length === 0) jobs.push(start());
    // The status reports failures.
    const finished = Promise.allSettled(jobs.map((job) => runs.waiters.neverCancel(job).finished));
    return { finished: finished.then(() => undefined) };
  };

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

  /** Watches and indexes the namespace of the session. */
  async startBackground(): Promise<void> {
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
    // The first build does not wait for the watcher.
    const isFirstBuildPending = await backend.index.isFirstBuildPending(namespace);
    if (isFirstBuildPending || !runs.watchers.isWatched(namespace)) await runs.refresh(namespace);
  }

  async close(): Promise<void> {
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
