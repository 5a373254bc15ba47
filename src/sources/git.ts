// Reads what a repository says about its work tree without running git where that is possible: a
// spawn costs more than reading the index, and git runs what a repository's configuration names.

import { execFileSync } from "node:child_process";
import { lstatSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";

import { readRegularFile } from "../base/files.ts";

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

/**
 * Paths of the files git tracks at or below `root`, relative to it, with `/`; submodules are in it
 * by their folder. Undefined when `root` is in no repository or its index cannot be read.
 */
export function trackedFiles(root: string): Set<string> | undefined {
  const repository = repositoryAbove(root);
  if (repository === undefined) return undefined;
  const paths = trackedPaths(repository);
  const below = resolve(root).slice(repository.topLevel.length).split(sep).join("/");
  const prefix = below.replace(/^\//, "");
  if (paths === undefined || prefix === "") return paths;
  const inside = [...paths].filter((path) => path.startsWith(`${prefix}/`));
  return new Set(inside.map((path) => path.slice(prefix.length + 1)));
}

/** All tracked paths of a repository, relative to its top level. Undefined when the index is unreadable. */
export function trackedPaths(repository: Repository): Set<string> | undefined {
  const indexPath = join(repository.gitDirectory, "index");
  const bytes = readRegularFile(indexPath, INDEX_LIMIT_BYTES);
  if (bytes === undefined) return isAbsent(indexPath) ? new Set() : undefined;
  try {
    return readIndex(bytes, repository.objectIdBytes) ?? listWithGit(repository);
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

function readText(path: string): string | undefined {
  return readRegularFile(path, SMALL_FILE_LIMIT_BYTES)?.toString();
}

/** What may not be looked at counts as absent: nothing can be read from it. */
function isAbsent(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return true;
  }
}

// The index (gitformat-index): "DIRC", version, count; then entries sorted by path:
//   40 bytes of stat | object id | flags (2) | extended flags (2, version 3 and 4, if flagged) | path
// Versions 2 and 3 end the path with 1 to 8 NULs, so that entries are multiples of 8 bytes long.
// Version 4 cuts a number of bytes off the previous path, appends what follows, ends with one NUL.
// Extensions follow: a name of 4 letters, a length, the data. The object id of the whole file ends it.
const STAT_BYTES = 40;
const FLAG_EXTENDED = 0x4000;
/** The low bits of the flags: the length of the path, or this value when it is longer. */
const LENGTH_MASK = 0xfff;
/** Bounds what a made-up version 4 index can unfold to; no system opens longer paths. */
const PATH_LIMIT_BYTES = 1 << 15;

/** Undefined for a form this reader leaves to git: a split index or an unknown version. */
function readIndex(bytes: Buffer, objectIdBytes: number): Set<string> | undefined {
  const version = bytes.readUInt32BE(4);
  if (bytes.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 4) return undefined;
  const paths = new Set<string>();
  let previous = Buffer.alloc(0);
  let at = 12;
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const flagsAt = at + STAT_BYTES + objectIdBytes;
    const flags = bytes.readUInt16BE(flagsAt);
    let pathAt = flagsAt + ((flags & FLAG_EXTENDED) === 0 ? 2 : 4);
    if (version === 4) {
      const cut = readOffset(bytes, pathAt);
      pathAt = cut.next;
      const end = endOfPath(bytes, pathAt);
      const kept = previous.subarray(0, Math.max(0, previous.length - cut.value));
      previous = Buffer.concat([kept, bytes.subarray(pathAt, end)]);
      if (previous.length > PATH_LIMIT_BYTES) throw new RangeError("A path is too long.");
      paths.add(previous.toString());
      at = end + 1;
    } else {
      const length = flags & LENGTH_MASK;
      const end = length < LENGTH_MASK ? pathAt + length : endOfPath(bytes, pathAt);
      paths.add(bytes.toString("utf8", pathAt, end));
      at += (end - at + 8) & ~7;
    }
  }
  return hasExtension(bytes, at, bytes.length - objectIdBytes, "link") ? undefined : paths;
}

function endOfPath(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(0, from);
  if (end === -1) throw new RangeError("The git index ends within a path.");
  return end;
}

/** The variable-length number of pack offsets: each further byte adds one before it is shifted in. */
function readOffset(bytes: Buffer, start: number): { value: number; next: number } {
  let next = start;
  let byte = bytes.readUInt8(next++);
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = bytes.readUInt8(next++);
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next };
}

function hasExtension(bytes: Buffer, from: number, end: number, name: string): boolean {
  for (let at = from; at + 8 <= end; at += 8 + bytes.readUInt32BE(at + 4)) {
    if (bytes.toString("latin1", at, at + 4) === name) return true;
  }
  return false;
}

/** Asks git itself, with everything turned off that could run a program of the repository's choice. */
function listWithGit({ topLevel, gitDirectory }: Repository): Set<string> | undefined {
  const off = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
  const where = [`--git-dir=${gitDirectory}`, `--work-tree=${topLevel}`];
  try {
    const output = execFileSync("git", [...off, ...where, "ls-files", "-z"], {
      cwd: topLevel,
      encoding: "utf8",
      maxBuffer: INDEX_LIMIT_BYTES,
      timeout: GIT_TIMEOUT_MS,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return new Set(output.split("\0").filter((path) => path !== ""));
  } catch {
    // Without git the ignore rules alone decide, as in a folder that is no repository.
    return undefined;
  }
}
