// Any process can remove a namespace while a run writes to its index. The run polls for this and stops.

import { namespaceNotFound } from "../../sources/namespace.ts";
import { Registry } from "../../sources/registry.ts";
import type { IndexReport } from "./index-report.ts";
import type { IndexJob } from "./indexer.ts";
import { removeIndex } from "../pending-deletions.ts";

const POLL_MS = 300;

/**
 * Runs `work` while the job's namespace exists. When it is removed, calls `fail` with the error and ends the thread at
 * once, like a kill. Deletes files that the run may have created again.
 */
export async function abortIfNamespaceRemoved(
  { dataDirectory, namespace, namespaceCreatedAt }: IndexJob,
  fail: (error: unknown) => void,
  work: () => Promise<IndexReport>,
): Promise<IndexReport> {
  if (namespaceCreatedAt === undefined) return work();
  const registry = new Registry(dataDirectory);
  const isGone = (): boolean => registry.createdAt(namespace) !== namespaceCreatedAt;
  const timer = setInterval(() => {
    if (!isGone()) return;
    fail(namespaceNotFound(namespace));
    // oxlint-disable-next-line no-restricted-properties -- in a worker this ends only the thread
    process.exit();
  }, POLL_MS);
  try {
    if (isGone()) throw namespaceNotFound(namespace);
    return await work();
  } finally {
    clearInterval(timer);
    if (isGone()) removeIndex(registry, { dataDirectory, namespace });
    registry.close();
  }
}
