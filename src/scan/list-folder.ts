import { readdirSync } from "node:fs";

import { isLossyName, pathFromBytes, toFilePath } from "../base/path-bytes.ts";

/** An entry of a directory, as node:fs has it. */
export interface DirectoryEntry {
  /** As in base/path-bytes.ts. */
  readonly name: string;
  readonly isDirectory: () => boolean;
  readonly isFile: () => boolean;
  readonly isSymbolicLink: () => boolean;
}

/**
 * The entries of a directory, in the code unit order of their names, with a `/` behind those of
 * directories: who enters the directories in that order meets all files in the order of their paths.
 * Throws what the file system throws.
 */
export function listFolder(path: string): readonly DirectoryEntry[] {
  const filePath = toFilePath(path);
  const entries =
    typeof filePath === "string" ? readdirSync(filePath, { withFileTypes: true }) : undefined;
  if (entries === undefined || entries.some(({ name }) => isLossyName(name))) {
    return inOrder(listByBytes(filePath));
  }
  return inOrder(entries);
}

function listByBytes(path: string | Buffer): readonly DirectoryEntry[] {
  return readdirSync(path, { withFileTypes: true, encoding: "buffer" }).map((entry) => ({
    name: pathFromBytes(entry.name),
    isDirectory: () => entry.isDirectory(),
    isFile: () => entry.isFile(),
    isSymbolicLink: () => entry.isSymbolicLink(),
  }));
}

/** Node lists by bytes on most systems: that is the wanted order but for few directories. */
function inOrder(entries: readonly DirectoryEntry[]): readonly DirectoryEntry[] {
  let previous = "";
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key < previous) return entries.toSorted(byKey);
    previous = key;
  }
  return entries;
}

function byKey(one: DirectoryEntry, other: DirectoryEntry): number {
  return keyOf(one) < keyOf(other) ? -1 : 1;
}

function keyOf(entry: DirectoryEntry): string {
  return entry.isDirectory() ? `${entry.name}/` : entry.name;
}
