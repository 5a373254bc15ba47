import { type FSWatcher, watch } from "node:fs";
import { basename } from "node:path";

import type { IndexLayout } from "./layout.ts";

/**
 * Calls `listener` after each write to the catalogue, by any process of this machine: SQLite appends a transaction to
 * the write-ahead log next to it. Returns a function that stops it. Without a folder yet, or when the system has no
 * watch left, nothing is reported.
 */
export function watchVersions(
  { directory, catalog }: IndexLayout,
  listener: () => void,
): () => void {
  let watcher: FSWatcher;
  try {
    watcher = watch(directory, { persistent: false }, (_event, name) => {
      if (name === null || name.startsWith(basename(catalog))) listener();
    });
  } catch {
    return () => undefined;
  }
  // For example, the folder was removed together with its namespace.
  watcher.on("error", () => watcher.close());
  return () => watcher.close();
}
