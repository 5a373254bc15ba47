// Deletes what the registry no longer lists. The registry notes it first, so that a process which dies in between
// leaves the rest to the next one.

import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

import { takeExclusiveLock } from "../base/exclusive-lock.ts";
import { indexLayout } from "../index/embedded/layout.ts";
import { cloneAt, removeClone } from "../sources/clones.ts";
import type { Registry } from "../sources/registry.ts";

/** Finishes every removal that was begun. What is in use now (Windows keeps open files) goes the next time. */
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
      // It stays noted.
    }
  }
  emptyTrash(dataDirectory);
}

/** Deletes the index of a namespace that is gone; of one that is there it deletes nothing. */
export function removeIndex(
  registry: Registry,
  { dataDirectory, namespace }: { readonly dataDirectory: string; readonly namespace: string },
): void {
  const { directory } = indexLayout(dataDirectory, namespace);
  registry.completeDeletion({ kind: "index", name: namespace }, () => {
    // Out of the way at once; deleting takes longer, and the registry waits.
    mkdirSync(trashFolder(dataDirectory), { recursive: true, mode: 0o700 });
    try {
      renameSync(directory, join(trashFolder(dataDirectory), randomBytes(8).toString("hex")));
    } catch (thrown) {
      if (!(thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT")) throw thrown;
    }
  });
  emptyTrash(dataDirectory);
}

/** A clone that is just being fetched is left to the next time. */
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
