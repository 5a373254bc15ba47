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

/** A configuration file as it was read. */
export interface ConfigFile {
  /** Path of the file after symbolic links. */
  readonly target: string;
  /** Empty when there is no file. */
  readonly bytes: Uint8Array;
  /** Undefined when there is no file. */
  readonly stats: Stats | undefined;
}

/** The number of links that Linux follows before it gives up. */
const MAX_LINKS = 40;
/** Large, because Claude Code keeps the history of all projects in its file. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Another program wrote the file after it was read. */
export class ConcurrentChangeError extends Error {}

/**
 * Reads the file through symbolic links, which managers of dotfiles create. The links must not lead out of `below`.
 * Throws CLIENT_CONFIG unless it is a readable plain file.
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
      throw refused(target, "is larger than 256 MiB", "Check its content.");
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Replaces the content with one rename and keeps mode and owner. A new file gets `modeOfNew`. Returns the path of
 * the backup next to it, which contains the previous content; undefined for a new file. Throws CLIENT_CONFIG when
 * the file cannot be written, and `ConcurrentChangeError`; then nothing is changed.
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

/** Returns the path that the links lead to, even if that file does not exist yet. */
function followLinks(path: string): string {
  let target = path;
  for (let links = 0; links < MAX_LINKS; links++) {
    const stats = lstatSync(target, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink() !== true) return target;
    target = resolve(dirname(target), readlinkSync(target));
  }
  throw refused(path, "is a link that leads to itself", "Remove it.");
}

/** A project written by somebody else must not choose which file outside it is written. */
function requireInside(root: string, target: string, path: string): void {
  let place = target;
  while (!existsSync(place)) place = dirname(place);
  const pathFromRoot = relative(realpathSync(root), realpathSync(place));
  if (pathFromRoot === "" || !(pathFromRoot.split(/[\\/]/)[0] === ".." || isAbsolute(pathFromRoot)))
    return;
  throw refused(path, "is a link that leads out of the project", "Put a file in its place.");
}

/** Throws CLIENT_CONFIG when the file or its folder is read-only, or when the file belongs to another user. */
export function requireWritable({ target, stats }: ConfigFile): void {
  if (stats === undefined) return;
  // A rename checks only the folder's permissions, so it would replace a file that its owner made read-only.
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
    hint: "Check who owns it and its folder, and that the disk has room. The file was not changed.",
    cause,
  });
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown";
}
