// Reads what a repository says about its work tree without running git: a spawn costs more than reading the index, and
// git waits for ever where a pipe lies in the place of a file.

import { dirname, join, resolve } from "node:path";

import { realOrSame } from "./confined-path.ts";
import { parseIndex, parsePathList, type TrackedPaths } from "./git-index.ts";
import {
  hasGitDirectory,
  isRefusal,
  isThere,
  locateGit,
  type GitLocation,
  type GitRefusal,
} from "./git-location.ts";
import { objectsProblem, storeProblem } from "./git-store.ts";
import { readInside } from "./guarded-read.ts";

export interface Repository extends GitLocation {
  /** Top level of the work tree. */
  readonly topLevel: string;
  /** `core.ignorecase`: ignore rules match without regard to case. */
  readonly ignoreCase: boolean;
  /** 20, or 32 in a SHA-256 repository. */
  readonly objectIdBytes: number;
}

/** What a repository is looked for from: a source, or a folder without anything that an owner allowed. */
export interface GitSource {
  /** Real path. */
  readonly root: string;
  /** Real path of a git directory outside of the work tree that the owner allowed. */
  readonly outsideGit?: string | undefined;
}

const MAX_INDEX_BYTES = 1 << 28;
const MAX_SMALL_FILE_BYTES = 1 << 20;

/** The nearest directory at or above `directory` with a git directory, wherever that lies. */
export function gitTopLevel(directory: string): string | undefined {
  return ancestors(directory).find(hasGitDirectory);
}

/** The repository that a source belongs to; undefined where there is none that may be used. */
export function repositoryAbove(source: GitSource): Repository | undefined {
  const found = findAbove(source);
  return found === undefined || "detail" in found ? undefined : found;
}

/** Why the repository that a source belongs to is not used; undefined where there is none, or nothing is wrong. */
export function repositoryProblem(source: GitSource): GitRefusal | undefined {
  const found = findAbove(source);
  if (found === undefined) return undefined;
  return "detail" in found ? found : storeProblem(found);
}

/** The repository whose top level is `directory`, in the folders that it may lie in: its own by default. */
export function repositoryAt(
  directory: string,
  within: readonly string[] = [realOrSame(directory)],
): Repository | undefined {
  const found = findAt(directory, within);
  return found === undefined || "detail" in found ? undefined : found;
}

/** A `.git` that is refused hides the repository above it, as one that is taken does. */
function findAbove({ root, outsideGit }: GitSource): Repository | GitRefusal | undefined {
  for (const at of ancestors(root)) {
    if (!isThere(join(at, ".git"))) continue;
    const found = findAt(at, [realOrSame(at)], outsideGit);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findAt(
  topLevel: string,
  within: readonly string[],
  outsideGit?: string,
): Repository | GitRefusal | undefined {
  const place = locateGit(topLevel, within, outsideGit);
  if (place === undefined || isRefusal(place)) return place;
  const problem = objectsProblem(place);
  if (problem !== undefined) return problem;
  const path = join(place.commonDirectory, "config");
  const config = readInside(place.within, path, MAX_SMALL_FILE_BYTES)?.toString("latin1") ?? "";
  return {
    ...place,
    topLevel,
    ignoreCase: /^[ \t]*ignorecase[ \t]*(?:=[ \t]*(?:true|yes|on|1)\b|$)/im.test(config),
    objectIdBytes: /^[ \t]*objectformat[ \t]*=[ \t]*sha256\b/im.test(config) ? 32 : 20,
  };
}

/** The directory and those above it, the nearest first. */
function ancestors(directory: string): readonly string[] {
  const all = [resolve(directory)];
  for (let at = resolve(directory); dirname(at) !== at; at = dirname(at)) all.push(dirname(at));
  return all;
}

/** What git tracks, by path from the top level. Undefined when the index is unreadable. */
export function trackedPaths(repository: Repository): TrackedPaths | undefined {
  const { gitDirectory, within, objectIdBytes } = repository;
  const read = (name: string): Buffer | undefined =>
    readInside(within, join(gitDirectory, name), MAX_INDEX_BYTES);
  const bytes = read("index");
  if (bytes === undefined) {
    return isThere(join(gitDirectory, "index")) ? undefined : parsePathList(Buffer.alloc(0));
  }
  try {
    return parseIndex(bytes, objectIdBytes, (id) => read(`sharedindex.${id}`));
  } catch (error) {
    // A truncated or foreign index: git would refuse it as well.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
