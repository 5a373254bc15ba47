// When the owner names a folder, its git directory may be outside of the folder, if that directory records the folder as
// its worktree or submodule. A caller over HTTP, or with a token for some namespaces, cannot allow this.

import { linkedGitDirectory } from "../../sources/git-location.ts";
import { gitTopLevel } from "../../sources/git.ts";
import type { Source } from "../../sources/registry/records.ts";
import type { Registry } from "../../sources/registry/registry.ts";
import { suggestedNamespace } from "./project-settings.ts";

/** Records the current git directory of the source in the registry. Returns the updated source. */
export async function allowOutsideGit(registry: Registry, source: Source): Promise<Source> {
  // A read-only registry stays unchanged.
  if (registry.obstacle !== undefined) return source;
  const topLevel = gitTopLevel(source.root);
  const outsideGit = topLevel === undefined ? undefined : linkedGitDirectory(topLevel);
  if (outsideGit === source.outsideGit) return source;
  await registry.setOutsideGit(source.id, outsideGit);
  return { ...source, outsideGit };
}

/** The namespace of a workspace, which the user who started the program named. Creates it if needed. */
export async function ensureWorkspace(registry: Registry, root: string): Promise<string> {
  const namespace = await registry.ensureWorkspace(root, suggestedNamespace);
  const sources = (await registry.state()).sources(namespace);
  const source = sources.find((one) => one.root === root);
  if (source !== undefined) await allowOutsideGit(registry, source);
  return namespace;
}
