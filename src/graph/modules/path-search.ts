// Finds files and folders by the end of their paths, and the nearest of several.

import type { FileTree } from "../../index/port.ts";
import { pathBelow, endsWithParts, folderOf, inFolder, baseName, sharedFolder } from "./paths.ts";

/** Folders of tests, examples and build tools, which are not part of the project's own code. */
const SECONDARY_FOLDER =
  /(?:^|\/)(?:__?fixtures?__?|__?mocks__?|tests?|__tests__|testdata|test-data|spec|examples?|docs?|samples?|demos?|playgrounds?|templates?|vendor|third_party|node_modules|bench(?:mark)?s?)(?:\/|$)/i;

/** Returns whether a path is in such a folder and the importer is not in the same one. */
export function isSecondary(importer: string, path: string): boolean {
  return SECONDARY_FOLDER.test(folderOf(pathBelow(path, sharedFolder(importer, path))));
}

/**
 * Sorts paths by the number of folders shared with the importer, then secondary folders last, then by length;
 * the sort is stable.
 */
export function sortByDistance(importer: string, paths: readonly string[]): readonly string[] {
  if (paths.length < 2) return paths;
  return paths
    .map((path) => ({ path, rank: rankOf(importer, path) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ path }) => path);
}

/** Returns the first path in the order of `sortByDistance`, or undefined if there are none. */
export function nearestPath(importer: string, paths: readonly string[]): string | undefined {
  if (paths.length < 2) return paths[0];
  let best: string | undefined;
  let bestRank = Number.POSITIVE_INFINITY;
  for (const path of paths) {
    const rank = rankOf(importer, path);
    if (rank < bestRank) [best, bestRank] = [path, rank];
  }
  return best;
}

/**
 * Returns a rank; smaller is nearer. Paths are shorter than 2^16 characters and less than 2^10 folders deep.
 */
function rankOf(importer: string, path: string): number {
  const shared = sharedFolder(importer, path);
  const depth = shared === "" ? 0 : shared.split("/").length;
  const isFar = SECONDARY_FOLDER.test(folderOf(pathBelow(path, shared)));
  return (1024 - depth) * 2 ** 17 + (isFar ? 2 ** 16 : 0) + path.length;
}

/** Searches the files and folders of a project. */
export class PathSearch {
  readonly tree: FileTree;
  #folders: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(tree: FileTree) {
    this.tree = tree;
  }

  /** Returns the files whose path ends in these parts: "b/c.py" finds "a/b/c.py". */
  filesEnding(suffix: string): readonly string[] {
    const named = this.tree.named(baseName(suffix));
    return suffix.includes("/") ? named.filter((path) => endsWithParts(path, suffix)) : named;
  }

  /** Returns the folders whose path ends in these parts, sorted. */
  foldersEnding(suffix: string): readonly string[] {
    const named = this.foldersNamed(baseName(suffix));
    return suffix.includes("/") ? named.filter((path) => endsWithParts(path, suffix)) : named;
  }

  foldersNamed(name: string): readonly string[] {
    return this.#byName().get(name) ?? [];
  }

  /** Returns all folder names, each once. */
  folderNames(): Iterable<string> {
    return this.#byName().keys();
  }

  hasFolder(path: string): boolean {
    return this.tree.filesIn(path).length > 0 || this.tree.foldersIn(path).length > 0;
  }

  /** Returns the paths of the files directly in a folder whose names pass. */
  filesIn(folder: string, passes: (name: string) => boolean): readonly string[] {
    const names = this.tree.filesIn(folder).filter(passes);
    return names.map((name) => inFolder(folder, name));
  }

  /** Returns the paths of the files in a folder and its subfolders whose names pass. */
  filesBelow(folder: string, passes: (name: string) => boolean): readonly string[] {
    const found = [...this.filesIn(folder, passes)];
    for (const name of this.tree.foldersIn(folder)) {
      found.push(...this.filesBelow(inFolder(folder, name), passes));
    }
    return found;
  }

  /** Returns the first path that is a file. */
  firstFile(paths: readonly string[]): string | undefined {
    return paths.find((path) => this.tree.has(path));
  }

  #byName(): ReadonlyMap<string, readonly string[]> {
    this.#folders ??= foldersByName(this.tree);
    return this.#folders;
  }
}

function foldersByName(tree: FileTree): ReadonlyMap<string, readonly string[]> {
  const byName = new Map<string, string[]>();
  const queue = [""];
  for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
    for (const name of tree.foldersIn(folder)) {
      const path = inFolder(folder, name);
      const others = byName.get(name);
      if (others === undefined) byName.set(name, [path]);
      else others.push(path);
      queue.push(path);
    }
  }
  for (const paths of byName.values()) paths.sort();
  return byName;
}
