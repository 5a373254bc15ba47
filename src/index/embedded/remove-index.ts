// Deletes the files of an index. Deleting takes long, and other processes wait meanwhile: so the folder is first moved to
// the trash, where a later process finds it if this one is killed.

import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

import { whileInUse } from "../../base/files.ts";
import { writeRefused } from "../damage.ts";
import { indexLayout } from "./layout.ts";

/** Moves the index to the trash. */
export function removeIndexFiles(dataDirectory: string, namespace: string): void {
  const { directory } = indexLayout(dataDirectory, namespace);
  const trash = trashFolder(dataDirectory);
  mkdirSync(trash, { recursive: true, mode: 0o700 });
  const removed = join(trash, randomBytes(8).toString("hex"));
  try {
    whileInUse(() => renameSync(directory, removed));
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
    if (code !== "ENOENT")
      throw writeRefused(`The index of "${namespace}" cannot be removed`, thrown);
  }
}

/** Deletes everything in the trash. Files in use (Windows cannot delete them) remain until the next time. */
export function emptyTrash(dataDirectory: string): void {
  const trash = trashFolder(dataDirectory);
  for (const name of namesIn(trash)) {
    rmSync(join(trash, name), { recursive: true, force: true, maxRetries: 3 });
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
