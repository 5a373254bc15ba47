import { setTimeout as delay } from "node:timers/promises";

import { SvcError, toSvcError, type ErrorCode, ERRORS } from "../../base/errors.ts";
import type {
  UpdateProblem,
  UpdateQueue,
  UpdateResult,
  UpdateState,
} from "../../backend/updates/port.ts";
import type { IndexProgress, IndexReport } from "../api/index-report.ts";
import type { RunningJob } from "./job-queue.ts";
import type { RunListener } from "./run-options.ts";
import { cancelled } from "./run-failure.ts";

const POLL_MS = 250;
/** Until the node that does the update reports its progress. */
const WAITING: IndexProgress = { stage: "fetch", done: 0, total: 0 };

interface RequestedUpdate {
  readonly namespace: string;
  /** The number that `UpdateQueue.request` returned. */
  readonly request: number;
  /** Called when a node has tried and failed, before the run ends. */
  readonly onFailure: () => Promise<void>;
}

/**
 * Follows an update that a node of the team does, as if it were a run of this process. To cancel it ends only the
 * following.
 */
export function followUpdate(
  queue: UpdateQueue,
  { namespace, request, onFailure }: RequestedUpdate,
): RunningJob {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners: RunListener[] = [];
  let latest = WAITING;
  const report = (progress: IndexProgress): void => {
    latest = progress;
    for (const listener of listeners) listener.onProgress?.(progress);
  };
  const follow = async (): Promise<IndexReport> => {
    for (;;) {
      if (signal.aborted) throw cancelled();
      // oxlint-disable-next-line no-await-in-loop -- polling
      const state = await queue.stateOf(namespace);
      const result = resultFor(state, namespace, request);
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (result?.problem !== undefined) await onFailure();
      if (result !== undefined) return reportOf(result);
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (state?.progress === undefined) await requireNodes(queue, namespace);
      report(progressOf(state?.progress));
      // oxlint-disable-next-line no-await-in-loop -- as above
      await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  const finished = follow();
  // Callers of the run get its failure. A run without waiting callers must not end the process.
  finished.catch(() => undefined);
  return {
    finished,
    coversAllFiles: true,
    progress: () => latest,
    listen: (listener) => void listeners.push(listener),
    isCancelled: () => signal.aborted,
    cancel: async () => {
      controller.abort();
      await finished.catch(() => undefined);
    },
  };
}

/** The result of an attempt for those who wait for it. */
export function failureResult(thrown: unknown): UpdateResult {
  const { code, message, hint } = toSvcError(thrown);
  return { problem: { code, message, hint } };
}

/** Returns the progress that a node published; that of a run which has not begun for anything else. */
export function progressOf(published: object | undefined): IndexProgress {
  return published !== undefined && isProgress(published) ? published : WAITING;
}

function isProgress(value: object): value is IndexProgress {
  return "stage" in value && "done" in value && "total" in value;
}

/** Throws if nothing will ever do the update. */
function resultFor(
  state: UpdateState | undefined,
  namespace: string,
  request: number,
): UpdateResult | undefined {
  if (state === undefined) {
    throw new SvcError("NAMESPACE_NOT_FOUND", `"${namespace}" was removed.`);
  }
  const { attempt } = state;
  return attempt !== undefined && attempt.request >= request ? attempt.result : undefined;
}

function reportOf({ report, problem }: UpdateResult): IndexReport {
  if (problem !== undefined) throw problemError(problem);
  if (isReport(report)) return report;
  throw new SvcError("INTERNAL_ERROR", "The index node has another version of svc.", {
    hint: "Update svc on all machines.",
  });
}

function isReport(value: object): value is IndexReport {
  return "outcome" in value && "generation" in value && "warnings" in value;
}

function problemError({ code, message, hint }: UpdateProblem): SvcError {
  const known = Object.keys(ERRORS).find((one): one is ErrorCode => one === code);
  // Another version of svc may know more errors.
  return new SvcError(known ?? "INTERNAL_ERROR", message, { hint });
}

async function requireNodes(queue: UpdateQueue, namespace: string): Promise<void> {
  if ((await queue.nodes()).length > 0) return;
  throw new SvcError("INDEX_UNAVAILABLE", `No index node runs that could update "${namespace}".`, {
    hint: "Start one with `svc serve --role index`. It will do the update, which stays requested.",
  });
}
