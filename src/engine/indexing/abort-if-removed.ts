// A namespace can be removed, by any process, while a run writes to its index. The run looks, and ends.

import { namespaceNotFound } from "../../sources/namespace.ts";
import { Registry } from "../../sources/registry.ts";
import type { IndexJob, IndexReport } from "./indexer.ts";
import { removeIndex } from "../pending-deletions.ts";

const POLL_MS = 300;

/**
 * Does the work while the namespace is the one that the job was made for. When it is no more, `fail` hears of it and
 * the thread ends in the middle, as at a kill; what the work may have brought back is deleted.
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
    // oxlint-disable-next-line no-restricted-properties -- of a thread this ends the thread alone
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
