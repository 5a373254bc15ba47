// Deletes indexes and clones that the registry no longer lists. The registry first records the pending deletion, so
// that the next process continues after a crash.

import { existsSync } from "node:fs";

import type { Backend } from "../backend/backend.ts";
import { takeExclusiveLock } from "../base/exclusive-lock.ts";
import { cloneAt, removeClone } from "../sources/clones.ts";
import type { Registry } from "../sources/registry/registry.ts";

interface Place {
  /** The folder of the clones. */
  readonly dataDirectory: string;
  readonly index: Pick<Backend["index"], "remove" | "sweep">;
}

/** Finishes all pending deletions. Files in use (Windows cannot delete them) remain until the next time. */
export async function finishPendingDeletions(registry: Registry, place: Place): Promise<void> {
  for (const pending of (await registry.state()).pendingDeletions()) {
    const remove = async (): Promise<void> =>
      pending.kind === "index"
        ? place.index.remove(pending.name)
        : removeCloneIfUnlocked(place.dataDirectory, pending.name);
    try {
      // oxlint-disable-next-line no-await-in-loop -- one deletion after the other
      await registry.completeDeletion(pending, remove);
    } catch {
      // It remains pending.
    }
  }
  await place.index.sweep();
}

/** Deletes the index of a removed namespace. Does nothing when the namespace exists. */
export async function removeIndex(
  registry: Registry,
  index: Place["index"],
  namespace: string,
): Promise<void> {
  await registry.completeDeletion({ kind: "index", name: namespace }, () =>
    index.remove(namespace),
  );
  await index.sweep();
}

/** Leaves a clone that is being fetched until the next time. */
function removeCloneIfUnlocked(dataDirectory: string, root: string): void {
  if (!existsSync(cloneAt(root).directory)) return;
  const release = takeExclusiveLock(cloneAt(root).lock, 0);
  if (release === undefined) return;
  try {
    removeClone(dataDirectory, root);
  } finally {
    release();
  }
}
