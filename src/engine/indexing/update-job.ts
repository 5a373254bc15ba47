import type { RunningJob } from "./job-queue.ts";
import type { IndexProgress, IndexReport } from "./indexer.ts";

interface UpdateSteps {
  /** Brings the files of a source here. */
  readonly update: (
    signal: AbortSignal,
    onProgress: (progress: IndexProgress) => void,
  ) => Promise<void>;
  /** Starts the run that indexes them. */
  readonly index: () => RunningJob;
}

/** A run that first fetches what it indexes, as one. */
export function startUpdate({ update, index }: UpdateSteps): RunningJob {
  const giveUp = new AbortController();
  const listeners: ((progress: IndexProgress) => void)[] = [];
  let latest: IndexProgress = { stage: "fetch", done: 0, total: 0 };
  let indexing: RunningJob | undefined;
  const run = async (): Promise<IndexReport> => {
    await update(giveUp.signal, (progress) => {
      latest = progress;
      for (const listener of listeners) listener(progress);
    });
    indexing = index();
    for (const listener of listeners) indexing.onProgress(listener);
    if (giveUp.signal.aborted) await indexing.cancel();
    return indexing.finished;
  };
  const finished = run();
  // Whoever asked for it hears of its failure; when nobody waits any more it must not end the process.
  finished.catch(() => undefined);
  return {
    finished,
    coversAllFiles: true,
    progress: () => indexing?.progress() ?? latest,
    onProgress: (listener) => {
      listeners.push(listener);
      indexing?.onProgress(listener);
    },
    isCancelled: () => giveUp.signal.aborted,
    cancel: async () => {
      giveUp.abort();
      await indexing?.cancel();
      // The work tree is put back first.
      await finished.catch(() => undefined);
    },
  };
}
