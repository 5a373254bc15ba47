// The indexing thread. For each job it sends progress messages, then the report or the failure.

import { parentPort } from "node:worker_threads";

import { toSvcError, type ErrorCode } from "../../base/errors.ts";
import { embeddingsFrom } from "../embeddings.ts";
import { lowerPriority } from "./thread-priority.ts";
import { abortIfNamespaceRemoved } from "./abort-if-removed.ts";
import type { IndexProgress, IndexReport } from "./index-report.ts";
import { runIndexJob, type IndexJob } from "./indexer.ts";

export type WorkerMessage =
  | { readonly progress: IndexProgress }
  | { readonly report: IndexReport }
  | { readonly failure: { code: ErrorCode; detail: string; stack: string } };

function send(message: WorkerMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(message);
}

async function work(job: IndexJob): Promise<void> {
  try {
    const report = await abortIfNamespaceRemoved(job, sendFailure, async () => {
      const sources = await withUsableSources(job);
      return runIndexJob(
        { ...job, sources },
        {
          // The library is large, and most runs parse nothing.
          grammars: async () => (await import("../packed-grammars.ts")).packedGrammars(),
          embeddings: embeddingsFrom(job.embeddings),
          onProgress: (progress) => send({ progress }),
        },
      );
    });
    send({ report });
  } catch (thrown) {
    sendFailure(thrown);
  }
}

/** Loads the code for clones only when there are some. */
async function withUsableSources(job: IndexJob): Promise<IndexJob["sources"]> {
  if (job.sources.every(({ url }) => url === undefined)) return job.sources;
  const { withoutBrokenClones } = await import("./usable-clones.ts");
  return withoutBrokenClones(job);
}

function sendFailure(thrown: unknown): void {
  const error = toSvcError(thrown);
  const cause = error.cause instanceof Error ? error.cause : error;
  send({ failure: { code: error.code, detail: error.detail, stack: cause.stack ?? "" } });
}

lowerPriority();
parentPort?.on("message", (job: IndexJob) => void work(job));
