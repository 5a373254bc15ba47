// What it means that the owner named a folder: its git directory may lie outside of it where that records the folder as
// its worktree or submodule. A caller over HTTP, or with a token for some namespaces, never allows it.

import { linkedGitDirectory } from "../../sources/git-location.ts";
import { gitTopLevel } from "../../sources/git.ts";
import type { Registry, Source } from "../../sources/registry.ts";

/** Has the registry remember the git directory, this very one, for the source; gives the source as it is then. */
export function allowOutsideGit(registry: Registry, source: Source): Source {
  // One that can only be read keeps what it has.
  if (registry.obstacle !== undefined) return source;
  const topLevel = gitTopLevel(source.root);
  const outsideGit = topLevel === undefined ? undefined : linkedGitDirectory(topLevel);
  if (outsideGit === source.outsideGit) return source;
  registry.setOutsideGit(source.id, outsideGit);
  return { ...source, outsideGit };
}

/** The namespace of a workspace, which the one who started the program has named. */
export function ensureWorkspace(registry: Registry, root: string): string {
  const namespace = registry.ensureWorkspace(root);
  const source = registry.sources(namespace).find((one) => one.root === root);
  if (source !== undefined) allowOutsideGit(registry, source);
  return namespace;
}
