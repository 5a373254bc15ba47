import type { RepositoryUrl } from "../../sources/git-url.ts";
import type { Registry, Source } from "../../sources/registry.ts";
import type { RunningJob } from "./index-jobs.ts";
import type { Placed } from "./source-placing.ts";
import { updateClone, type FetchRepository } from "./update-clone.ts";
import { startUpdate } from "./update-job.ts";

interface UpdatesHost {
  readonly dataDirectory: string;
  readonly fetchRepository: FetchRepository | undefined;
  readonly registry: () => Registry;
  /** Hears of a repository that could not be fetched, or not be indexed then. */
  readonly failed: (namespace: string, thrown: unknown) => void;
}

/** Runs that fetch before they index, one at a time for each source. */
export class RepositoryUpdates {
  readonly #host: UpdatesHost;
  /** By the id of the source. */
  readonly #running = new Map<number, RunningJob>();

  constructor(host: UpdatesHost) {
    this.#host = host;
  }

  of(sources: readonly Source[]): readonly RunningJob[] {
    return sources.flatMap(({ id }) => this.#running.get(id) ?? []);
  }

  /** `index` starts the run that indexes what was fetched. */
  start(
    { namespace, source, undo }: Placed,
    repository: RepositoryUrl,
    index: () => RunningJob,
  ): RunningJob {
    const { dataDirectory, fetchRepository, registry, failed } = this.#host;
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
      if (!job.isCancelled()) failed(namespace, thrown);
      undo?.();
    };
    job.finished.then(() => end(), end);
    return job;
  }

  async cancelAll(): Promise<void> {
    await Promise.all([...this.#running.values()].map((update) => update.cancel()));
  }
}
