// Reads what a repository says about its work tree without running git where that is possible: a
// spawn costs more than reading the index, and git runs what a repository's configuration names.

import { execFileSync } from "node:child_process";
import { lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import { readRegularFile } from "../base/files.ts";
import { pathFromBytes, toFilePath } from "../base/path-bytes.ts";
import { makeGitDirectory, OFF, type GitDirectory } from "./git-directory.ts";
import { parseIndex, parsePathList, type TrackedPaths } from "./git-index.ts";

export interface Repository {
  /** Top level of the work tree. */
  readonly topLevel: string;
  /** Holds the index; of a linked work tree or a submodule its own directory. */
  readonly gitDirectory: string;
  /** Holds `info/exclude` and the configuration; differs from gitDirectory in a linked work tree. */
  readonly commonDirectory: string;
  /** `core.ignorecase`: ignore rules match without regard to case. */
  readonly ignoreCase: boolean;
  /** 20, or 32 in a SHA-256 repository. */
  readonly objectIdBytes: number;
}

const INDEX_LIMIT_BYTES = 1 << 28;
const SMALL_FILE_LIMIT_BYTES = 1 << 20;
const GIT_TIMEOUT_MS = 20_000;

/** The nearest directory at or above `directory` that is the top level of a work tree. */
export function gitTopLevel(directory: string): string | undefined {
  return repositoryAbove(directory)?.topLevel;
}

/** The repository that `directory` belongs to. */
export function repositoryAbove(directory: string): Repository | undefined {
  for (let at = resolve(directory); ; at = dirname(at)) {
    const repository = repositoryAt(at);
    if (repository !== undefined) return repository;
    if (dirname(at) === at) return undefined;
  }
}

/** The repository whose top level is `directory`; undefined when it has no valid `.git`. */
export function repositoryAt(directory: string): Repository | undefined {
  const gitDirectory = gitDirectoryOf(directory);
  if (gitDirectory === undefined) return undefined;
  const common = readText(join(gitDirectory, "commondir"))?.trim();
  const commonDirectory = common === undefined ? gitDirectory : resolve(gitDirectory, common);
  const config = readText(join(commonDirectory, "config")) ?? "";
  return {
    topLevel: directory,
    gitDirectory,
    commonDirectory,
    ignoreCase: /^[ \t]*ignorecase[ \t]*(?:=[ \t]*(?:true|yes|on|1)\b|$)/im.test(config),
    objectIdBytes: /^[ \t]*objectformat[ \t]*=[ \t]*sha256\b/im.test(config) ? 32 : 20,
  };
}

/** What git tracks, by path from the top level. Undefined when the index is unreadable. */
export function trackedPaths(repository: Repository): TrackedPaths | undefined {
  const indexPath = join(repository.gitDirectory, "index");
  const bytes = readRegularFile(toFilePath(indexPath), INDEX_LIMIT_BYTES);
  if (bytes === undefined) return isAbsent(indexPath) ? parsePathList(Buffer.alloc(0)) : undefined;
  try {
    return parseIndex(bytes, repository.objectIdBytes) ?? listWithGit(repository);
  } catch (error) {
    // A truncated or foreign index: git would refuse it as well.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function gitDirectoryOf(directory: string): string | undefined {
  const dotGit = join(directory, ".git");
  if (isAbsent(dotGit)) return undefined;
  // A linked work tree or a submodule has a file that says where its directory is.
  const pointer = readText(dotGit)?.match(/^gitdir: (.+?)\r?\n?$/)?.[1];
  const gitDirectory = pointer === undefined ? dotGit : resolve(directory, pointer);
  return isAbsent(join(gitDirectory, "HEAD")) ? undefined : gitDirectory;
}

/** Text that is or holds a path, so that its bytes are kept. */
function readText(path: string): string | undefined {
  const bytes = readRegularFile(toFilePath(path), SMALL_FILE_LIMIT_BYTES);
  return bytes && pathFromBytes(bytes);
}

/** What may not be looked at counts as absent: nothing can be read from it. */
function isAbsent(path: string): boolean {
  try {
    return lstatSync(toFilePath(path), { throwIfNoEntry: false }) === undefined;
  } catch {
    return true;
  }
}

/** Asks git itself, in a directory of svc's own: what the repository configures is not even read. */
function listWithGit(repository: Repository): TrackedPaths | undefined {
  let directory: GitDirectory | undefined;
  try {
    directory = makeGitDirectory(repository);
    const output = execFileSync("git", [...OFF, "ls-files", "-z"], {
      cwd: directory.path,
      env: directory.environment,
      maxBuffer: INDEX_LIMIT_BYTES,
      timeout: GIT_TIMEOUT_MS,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return parsePathList(output);
  } catch {
    // Without git the ignore rules alone decide, as in a folder that is no repository.
    return undefined;
  } finally {
    directory?.remove();
  }
}
