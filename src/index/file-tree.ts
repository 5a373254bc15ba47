import type { FileTree } from "./port.ts";

interface Folder {
  readonly files: string[];
  readonly folders: string[];
}

const EMPTY: Folder = { files: [], folders: [] };

/** Builds the tree of the files in `paths`, which must be in code unit order. About 1 µs per file. */
export function fileTreeOf(paths: readonly string[]): FileTree {
  const all = new Set(paths);
  const folders = new Map<string, Folder>([["", { files: [], folders: [] }]]);
  const byName = new Map<string, string[]>();
  for (const path of paths) {
    const slash = path.lastIndexOf("/");
    const name = path.slice(slash + 1);
    folderOf(folders, slash === -1 ? "" : path.slice(0, slash)).files.push(name);
    const others = byName.get(name);
    if (others === undefined) byName.set(name, [path]);
    else others.push(path);
  }
  for (const { folders: names } of folders.values()) names.sort();
  return {
    has: (path) => all.has(path),
    filesIn: (folder) => (folders.get(folder) ?? EMPTY).files,
    foldersIn: (folder) => (folders.get(folder) ?? EMPTY).folders,
    named: (name) => byName.get(name) ?? [],
  };
}

/** Returns the folder; creates it and its parents if they do not exist. */
function folderOf(folders: Map<string, Folder>, path: string): Folder {
  const known = folders.get(path);
  if (known !== undefined) return known;
  const made: Folder = { files: [], folders: [] };
  folders.set(path, made);
  const slash = path.lastIndexOf("/");
  folderOf(folders, slash === -1 ? "" : path.slice(0, slash)).folders.push(path.slice(slash + 1));
  return made;
}
