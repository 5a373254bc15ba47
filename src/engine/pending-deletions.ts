// Deletes indexes and clones that the registry no longer lists. The registry first records the pending deletion, so
// that the next process continues after a crash.

import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

import { takeExclusiveLock } from "../base/exclusive-lock.ts";
import { indexLayout } from "../index/embedded/layout.ts";
import { cloneAt, removeClone } from "../sources/clones.ts";
import type { Registry } from "../sources/registry.ts";

/** Finishes all pending deletions. Files in use (Windows cannot delete them) remain until the next time. */
export function finishPendingDeletions(registry: Registry, dataDirectory: string): void {
  for (const pending of registry.pendingDeletions()) {
    try {
      if (pending.kind === "index")
        removeIndex(registry, { dataDirectory, namespace: pending.name });
      else
        registry.completeDeletion(pending, () =>
          removeCloneIfUnlocked(dataDirectory, pending.name),
        );
    } catch {
      // It remains pending.
    }
  }
  emptyTrash(dataDirectory);
}

/** Deletes the index of a removed namespace. Does nothing when the namespace exists. */
export function removeIndex(
  registry: Registry,
  { dataDirectory, namespace }: { readonly dataDirectory: string; readonly namespace: string },
): void {
  const { directory } = indexLayout(dataDirectory, namespace);
  registry.completeDeletion({ kind: "index", name: namespace }, () => {
    // Rename first: deleting takes longer, and the registry is locked meanwhile.
    mkdirSync(trashFolder(dataDirectory), { recursive: true, mode: 0o700 });
    try {
      renameSync(directory, join(trashFolder(dataDirectory), randomBytes(8).toString("hex")));
    } catch (thrown) {
      if (!(thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT")) throw thrown;
    }
  });
  emptyTrash(dataDirectory);
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

function emptyTrash(dataDirectory: string): void {
  for (const name of namesIn(trashFolder(dataDirectory))) {
    rmSync(join(trashFolder(dataDirectory), name), { recursive: true, force: true, maxRetries: 3 });
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    // Nothing was ever removed.
    return [];
  }
}

function trashFolder(dataDirectory: string): string {
  return join(dataDirectory, "removed");
}
