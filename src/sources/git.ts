// Reads a repository's files without running git: starting a process costs more than reading the index, and git
// blocks forever on a pipe in place of a file.

import { dirname, join, resolve } from "node:path";

import { realOrSame } from "./confined-path.ts";
import { objectNumbers, parseIndex, parsePathList, type TrackedPaths } from "./git-index.ts";
import {
  hasGitDirectory,
  isGitRefusal,
  isThere,
  locateGit,
  type GitLocation,
  type GitRefusal,
} from "./git-location.ts";
import { objectsProblem, storeProblem } from "./git-store.ts";
import { readInside } from "./guarded-read.ts";

/** A usable repository. */
export interface Repository extends GitLocation {
  /** Top level of the work tree. */
  readonly topLevel: string;
  /** `core.ignorecase`: whether ignore rules match regardless of case. */
  readonly ignoreCase: boolean;
  /** Length of object ids: 20 bytes, or 32 in a SHA-256 repository. */
  readonly objectIdBytes: number;
}

/**
 * The folder from which to search for a repository: a source, or a folder for which its owner has allowed
 * nothing.
 */
export interface GitSource {
  /** Real path. */
  readonly root: string;
  /** Real path of a git directory outside the work tree that the owner has allowed. */
  readonly outsideGit?: string | undefined;
  /** The URL of a clone that svc has fetched: it has one branch, and no tags. */
  readonly url?: string | undefined;
}

const MAX_INDEX_BYTES = 1 << 28;
const MAX_SMALL_FILE_BYTES = 1 << 20;

/** Returns the nearest directory at or above `directory` with a git directory, wherever that is. */
export function gitTopLevel(directory: string): string | undefined {
  return ancestors(directory).find(hasGitDirectory);
}

/** Returns the repository that contains a source; undefined if there is no usable one. */
export function repositoryAbove(source: GitSource): Repository | undefined {
  const found = findAbove(source);
  return found === undefined || "detail" in found ? undefined : found;
}

/** The same, also if some of its objects are outside: then only its own small files may be read, and git not started. */
export function repositoryFilesAbove(source: GitSource): Repository | undefined {
  const found = findAbove(source, () => undefined);
  return found === undefined || "detail" in found ? undefined : found;
}

/** Why the repository that contains a source is not used; undefined if there is none or it is usable. */
export function repositoryProblem(source: GitSource): GitRefusal | undefined {
  const found = findAbove(source);
  if (found === undefined) return undefined;
  return "detail" in found ? found : storeProblem(found);
}

/**
 * Returns the repository whose top level is `directory`. `within` are the folders that may contain its git
 * directory: `directory` by default.
 */
export function repositoryAt(
  directory: string,
  within: readonly string[] = [realOrSame(directory)],
): Repository | undefined {
  const found = findAt(directory, { within, check: objectsProblem });
  return found === undefined || "detail" in found ? undefined : found;
}

/** A refused `.git` hides the repository above it, as a usable one does. */
function findAbove(
  { root, outsideGit }: GitSource,
  check = objectsProblem,
): Repository | GitRefusal | undefined {
  for (const at of ancestors(root)) {
    if (!isThere(join(at, ".git"))) continue;
    const found = findAt(at, { within: [realOrSame(at)], outsideGit, check });
    if (found !== undefined) return found;
  }
  return undefined;
}

function findAt(
  topLevel: string,
  {
    within,
    outsideGit,
    check,
  }: {
    readonly within: readonly string[];
    readonly outsideGit?: string | undefined;
    readonly check: (place: GitLocation) => GitRefusal | undefined;
  },
): Repository | GitRefusal | undefined {
  const place = locateGit(topLevel, within, outsideGit);
  if (place === undefined || isGitRefusal(place)) return place;
  const problem = check(place);
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

/** The directory and its ancestors, the nearest first. */
function ancestors(directory: string): readonly string[] {
  const all = [resolve(directory)];
  for (let at = resolve(directory); dirname(at) !== at; at = dirname(at)) all.push(dirname(at));
  return all;
}

/** Returns the paths that git tracks, relative to the top level. Undefined if the index is unreadable. */
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
    // The index is truncated or in a foreign format; git would reject it too.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Returns a number for the content of each tracked file of a clean work tree, equal on every machine: the first 48 bits of
 * its blob's id. Undefined if the index is unreadable or split.
 */
export function trackedObjects(repository: Repository): ReadonlyMap<string, number> | undefined {
  const { gitDirectory, within, objectIdBytes } = repository;
  const bytes = readInside(within, join(gitDirectory, "index"), MAX_INDEX_BYTES);
  try {
    return bytes && objectNumbers(bytes, objectIdBytes);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
