// Locates the git directory of a work tree and decides whether svc may use it. A `.git` is part of the tree, so
// the tree's author chose its target: a file `gitdir: PATH`, a link, a `commondir`. The target must be inside
// the tree's own folders. The exception is a git directory that in turn records the work tree, as git writes it
// for linked worktrees and submodules, and that the owner has allowed. The author of a tree can write neither.

import { lstatSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

import { SvcError } from "../base/errors.ts";
import { pathFromBytes, toFilePath } from "../base/path-bytes.ts";
import { resolveWithin, realPath } from "./confined-path.ts";
import { readInside } from "./guarded-read.ts";

/** A usable git directory. All paths are real. */
export interface GitLocation {
  /** Contains HEAD and the index. */
  readonly gitDirectory: string;
  /** Contains objects, refs and the configuration; differs from gitDirectory in a linked worktree. */
  readonly commonDirectory: string;
  /** Folders that must contain everything of the repository. */
  readonly within: readonly string[];
}

/** Why an existing `.git` is not used. The text names no outside path, so that it reveals nothing that is there. */
export interface GitRefusal {
  /** What is wrong, as a sentence. */
  readonly detail: string;
  /** How to fix it, as a sentence. */
  readonly hint: string;
}

const LIMIT_BYTES = 1 << 20;

const LEADS_OUT: GitRefusal = {
  detail:
    "The .git of this folder points to a git directory outside the folder, so svc does not use it.",
  hint: "If the folder is a linked worktree or a submodule of yours, run `svc index DIR` in a shell to allow it; otherwise keep the git directory in the folder.",
};

/**
 * Returns the git directory of the work tree at `topLevel`; undefined if there is none. `within` are real paths
 * of the folders that may contain it. `allowed` is the real path of an outside one that the owner has allowed.
 */
export function locateGit(
  topLevel: string,
  within: readonly string[],
  allowed?: string,
): GitLocation | GitRefusal | undefined {
  const named = gitDirectoryNamedBy(topLevel);
  if (named === undefined) return undefined;
  const place = resolveWithin(within, named);
  if (place === "missing") return undefined;
  if (place === "outside") {
    if (allowed === undefined || realOf(named) !== allowed) return LEADS_OUT;
    return linkedLocation(topLevel, allowed) ?? LEADS_OUT;
  }
  const gitDirectory = place.real;
  if (!isThere(join(gitDirectory, "HEAD"))) return undefined;
  const pointer = join(gitDirectory, "commondir");
  if (!isThere(pointer)) return { gitDirectory, commonDirectory: gitDirectory, within };
  const common = textIn(within, pointer);
  const commonPlace =
    common === undefined ? "outside" : resolveWithin(within, resolve(gitDirectory, common));
  if (commonPlace === "outside") return LEADS_OUT;
  if (commonPlace === "missing") return undefined;
  return { gitDirectory, commonDirectory: commonPlace.real, within };
}

/** Returns the real path of an outside git directory that records this work tree; undefined if there is none. */
export function linkedGitDirectory(topLevel: string): string | undefined {
  const named = gitDirectoryNamedBy(topLevel);
  const gitDirectory = named === undefined ? undefined : realOf(named);
  if (gitDirectory === undefined || resolveWithin([topLevel], gitDirectory) !== "outside")
    return undefined;
  return linkedLocation(topLevel, gitDirectory) === undefined ? undefined : gitDirectory;
}

export function isGitRefusal(found: GitLocation | GitRefusal | undefined): found is GitRefusal {
  return found !== undefined && "detail" in found;
}

/** Whether a directory is the top level of a work tree, wherever its git directory is. */
export function hasGitDirectory(directory: string): boolean {
  const named = gitDirectoryNamedBy(directory);
  return named !== undefined && isThere(join(named, "HEAD"));
}

/** The INVALID_PARAMS error for a call that needs the repository. */
export function refused({ detail, hint }: GitRefusal): SvcError {
  return new SvcError("INVALID_PARAMS", detail, { hint });
}

/** Whether an entry of this name exists. One that this process may not see counts as missing: it cannot be read. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(toFilePath(path), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** The path that `.git` refers to, wherever it is; undefined without a `.git`. */
function gitDirectoryNamedBy(topLevel: string): string | undefined {
  const dotGit = join(topLevel, ".git");
  if (!isThere(dotGit)) return undefined;
  const pointer = textIn([topLevel], dotGit)?.match(/^gitdir: (.+)$/)?.[1];
  return pointer === undefined ? dotGit : resolve(topLevel, pointer);
}

/**
 * Returns the location of an outside git directory if it has git's form and records this work tree. That of a
 * linked worktree is in `worktrees/` of its common directory and names the `.git` file. That of a submodule
 * names the work tree in its configuration.
 */
function linkedLocation(topLevel: string, gitDirectory: string): GitLocation | undefined {
  if (!isThere(join(gitDirectory, "HEAD"))) return undefined;
  const read = (name: string): string | undefined =>
    textIn([gitDirectory], join(gitDirectory, name));
  const realFrom = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : realOf(resolve(gitDirectory, path));
  let commonDirectory = gitDirectory;
  if (isThere(join(gitDirectory, "commondir"))) {
    commonDirectory = dirname(dirname(gitDirectory));
    const isInWorktrees = basename(dirname(gitDirectory)) === "worktrees";
    if (!isInWorktrees || realFrom(read("commondir")) !== commonDirectory) return undefined;
    const back = resolve(gitDirectory, read("gitdir") ?? "");
    if (basename(back) !== ".git" || realOf(dirname(back)) !== topLevel) return undefined;
  } else {
    const worktree = /^[ \t]*worktree[ \t]*=[ \t]*(.+?)[ \t]*$/m.exec(read("config") ?? "")?.[1];
    if (realFrom(worktree) !== topLevel) return undefined;
  }
  return { gitDirectory, commonDirectory, within: [topLevel, commonDirectory] };
}

/** Reads text that is or contains a path, preserving its bytes; removes the line end of the last line. */
function textIn(folders: readonly string[], path: string): string | undefined {
  const bytes = readInside(folders, path, LIMIT_BYTES);
  return bytes && pathFromBytes(bytes).replace(/[\r\n]+$/, "");
}

function realOf(path: string): string | undefined {
  try {
    return realPath(path);
  } catch {
    return undefined;
  }
}
