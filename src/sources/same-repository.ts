// Recognises that two folders are of one repository: worktrees of it, or clones, also those that share its objects. Its author
// can claim that. So it only finds a candidate, and nothing of the other repository is opened here.

import { dirname, join, relative } from "node:path";

import { realOrSame } from "./confined-path.ts";
import { repositoryFilesAbove, type GitSource } from "./git.ts";
import { alternatesOf } from "./git-store.ts";
import { remoteUrls, repositoryName } from "./repository-name.ts";
import type { SourceRoot } from "./source-root.ts";

/** Where a folder is in which repository. */
export interface RepositoryPlace {
  /** The folder, relative to the top level of its work tree. */
  readonly folder: string;
  /** Names of the repository. Folders with one in common are of the same. */
  readonly names: ReadonlySet<string>;
}

/** Git follows no more from one to the next, either. */
const MAX_STORES = 64;

/** Undefined for a folder that is in no repository, or in one that svc does not use. */
export function repositoryPlace(source: SourceRoot & GitSource): RepositoryPlace | undefined {
  const repository = repositoryFilesAbove(source);
  if (repository === undefined) return undefined;
  const { commonDirectory, topLevel, within } = repository;
  const stores = alternatesOf(join(commonDirectory, "objects"), within) ?? [];
  const urls = [...remoteUrls(repository).map(({ url }) => url), ...(source.url ?? "").split("\n")];
  return {
    folder: relative(realOrSame(topLevel), realOrSame(source.root)),
    names: new Set([
      commonDirectory,
      ...stores.slice(0, MAX_STORES).map((store) => realOrSame(dirname(store))),
      ...urls.flatMap(namesOf),
    ]),
  };
}

export function isSameRepository(one: RepositoryPlace, other: RepositoryPlace): boolean {
  return one.folder === other.folder && [...one.names].some((name) => other.names.has(name));
}

/** A clone of a folder on this machine has its path as the address. */
function namesOf(url: string): readonly string[] {
  if (url === "") return [];
  const path = url.replace(/^file:\/\//i, "");
  if (path.startsWith("/")) return [realOrSame(path), realOrSame(join(path, ".git"))];
  const name = repositoryName(url);
  return name === undefined ? [] : [name];
}
