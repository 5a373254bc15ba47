// The name of a repository, by which two machines recognise that they have the same one: host and path of its address.

import { join } from "node:path";

import { linkedGitDirectory } from "./git-location.ts";
import { gitTopLevel, repositoryAbove, type GitSource, type Repository } from "./git.ts";
import { addressOf } from "./git-url.ts";
import { readInside } from "./guarded-read.ts";

const MAX_CONFIG_BYTES = 1 << 20;
/** A fork has the team's repository as `upstream`. */
const FIRST_REMOTES = ["origin", "upstream"];

/**
 * Returns the name of the repository at an address, such as `github.com/owner/project`: equal for https and ssh, with and
 * without a user, a port or `.git`. Contains no secret. Undefined if the text is not an address.
 */
export function repositoryName(url: string): string | undefined {
  const address = addressOf(url);
  if (address === undefined) return undefined;
  const path = address.path
    .replace(/^\/+/, "")
    .replace(/\/+$/, "")
    .replace(/\.git$/i, "");
  return path === "" ? undefined : `${address.host}/${path}`.toLowerCase();
}

/** Returns the names of the remotes of the repository that contains a source: `origin`, `upstream`, then the others. */
export function remoteNames(source: GitSource): readonly string[] {
  const repository = repositoryAbove(source);
  return repository === undefined ? [] : remotesIn(remoteUrls(repository));
}

/** A remote in the configuration of a repository. */
interface Remote {
  readonly remote: string;
  readonly url: string;
}

/** Returns the addresses of all remotes of a repository, in the order of its configuration. */
export function remoteUrls({
  within,
  commonDirectory,
}: Pick<Repository, "within" | "commonDirectory">): readonly Remote[] {
  const config = readInside(within, join(commonDirectory, "config"), MAX_CONFIG_BYTES);
  const found: Remote[] = [];
  let remote: string | undefined;
  for (const line of (config?.toString("utf8") ?? "").split("\n")) {
    const section = /^\s*\[(?<head>[^\]]*)\]/.exec(line)?.groups?.["head"];
    if (section !== undefined) remote = /^remote\s+"(?<name>.*)"$/i.exec(section)?.groups?.["name"];
    const url = /^\s*url\s*=\s*"?(?<url>[^"\s]+)"?\s*$/i.exec(line)?.groups?.["url"];
    if (remote !== undefined && url !== undefined) found.push({ remote, url });
  }
  return found;
}

/** Does the same for a folder that the user named: its git directory may be outside if it records the folder. */
export function workspaceRemoteNames(root: string): readonly string[] {
  const topLevel = gitTopLevel(root);
  if (topLevel === undefined) return [];
  return remoteNames({ root: topLevel, outsideGit: linkedGitDirectory(topLevel) });
}

function remotesIn(remotes: readonly Remote[]): readonly string[] {
  const names = new Map<string, string>();
  for (const { remote, url } of remotes) {
    const name = repositoryName(url);
    if (name !== undefined && !names.has(remote)) names.set(remote, name);
  }
  const ordered = [...names].toSorted(([a], [b]) => rankOf(a) - rankOf(b));
  return [...new Set(ordered.map(([, name]) => name))];
}

function rankOf(remote: string): number {
  const at = FIRST_REMOTES.indexOf(remote);
  return at === -1 ? FIRST_REMOTES.length : at;
}
