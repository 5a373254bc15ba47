// Opens the index of a request with the stage that its query needs, also during the first build, and rebuilds a damaged
// one.

import type { AuthorizedNamespace } from "../base/authorized-namespace.ts";
import type { Backend } from "../backend/backend.ts";
import { SvcError } from "../base/errors.ts";
import { IndexDamage } from "../index/damage.ts";
import type { IndexReader } from "../index/port.ts";
import type { Source } from "../sources/registry/records.ts";
import type { TextReader } from "../sources/text/port.ts";
import { requireSomeRoot } from "../sources/source-root.ts";
import type { IndexProgress, ShownProgress } from "./api/index-report.ts";
import type { EngineRequest } from "./api/request.ts";
import type { EngineOptions } from "./engine-options.ts";
import type { RunningJob } from "./indexing/job-queue.ts";
import { waitFor } from "./indexing/job-waiters.ts";
import type { RunScheduler } from "./indexing/scheduler.ts";
import type { Namespaces } from "./namespaces.ts";
import { VersionSignal } from "./version-signal.ts";

/** The stage of the index that a query needs: `files` (paths) is enough to search for text. */
export type IndexReadiness = "files" | "words";

/** How a query uses an index. */
interface IndexUse {
  readonly readiness: IndexReadiness;
  /** Whether the query lets svc watch and check the files of the namespace from now on. */
  readonly isKeptFresh: boolean;
}

/** The index of a commit, and the texts of its files. */
interface OpenRevision {
  /** Returns a reader that no call can cancel. */
  readonly reader: () => Promise<IndexReader>;
  readonly texts: TextReader;
  /** Full id of the commit, by root of the source. */
  readonly commits: ReadonlyMap<string, string>;
}

/** The index of a request, which its caller may access. */
export interface OpenIndex {
  readonly namespace: AuthorizedNamespace;
  readonly reader: IndexReader;
  readonly sources: readonly Source[];
  /** The commit that `reader` is an index of; undefined for the files as they are now. */
  readonly revision?: OpenRevision | undefined;
}

interface OpenIndexesParts {
  readonly backend: Backend;
  readonly namespaces: Namespaces;
  readonly runs: RunScheduler;
}

type WaitOptions = Pick<EngineOptions, "logger" | "firstBuildWaitMs" | "showRebuild">;

const FIRST_BUILD_WAIT_MS = 3000;
/** After this time a query returns a partial answer: a call has 30 s. */
const MAX_QUERY_MS = 20_000;

/** The milliseconds after which a query with this deadline returns a partial answer. */
export function answerWithinMs(deadline = Infinity): number {
  return Math.min(MAX_QUERY_MS, deadline - performance.now());
}

export class OpenIndexes {
  readonly #options: WaitOptions;
  readonly #parts: OpenIndexesParts;
  /** The runs that rebuild damaged indexes, by namespace. */
  readonly #rebuilding = new Map<string, RunningJob>();
  /** Namespaces whose index was verified because a query met damage. */
  readonly #verified = new Set<string>();
  #isClosed = false;

  constructor(options: WaitOptions, parts: OpenIndexesParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** Stops rebuilding. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * Calls `use` with the index of the request's namespace, after a check of the caller's rights. Starts a rebuild when
   * the index is damaged; with `showRebuild`, it waits for that and calls `use` once more. Throws NAMESPACE_NOT_FOUND,
   * INDEX_EMPTY and INDEX_UNAVAILABLE.
   */
  async use<T>(
    request: EngineRequest,
    how: IndexUse,
    use: (index: OpenIndex) => Promise<T>,
  ): Promise<T> {
    const { namespaces } = this.#parts;
    const { showRebuild } = this.#options;
    const namespace = await namespaces.requested(request);
    const sources = await namespaces.displaySources(namespace);
    requireSomeRoot(sources);
    const isKeptFresh = how.isKeptFresh && !namespaces.isDependency(sources);
    const ask = async (): Promise<T> => {
      const reader = await this.#readyReader(namespace, { ...how, isKeptFresh }, request);
      return use({ namespace, reader, sources });
    };
    try {
      return await ask();
    } catch (thrown) {
      const rebuild = await this.#rebuildOf(namespace, thrown);
      if (showRebuild === undefined || request.signal.aborted) throw damaged(namespace, thrown);
      await endOf(rebuild, showRebuild(), request.signal);
    }
    try {
      return await ask();
    } catch (thrown) {
      await this.#rebuildOf(namespace, thrown);
      throw damaged(namespace, thrown);
    }
  }

  /** Returns a reader of any stage that no call can cancel. Throws INDEX_UNAVAILABLE. */
  async anyReader(namespace: AuthorizedNamespace): Promise<IndexReader> {
    const reader = await this.#parts.backend.index.reader(namespace);
    if (reader !== undefined) return reader;
    throw new SvcError("INDEX_UNAVAILABLE", `The index of "${namespace}" no longer exists.`, {
      hint: "Try again in a few seconds.",
    });
  }

  /** Waits briefly for a first build. Throws INDEX_EMPTY. */
  async #readyReader(
    namespace: AuthorizedNamespace,
    { readiness, isKeptFresh }: IndexUse,
    request: EngineRequest,
  ): Promise<IndexReader> {
    const { runs } = this.#parts;
    const read = (): Promise<IndexReader | undefined> => this.#read(namespace, readiness, request);
    let reader = await read();
    if (reader === undefined) {
      const job = runs.waiters.neverCancel(runs.start(namespace, { mustBeNew: false }));
      reader = await this.#firstReader(namespace, { job, read, signal: request.signal });
    } else if (isKeptFresh) runs.refreshStale(namespace);
    if (isKeptFresh) await runs.watch(namespace);
    if (reader !== undefined) return reader;
    const progress = progressText(runs.running(namespace)?.progress());
    throw new SvcError(
      "INDEX_EMPTY",
      `The index of "${namespace}" is being built for the first time.`,
      { hint: `${progress} Try again in a few seconds; \`index_status\` shows the progress.` },
    );
  }

  /** Undefined until the index has reached the stage that the query needs. */
  async #read(
    namespace: AuthorizedNamespace,
    readiness: IndexReadiness,
    { signal, deadline: requestDeadline }: EngineRequest,
  ): Promise<IndexReader | undefined> {
    const deadline = performance.now() + answerWithinMs(requestDeadline);
    const reader = await this.#parts.backend.index.reader(namespace, { signal, deadline });
    if (reader === undefined || reader.version.at === 0) return undefined;
    if (readiness === "files" || reader.hasWords) return reader;
    // A project without a single readable file is ready, too.
    const { listed } = (await reader.summary()).stages;
    return listed === 0 ? reader : undefined;
  }

  /** Waits until `read` returns a reader during a first build, or `firstBuildWaitMs` is over. */
  async #firstReader(
    namespace: string,
    {
      job,
      read,
      signal,
    }: {
      readonly job: RunningJob;
      readonly read: () => Promise<IndexReader | undefined>;
      readonly signal: AbortSignal;
    },
  ): Promise<IndexReader | undefined> {
    const end = performance.now() + (this.#options.firstBuildWaitMs ?? FIRST_BUILD_WAIT_MS);
    // Another process may be building, too.
    const versions = new VersionSignal(
      (listener) => this.#parts.backend.index.watch(namespace, listener),
      (listener) => {
        job.listen({ onCommit: listener });
        job.finished.then(listener, listener);
        return () => undefined;
      },
    );
    try {
      for (;;) {
        // eslint-disable-next-line no-await-in-loop -- each read follows a new version
        await versions.next(Math.max(0, end - performance.now()), signal);
        // Rejects if the run has failed.
        // eslint-disable-next-line no-await-in-loop -- as above
        const report = await waitFor(job, { waitMs: 0, signal });
        // eslint-disable-next-line no-await-in-loop -- as above
        const reader = await read();
        const isOver = report !== undefined || signal.aborted || performance.now() > end;
        if (reader !== undefined || isOver) return reader;
      }
    } finally {
      versions.close();
    }
  }

  /** Starts the rebuild of a damaged index unless one is running. Rethrows other errors, and damage that nobody can repair here. */
  async #rebuildOf(namespace: AuthorizedNamespace, thrown: unknown): Promise<RunningJob> {
    if (!(thrown instanceof IndexDamage) || this.#isClosed) throw thrown;
    const { backend, namespaces, runs } = this.#parts;
    const { logger } = this.#options;
    if ((await namespaces.obstacle()) !== undefined) throw thrown;
    // Each query during a rebuild meets the same damage.
    const running = this.#rebuilding.get(namespace);
    if (running !== undefined) return running;
    logger.warn("the index is damaged and is being rebuilt", { namespace, damage: thrown.message });
    logger.debug("damage found", { error: thrown });
    void backend.index.reportDamage(namespace, thrown.message);
    const end = (): void => void this.#rebuilding.delete(namespace);
    // Damage again after a verification that found nothing: quarantine everything, or it would recur forever.
    const quarantine = this.#verified.has(namespace) ? "all" : "damaged";
    this.#verified.add(namespace);
    const job = runs.waiters.neverCancel(runs.start(namespace, { mustBeNew: true, quarantine }));
    this.#rebuilding.set(namespace, job);
    job.finished.then(end, end);
    return job;
  }
}

function damaged(namespace: string, cause: unknown): SvcError {
  return new SvcError("INDEX_UNAVAILABLE", `The index of "${namespace}" is damaged.`, {
    hint: "It is being rebuilt from the files; try again in a few seconds.",
    cause,
  });
}

/** Resolves when a run has ended, or `signal` is aborted. Rejects if the run fails. */
async function endOf(
  job: RunningJob,
  { update, end }: ShownProgress,
  signal: AbortSignal,
): Promise<void> {
  job.listen({ onProgress: update });
  try {
    await waitFor(job, { waitMs: undefined, signal });
  } finally {
    end();
  }
}

function progressText(progress: IndexProgress | undefined): string {
  if (progress === undefined || progress.total === 0) return "";
  return `${progress.done} of ${progress.total} files ${progress.stage === "list" ? "listed" : "read"}.`;
}
