// The indexing thread. For each job it sends progress messages, then the report or the failure.

import { parentPort, type MessagePort } from "node:worker_threads";

import { openBackend } from "../../backend/open-backend.ts";
import { namespaceNotFound } from "../../sources/namespace.ts";
import type { IndexProgress, IndexReport } from "../api/index-report.ts";
import { executeJob, isRemoved } from "./execute-job.ts";
import { runFailure, RunTooLarge, type RunFailure } from "./run-failure.ts";
import type { IndexJob } from "./run-options.ts";
import { watchRemoval } from "./removal-watch.ts";
import { lowerPriority } from "./thread-priority.ts";

export type WorkerMessage =
  | { readonly progress: IndexProgress }
  /** The index has a new version. */
  | { readonly committed: true }
  /** The run wants parsing threads for so many bytes of text; the answer is a message with their ports. */
  | { readonly parseBytes: number }
  | { readonly report: IndexReport }
  /** The run has thrown RunTooLarge. */
  | { readonly tooLarge: true }
  | { readonly failure: RunFailure };

export type WorkerCommand =
  | { readonly job: IndexJob }
  | { readonly parsers: readonly MessagePort[] };

/** How often the thread checks whether the namespace of its job was removed. */
const REMOVAL_POLL_MS = 300;

function send(message: WorkerMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(message);
}

async function work(job: IndexJob): Promise<void> {
  if (job.backend.kind === "memory") throw new Error("no thread can open a backend in memory");
  const backend = await openBackend(job.backend);
  // The check before the next commit reports an error of the registry.
  const stopWatching = watchRemoval(
    () => isRemoved(job, backend),
    () => {
      // The thread ends at once, like a killed process.
      sendFailure(namespaceNotFound(job.namespace));
      // oxlint-disable-next-line no-restricted-properties -- in a worker this ends only the thread
      process.exit();
    },
    REMOVAL_POLL_MS,
  );
  try {
    const report = await executeJob(job, backend, {
      onProgress: (progress) => send({ progress }),
      onCommit: () => send({ committed: true }),
      startParsers,
      lowerPriority,
    });
    send({ report });
  } catch (thrown) {
    if (thrown instanceof RunTooLarge) send({ tooLarge: true });
    else sendFailure(thrown);
  } finally {
    // The next job of this thread may be one of another namespace.
    stopWatching();
    backend.close();
  }
}

function sendFailure(thrown: unknown): void {
  send({ failure: runFailure(thrown) });
}

/** Waits for the ports of parsing threads. */
let receiveParsers: ((ports: readonly MessagePort[]) => void) | undefined;

function startParsers(bytes: number): Promise<readonly MessagePort[]> {
  return new Promise((resolve) => {
    receiveParsers = resolve;
    send({ parseBytes: bytes });
  });
}

parentPort?.on("message", (command: WorkerCommand) => {
  if ("job" in command) void work(command.job);
  else receiveParsers?.(command.parsers);
});
