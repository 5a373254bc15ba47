import type { RepositoryUrl } from "../../sources/git-url.ts";
import type { Registry, Source } from "../../sources/registry.ts";
import type { RunningJob } from "./job-queue.ts";
import type { ResolvedSource } from "./source-resolver.ts";
import { updateClone, type FetchRepository } from "./update-clone.ts";
import { startUpdate } from "./update-job.ts";

interface RepositoryUpdatesOptions {
  readonly dataDirectory: string;
  readonly fetchRepository: FetchRepository | undefined;
  readonly registry: () => Registry;
  /** Hears of a repository that could not be fetched, or not be indexed then. */
  readonly onFailure: (namespace: string, thrown: unknown) => void;
}

/** Runs that fetch before they index, one at a time for each source. */
export class RepositoryUpdates {
  readonly #options: RepositoryUpdatesOptions;
  /** By the id of the source. */
  readonly #running = new Map<number, RunningJob>();

  constructor(options: RepositoryUpdatesOptions) {
    this.#options = options;
  }

  of(sources: readonly Source[]): readonly RunningJob[] {
    return sources.flatMap(({ id }) => this.#running.get(id) ?? []);
  }

  /** `index` starts the run that indexes what was fetched. */
  start(
    { namespace, source, undo }: ResolvedSource,
    repository: RepositoryUrl,
    index: () => RunningJob,
  ): RunningJob {
    const { dataDirectory, fetchRepository, registry, onFailure } = this.#options;
    const current = this.#running.get(source.id);
    // Whoever asks again while it is fetched wants to know how far that is.
    if (current !== undefined && !current.isCancelled()) return current;
    const job = startUpdate({
      update: async (signal, onProgress) => {
        if (fetchRepository === undefined) throw new Error("checked when the source was placed");
        await updateClone(dataDirectory, repository, { fetchRepository, signal, onProgress });
        registry().setFetched(source.id);
      },
      index,
    });
    this.#running.set(source.id, job);
    const end = (thrown?: unknown): void => {
      if (this.#running.get(source.id) === job) this.#running.delete(source.id);
      if (thrown === undefined) return;
      if (!job.isCancelled()) onFailure(namespace, thrown);
      undo?.();
    };
    job.finished.then(() => end(), end);
    return job;
  }

  async cancelAll(): Promise<void> {
    await Promise.all([...this.#running.values()].map((update) => update.cancel()));
  }
}
