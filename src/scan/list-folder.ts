import { readdirSync } from "node:fs";

import { isLossyName, pathFromBytes, toFilePath } from "../base/path-bytes.ts";

/** A directory entry with the methods of node:fs. */
export interface DirectoryEntry {
  /** The decoded name (base/path-bytes.ts). */
  readonly name: string;
  readonly isDirectory: () => boolean;
  readonly isFile: () => boolean;
  readonly isSymbolicLink: () => boolean;
}

/**
 * Returns the entries of a directory, sorted by name in code unit order, with a `/` appended to directory
 * names. A caller that enters directories in this order visits all files in path order. Throws the file
 * system's error.
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

/** On most systems Node lists entries in byte order, which is this order except in few directories. */
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
