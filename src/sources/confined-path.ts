import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
  type BigIntStats,
} from "node:fs";
import { basename, dirname, isAbsolute, join, parse, resolve, sep } from "node:path";

import { SAFE_READ } from "../base/files.ts";
import { SvcError } from "../base/errors.ts";
import { closestWord } from "../base/closest-word.ts";
import { pathFromBytes, toFilePath } from "../base/path-bytes.ts";

/** The number of links that Linux follows before it gives up. */
const MAX_LINKS = 40;
const WINDOWS_ABSOLUTE = /^(?:[A-Za-z]:[\\/]|\\)/;

/**
 * Returns the real absolute path of an existing entry of a source. `path` is relative to `root`, or absolute
 * and inside it. Throws PATH_OUTSIDE_SOURCE for a path that leads out, whether or not it exists, and
 * PATH_NOT_FOUND for a path inside that does not exist. Percent signs are ordinary characters.
 */
export function resolveInside(root: string, path: string): string {
  return locate(requireFolder(root), path, root);
}

/**
 * Opens a regular file of a source for reading and returns its descriptor. Checks the location again after
 * opening, so that a link created between check and open cannot lead out. `realRoot` is the root's real path,
 * and `name` another name of the root that `path` may begin with. Throws as `resolveInside` does.
 */
export function openBelow(realRoot: string, path: string, name = realRoot): number {
  const target = locate(realRoot, path, name);
  let file: number;
  try {
    file = openSync(toFilePath(target), SAFE_READ);
  } catch (cause) {
    // The checked target has no links, so this link was created afterwards.
    if (codeOf(cause) === "ELOOP") throw outside(path);
    throw notFound(path, cause);
  }
  try {
    const stat = fstatSync(file, { bigint: true });
    if (!isInside(realRoot, openedPath(file, target, stat))) throw outside(path);
    if (!stat.isFile()) throw notFound(path);
    return file;
  } catch (error) {
    closeSync(file);
    throw error instanceof SvcError ? error : notFound(path, error);
  }
}

/** True for the file system's root and the home directory, which are never indexed. */
export function isForbiddenRoot(path: string, home: string): boolean {
  const real = realOrSame(path);
  return real === parse(real).root || real === realOrSame(home);
}

/** What an error says of a path that `isForbiddenRoot` refuses. */
export function tooWide(path: string): string {
  const what = parse(path).root === path ? "the root of the file system" : "a home directory";
  return `${path} is ${what}, which svc does not index as a whole`;
}

/**
 * Returns the real absolute path of a directory that exists and can be listed. Otherwise throws PATH_NOT_FOUND
 * with a hint that begins with the result of `hintOf`.
 */
export function requireFolder(path: string, hintOf = noHint): string {
  try {
    const real = realPath(path);
    if (statSync(toFilePath(real)).isDirectory()) {
      accessSync(toFilePath(real), constants.R_OK | constants.X_OK);
      return real;
    }
  } catch (cause) {
    throw new SvcError("PATH_NOT_FOUND", `"${path}" does not exist or cannot be read.`, {
      hint: `${hintOf(path)}Name an existing directory that you may read.`,
      cause,
    });
  }
  throw new SvcError("PATH_NOT_FOUND", `"${path}" is not a directory.`, {
    hint: "Choose the directory that contains it.",
  });
}

function noHint(_path: string): string {
  return "";
}

/**
 * Suggests the directory whose name is closest to a missing one; "" if there is none. Only for callers that may
 * know every name on this machine.
 */
export function siblingHint(path: string): string {
  const missing = resolve(path);
  try {
    const siblings = readdirSync(toFilePath(dirname(missing)), { withFileTypes: true });
    const folders = siblings.filter((one) => one.isDirectory()).map(({ name }) => name);
    const near = closestWord(basename(missing), folders);
    // If it exists under this exact name, it is unreadable, and another name does not help.
    if (near === undefined || near === basename(missing)) return "";
    return `Did you mean "${join(dirname(path), near)}"? `;
  } catch {
    return "";
  }
}

/**
 * Returns the real absolute path of a directory that is one of these or below one. Throws `refusal`, by default
 * FORBIDDEN, for any other path, whether or not it exists, and PATH_NOT_FOUND for a missing path below one.
 */
export function requireBelow(roots: readonly string[], path: string, refusal?: SvcError): string {
  const wanted = resolve(path);
  let problem =
    refusal ??
    new SvcError("FORBIDDEN", "This server does not index that folder.", {
      hint: "It indexes only existing sources and the folders below them.",
    });
  for (const root of roots) {
    try {
      const real = requireFolder(resolveInside(root, wanted));
      if (isInside(realOrSame(root), real)) return real;
    } catch (thrown) {
      const isMissing = thrown instanceof SvcError && thrown.code === "PATH_NOT_FOUND";
      // A missing root says nothing about this folder.
      if (isMissing && isInside(realOrSame(root), wanted)) problem = thrown;
    }
  }
  throw problem;
}

function locate(realRoot: string, path: string, name: string): string {
  if (path.includes("\0") || path.split(/[\\/]/).includes("..")) throw outside(path);
  if (!isAbsolute(path) && WINDOWS_ABSOLUTE.test(path)) throw outside(path);
  let candidate = join(realRoot, path);
  if (isAbsolute(path)) {
    // The caller may use a name of the root that is a link.
    const absolute = withUpperDrive(resolve(path));
    const from = [withUpperDrive(resolve(name)), realRoot].find((at) => isInside(at, absolute));
    if (from === undefined) throw outside(path);
    candidate = join(realRoot, absolute.slice(from.length));
  }
  const target = followLinks(candidate, realRoot, MAX_LINKS);
  if (target === "outside") throw outside(path);
  if (target === "missing") throw notFound(path, failureOf(candidate));
  return target.real;
}

/** The error of the file system for a path; undefined if it has an entry by now. */
function failureOf(path: string): unknown {
  try {
    realPath(path);
    return undefined;
  } catch (cause) {
    return cause;
  }
}

/**
 * Resolves a path that a file of a tree contains. Returns its real path if it is in one of these folders,
 * "missing" if it would be in one but does not exist, otherwise "outside", whether or not it exists. The
 * folders are real paths.
 */
export function resolveWithin(
  folders: readonly string[],
  path: string,
): { readonly real: string } | "outside" | "missing" {
  let isMissing = false;
  for (const folder of folders) {
    const place = followLinks(path, folder, MAX_LINKS);
    if (typeof place !== "string") return place;
    if (place === "missing") isMissing = true;
  }
  return isMissing ? "missing" : "outside";
}

/**
 * Follows links while they stay inside. Returns "outside" also for a link to a missing place outside, so that
 * the result never reveals what exists there.
 */
function followLinks(
  path: string,
  realRoot: string,
  linksLeft: number,
): { real: string } | "outside" | "missing" {
  try {
    const real = realPath(path);
    return isInside(realRoot, real) ? { real } : "outside";
  } catch {
    // A component is missing or refused. The deepest existing one decides.
  }
  const existing = deepestExisting(path);
  if (existing === undefined || linksLeft === 0) return "missing";
  if (existing.isLink) {
    const parent = realOrSame(dirname(existing.path));
    if (!isInside(realRoot, parent)) return "outside";
    const next = linkTarget(existing.path);
    if (next === undefined) return "missing";
    return followLinks(resolve(parent, next), realRoot, linksLeft - 1) === "outside"
      ? "outside"
      : "missing";
  }
  return isInside(realRoot, realOrSame(existing.path)) ? "missing" : "outside";
}

function linkTarget(path: string): string | undefined {
  try {
    return pathFromBytes(readlinkSync(toFilePath(path), "buffer"));
  } catch {
    // The path is no longer a link, or there is no /proc. If somebody changes the link now, the result is
    // "missing" in any case.
    return undefined;
  }
}

function deepestExisting(path: string): { path: string; isLink: boolean } | undefined {
  for (let at = path; ; at = dirname(at)) {
    try {
      const stat = lstatSync(toFilePath(at), { throwIfNoEntry: false });
      if (stat !== undefined) return { path: at, isLink: stat.isSymbolicLink() };
    } catch {
      // The directory may not be searched, or the name is too long: check its parent.
    }
    if (dirname(at) === at) return undefined;
  }
}

/**
 * Returns the current path of a file that was opened as `target`, or the root of the file system if it cannot
 * be determined.
 */
export function openedPath(file: number, target: string, opened: BigIntStats): string {
  if (process.platform === "linux") {
    const descriptorPath = linkTarget(`/proc/self/fd/${file}`);
    if (descriptorPath !== undefined) return descriptorPath;
  }
  const real = realPath(target);
  const found = statSync(toFilePath(real), { bigint: true });
  return found.ino === opened.ino && found.dev === opened.dev ? real : parse(real).root;
}

/**
 * Returns the real path of an existing entry; throws the file system's error. Only the native realpath preserves the
 * bytes of names on Linux, and returns names as macOS has stored them: it finds `É` in another case and in two spellings.
 * On Windows the native one replaces a network drive by the address of its server, which the user never wrote.
 */
export function realPath(path: string): string {
  if (process.platform === "win32") return withUpperDrive(realpathSync(path));
  return pathFromBytes(realpathSync.native(toFilePath(resolve(path)), "buffer"));
}

/** Editors write `c:` where shells write `C:`; without this, a folder would be indexed under both names. */
export function withUpperDrive(path: string, platform = process.platform): string {
  if (platform !== "win32") return path;
  return path.replace(/^[a-z](?=:)/, (letter) => letter.toUpperCase());
}

/** Whether a path is a folder or is below it; both must be real. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Returns the real path of an existing entry; otherwise the path made absolute. */
export function realOrSame(path: string): string {
  try {
    return realPath(path);
  } catch {
    return resolve(path);
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function outside(path: string): SvcError {
  return new SvcError("PATH_OUTSIDE_SOURCE", `"${path}" leads out of the source.`, {
    hint: "Use a path relative to the source's root, without `..`.",
  });
}

function notFound(path: string, cause?: unknown): SvcError {
  return new SvcError("PATH_NOT_FOUND", `There is no readable file "${path}".`, { cause });
}
