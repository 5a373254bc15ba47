import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  type Stats,
} from "node:fs";
import { dirname, isAbsolute, relative, resolve } from "node:path";

import { SvcError } from "../base/errors.ts";
import { SAFE_READ, writeFileAtomic } from "../base/files.ts";

/** The file as it was when it was read. */
export interface ConfigFile {
  /** Where it lies, after links. */
  readonly target: string;
  readonly bytes: Uint8Array;
  /** Undefined where there is no file. */
  readonly stats: Stats | undefined;
}

/** As many links as Linux itself follows before it gives up. */
const MAX_LINKS = 40;
/** Claude Code keeps the history of all projects in its file. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Somebody else wrote the file between the reading and the writing of it. */
export class ConcurrentChangeError extends Error {}

/**
 * Reads the file through its links, as managers of dotfiles set them. `below`: a folder that links may not lead out
 * of. Throws CLIENT_CONFIG for what is no plain file that can be read.
 */
export function readConfigFile(path: string, below?: string): ConfigFile {
  try {
    const target = followLinks(path);
    if (below !== undefined) requireInside(below, target, path);
    const stats = statSync(target, { throwIfNoEntry: false });
    return { target, bytes: stats === undefined ? new Uint8Array() : readPlain(target), stats };
  } catch (thrown) {
    throw thrown instanceof SvcError ? thrown : unreadable(path, thrown);
  }
}

function readPlain(target: string): Uint8Array {
  const file = openSync(target, SAFE_READ);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw refused(target, "is not a plain file", "Put a file in its place.");
    if (stats.size > MAX_BYTES)
      throw refused(target, "is larger than 256 MiB", "Look what is in it.");
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Replaces the content with one rename; mode and owner stay. What was there before is kept beside it, in the file
 * whose path is returned; a new file gets `modeOfNew`. Throws CLIENT_CONFIG where it may not be written and `ConcurrentChangeError`; nothing is
 * changed then.
 */
export function writeConfigFile(
  file: ConfigFile,
  text: string,
  modeOfNew: number,
): string | undefined {
  const { target, bytes, stats } = file;
  requireWritable(file);
  const beforeRename = (): void => {
    if (!isUnchanged(file)) throw new ConcurrentChangeError(target);
  };
  const mode = stats === undefined ? modeOfNew : stats.mode & 0o7777;
  const owner = stats === undefined ? undefined : { uid: stats.uid, gid: stats.gid };
  try {
    if (stats === undefined) mkdirSync(dirname(target), { recursive: true });
    const backup = stats === undefined ? undefined : `${target}.svc-backup`;
    if (backup !== undefined) writeFileAtomic(backup, bytes, { mode, owner, beforeRename });
    writeFileAtomic(target, text, { mode, owner, beforeRename });
    return backup;
  } catch (thrown) {
    if (thrown instanceof ConcurrentChangeError) throw thrown;
    throw unwritable(target, thrown);
  }
}

function isUnchanged({ target, bytes, stats }: ConfigFile): boolean {
  if (!existsSync(target)) return stats === undefined;
  return stats !== undefined && readFileSync(target).equals(bytes);
}

/** Also for a link that leads to a file which is still to be made. */
function followLinks(path: string): string {
  let target = path;
  for (let links = 0; links < MAX_LINKS; links++) {
    const stats = lstatSync(target, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink() !== true) return target;
    target = resolve(dirname(target), readlinkSync(target));
  }
  throw refused(path, "is a link that leads to itself", "Remove it.");
}

/** A project that somebody else wrote must not choose what is written outside of it. */
function requireInside(root: string, target: string, path: string): void {
  let place = target;
  while (!existsSync(place)) place = dirname(place);
  const way = relative(realpathSync(root), realpathSync(place));
  if (way === "" || !(way.split(/[\\/]/)[0] === ".." || isAbsolute(way))) return;
  throw refused(path, "is a link that leads out of the project", "Put a file in its place.");
}

/** Throws CLIENT_CONFIG for a file that is locked, or is another user's. */
export function requireWritable({ target, stats }: ConfigFile): void {
  if (stats === undefined) return;
  // A rename asks the folder only: it would replace a file that its owner locked.
  if ((stats.mode & 0o222) === 0) throw refused(target, "is read-only", "Make it writable first.");
  const folder = statSync(dirname(target));
  if (process.platform !== "win32" && (folder.mode & 0o222) === 0) {
    throw refused(dirname(target), "is read-only", "Make it writable first.");
  }
  const user = process.getuid?.();
  if (user !== undefined && user !== 0 && stats.uid !== user) {
    throw refused(target, "belongs to another user", "Run svc as that user.");
  }
}

function refused(path: string, what: string, hint: string): SvcError {
  return new SvcError("CLIENT_CONFIG", `${path} ${what}.`, {
    hint: `${hint} Nothing was changed.`,
  });
}

function unreadable(path: string, cause: unknown): SvcError {
  return new SvcError("CLIENT_CONFIG", `${path} cannot be read (${codeOf(cause)}).`, {
    hint: "Check who owns it and its folders.",
    cause,
  });
}

function unwritable(path: string, cause: unknown): SvcError {
  return new SvcError("CLIENT_CONFIG", `${path} cannot be written (${codeOf(cause)}).`, {
    hint: "Check who owns it and its folder, and that the disk has room. It is as it was.",
    cause,
  });
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown";
}
