import type { Backend } from "../../backend/backend.ts";
import type { IndexReport } from "../api/index-report.ts";
import type { IndexJob, RunListener } from "./run-options.ts";

/** Runs indexing jobs, one at a time for each namespace. */
export interface JobRunner {
  /** Aborting the signal ends the run: at once in a thread, else before its next commit. */
  readonly run: (job: IndexJob, listener: RunListener, signal: AbortSignal) => Promise<IndexReport>;
  readonly close: () => Promise<void>;
}

/** Runs jobs in this thread, for a backend that no other thread can open. */
export function localRunner(backend: Backend): JobRunner {
  return {
    async run(job, listener, signal) {
      // In other backends only threads load it.
      const { executeJob } = await import("./execute-job.ts");
      return executeJob(job, backend, {
        ...listener,
        beforeCommit: () => signal.throwIfAborted(),
      });
    },
    close: async () => undefined,
  };
}
