import type { RepositoryUrl } from "../../sources/git-url.ts";
import type { Registry } from "../../sources/registry/registry.ts";
import type { Source } from "../../sources/registry/records.ts";
import type { RunningJob } from "./job-queue.ts";
import type { ResolvedSource } from "./source-resolver.ts";
import { updateClone, type FetchRepository } from "./update-clone.ts";
import { startUpdate } from "./update-job.ts";

interface RepositoryUpdatesOptions {
  readonly dataDirectory: string;
  readonly fetchRepository: FetchRepository | undefined;
  readonly registry: () => Promise<Registry>;
  /** Called when what a failed request added could not be removed again. */
  readonly onUndoFailure: (thrown: unknown) => void;
  /** Called when a repository could not be fetched or indexed. */
  readonly onFailure: (namespace: string, thrown: unknown) => void;
}

type FetchedSource = Pick<ResolvedSource, "source" | "undo"> & { readonly namespace: string };

/** Runs that fetch a repository before they index it, one at a time per source. */
export class RepositoryUpdates {
  readonly #options: RepositoryUpdatesOptions;
  /** Source id -> its run. */
  readonly #running = new Map<number, RunningJob>();

  constructor(options: RepositoryUpdatesOptions) {
    this.#options = options;
  }

  of(sources: readonly Source[]): readonly RunningJob[] {
    return sources.flatMap(({ id }) => this.#running.get(id) ?? []);
  }

  /** `index` starts the indexing run after the fetch. Returns the current run if there is one. */
  start(
    { namespace, source, undo }: FetchedSource,
    repository: RepositoryUrl,
    index: () => RunningJob,
  ): RunningJob {
    const { dataDirectory, fetchRepository, registry, onFailure, onUndoFailure } = this.#options;
    const current = this.#running.get(source.id);
    // A repeated request during the fetch gets its progress.
    if (current !== undefined && !current.isCancelled()) return current;
    const job = startUpdate({
      update: async (signal, onProgress) => {
        if (fetchRepository === undefined) throw new Error("checked when the source was placed");
        const hooks = { fetchRepository, signal, onProgress };
        const commit = await updateClone(dataDirectory, repository, hooks);
        await (await registry()).setFetched(source.id, commit);
      },
      index,
    });
    this.#running.set(source.id, job);
    const end = (thrown?: unknown): void => {
      if (this.#running.get(source.id) === job) this.#running.delete(source.id);
      if (thrown === undefined) return;
      if (!job.isCancelled()) onFailure(namespace, thrown);
      undo?.().catch(onUndoFailure);
    };
    job.finished.then(() => end(), end);
    return job;
  }

  async cancelAll(): Promise<void> {
    await Promise.all([...this.#running.values()].map((update) => update.cancel()));
  }
}
