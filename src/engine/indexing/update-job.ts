import type { RunningJob } from "./job-queue.ts";
import type { RunListener } from "./run-options.ts";
import type { IndexProgress, IndexReport } from "../api/index-report.ts";

interface UpdateSteps {
  /** Fetches the files of a source. */
  readonly update: (
    signal: AbortSignal,
    onProgress: (progress: IndexProgress) => void,
  ) => Promise<void>;
  /** Starts the indexing run. */
  readonly index: () => RunningJob;
}

/** Combines fetching and indexing into one run. */
export function startUpdate({ update, index }: UpdateSteps): RunningJob {
  const controller = new AbortController();
  const listeners: RunListener[] = [];
  let latest: IndexProgress = { stage: "fetch", done: 0, total: 0 };
  let indexing: RunningJob | undefined;
  const run = async (): Promise<IndexReport> => {
    await update(controller.signal, (progress) => {
      latest = progress;
      for (const listener of listeners) listener.onProgress?.(progress);
    });
    indexing = index();
    for (const listener of listeners) indexing.listen(listener);
    if (controller.signal.aborted) await indexing.cancel();
    return indexing.finished;
  };
  const finished = run();
  // Callers of the run get its failure. A run without waiting callers must not end the process.
  finished.catch(() => undefined);
  return {
    finished,
    coversAllFiles: true,
    progress: () => indexing?.progress() ?? latest,
    listen: (listener) => {
      listeners.push(listener);
      indexing?.listen(listener);
    },
    isCancelled: () => controller.signal.aborted,
    cancel: async () => {
      controller.abort();
      await indexing?.cancel();
      // Wait until the work tree is restored.
      await finished.catch(() => undefined);
    },
  };
}
