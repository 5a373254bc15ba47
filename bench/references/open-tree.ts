// A repository as svc indexes it: the files of one commit, without installed packages.
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

import { mirrorDirectory } from "../quality/mirror.ts";
import { writeTree } from "./checkout.ts";
import { openProject, type Project } from "./project.ts";

interface Tree {
  readonly name: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly commit: string;
}

interface TreeFolders {
  readonly mirrors: string;
  readonly cache: string;
}

/**
 * Returns the folder with the files of the commit, and writes it if it is missing. Without what says which files git ignores: git
 * has all of these.
 */
export function treeOf(
  { name, repository, commit }: Tree,
  { mirrors, cache }: TreeFolders,
): string {
  const root = join(cache, "trees", `${name}-${commit.slice(0, 10)}`);
  if (!existsSync(root)) {
    const files = writeTree(mirrorDirectory(mirrors, repository), commit, root);
    for (const path of files) if (basename(path) === ".gitignore") rmSync(join(root, path));
  }
  return root;
}

/** In folders of the cache. The index is rebuilt: the sources of the indexer may have changed. */
export function openTree(tree: Tree, folders: TreeFolders): Promise<Project> {
  const root = treeOf(tree, folders);
  const dataDirectory = join(folders.cache, "indexes", `${tree.name}-${process.pid}`);
  mkdirSync(dataDirectory, { recursive: true });
  return openProject(root, dataDirectory);
}
