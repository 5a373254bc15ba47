// Where the git directory of a work tree lies, and whether it may be used. A `.git` is part of the tree, so the author
// of the tree chose where it leads: a file `gitdir: PATH`, a link, a `commondir`. What it leads to has to lie in the
// folders that are the tree's own. The exception is a git directory that records the work tree in its turn, as git
// writes it for linked worktrees and submodules, and that the owner allowed: the author of a tree can write neither.

import { lstatSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

import { SvcError } from "../base/errors.ts";
import { pathFromBytes, toFilePath } from "../base/path-bytes.ts";
import { resolveWithin, realPath } from "./confined-path.ts";
import { readInside } from "./guarded-read.ts";

/** A git directory that may be used. All paths are real. */
export interface GitLocation {
  /** Holds HEAD and the index. */
  readonly gitDirectory: string;
  /** Holds objects, refs and the configuration; differs from gitDirectory in a linked worktree. */
  readonly commonDirectory: string;
  /** Folders that everything of the repository has to lie in. */
  readonly within: readonly string[];
}

/** Why a `.git` that is there is not used. It names no place outside, so that it shows nothing of what is there. */
export interface GitRefusal {
  readonly detail: string;
  readonly hint: string;
}

const LIMIT_BYTES = 1 << 20;

const LEADS_OUT: GitRefusal = {
  detail: "The .git of this folder leads to a git directory outside of it, which is not used.",
  hint: "If the folder is a linked worktree or a submodule of yours, run `svc index DIR` at the shell to allow it; else keep the git directory in the folder.",
};

/**
 * The git directory of the work tree at `topLevel`; undefined where there is none. `within` are real paths of the
 * folders that it may lie in, `allowed` is the real path of one elsewhere that the owner allowed.
 */
export function locateGit(
  topLevel: string,
  within: readonly string[],
  allowed?: string,
): GitLocation | GitRefusal | undefined {
  const named = namedGitDirectory(topLevel);
  if (named === undefined) return undefined;
  const place = resolveWithin(within, named);
  if (place === "missing") return undefined;
  if (place === "outside") {
    if (allowed === undefined || realOf(named) !== allowed) return LEADS_OUT;
    return placeOfLinked(topLevel, allowed) ?? LEADS_OUT;
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

/** The real path of the git directory outside of a work tree that records it; undefined where there is none. */
export function linkedGitDirectory(topLevel: string): string | undefined {
  const named = namedGitDirectory(topLevel);
  const gitDirectory = named === undefined ? undefined : realOf(named);
  if (gitDirectory === undefined || resolveWithin([topLevel], gitDirectory) !== "outside")
    return undefined;
  return placeOfLinked(topLevel, gitDirectory) === undefined ? undefined : gitDirectory;
}

export function isRefusal(found: GitLocation | GitRefusal | undefined): found is GitRefusal {
  return found !== undefined && "detail" in found;
}

/** Whether a directory is the top level of a work tree, wherever its git directory lies. */
export function hasGitDirectory(directory: string): boolean {
  const named = namedGitDirectory(directory);
  return named !== undefined && isThere(join(named, "HEAD"));
}

/** As the error of a question that needs the repository. */
export function refused({ detail, hint }: GitRefusal): SvcError {
  return new SvcError("INVALID_PARAMS", detail, { hint });
}

/** Whether something of this name is there; what may not be seen counts as absent: nothing can be read from it. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(toFilePath(path), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** What `.git` stands for, wherever that leads; undefined without a `.git`. */
function namedGitDirectory(topLevel: string): string | undefined {
  const dotGit = join(topLevel, ".git");
  if (!isThere(dotGit)) return undefined;
  const pointer = textIn([topLevel], dotGit)?.match(/^gitdir: (.+)$/)?.[1];
  return pointer === undefined ? dotGit : resolve(topLevel, pointer);
}

/**
 * A git directory elsewhere, when it is in the form that git gives it and records this work tree: that of a linked
 * worktree lies in `worktrees/` of its common directory and names the `.git` file, that of a submodule names the
 * work tree in its configuration.
 */
function placeOfLinked(topLevel: string, gitDirectory: string): GitLocation | undefined {
  if (!isThere(join(gitDirectory, "HEAD"))) return undefined;
  const read = (name: string): string | undefined =>
    textIn([gitDirectory], join(gitDirectory, name));
  const realFrom = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : realOf(resolve(gitDirectory, path));
  let commonDirectory = gitDirectory;
  if (isThere(join(gitDirectory, "commondir"))) {
    commonDirectory = dirname(dirname(gitDirectory));
    const isInPlace = basename(dirname(gitDirectory)) === "worktrees";
    if (!isInPlace || realFrom(read("commondir")) !== commonDirectory) return undefined;
    const back = resolve(gitDirectory, read("gitdir") ?? "");
    if (basename(back) !== ".git" || realOf(dirname(back)) !== topLevel) return undefined;
  } else {
    const worktree = /^[ \t]*worktree[ \t]*=[ \t]*(.+?)[ \t]*$/m.exec(read("config") ?? "")?.[1];
    if (realFrom(worktree) !== topLevel) return undefined;
  }
  return { gitDirectory, commonDirectory, within: [topLevel, commonDirectory] };
}

/** Text that is or holds a path, so that its bytes are kept; without the end of its last line. */
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
