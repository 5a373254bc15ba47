// Files and directories that only this user can access. On Windows Node has neither mode bits nor user ids; there
// the access list of the profile directory protects them.
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join } from "node:path";

import { SvcError } from "../base/errors.ts";
import { createFolders, replaceFile, syncDirectory } from "../base/files.ts";

/** Creates the directory with mode 0700, or checks an existing one. Throws CREDENTIAL_STORE when the check fails. */
export function ensureCheckedDirectory(path: string): void {
  if (checkPrivateDirectory(path)) return;
  createFolders(path);
  checkPrivateDirectory(path);
}

/**
 * Returns false when there is none. Throws unless it is a directory of this user that nobody else can write to;
 * removes the read access of others.
 */
export function checkPrivateDirectory(path: string): boolean {
  const stat = fs.lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  if (!stat.isDirectory()) throw refused(path, "is a symbolic link or not a directory");
  requireOwnedByUser(path, stat);
  requireSafeParent(path);
  if (hasModes() && (stat.mode & 0o077) !== 0) {
    // A directory that others can write to may already contain files they planted. One they can only list can be
    // restricted.
    if ((stat.mode & 0o022) !== 0) throw refused(path, "can be written by other users");
    restrictToOwner(path);
  }
  return true;
}

/** Returns false when there is no such file. Throws unless it is a plain file that only this user can access. */
export function checkPrivateFile(path: string): boolean {
  const stat = fs.lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  if (!stat.isFile()) throw refused(path, "is a symbolic link or not a plain file");
  requireOwnedByUser(path, stat);
  if (hasModes() && (stat.mode & 0o077) !== 0) throw refused(path, "is open to other users");
  return true;
}

/** Returns undefined when there is no such file. */
export function readPrivateFile(path: string): string | undefined {
  return checkPrivateFile(path) ? fs.readFileSync(path, "utf8") : undefined;
}

/** Creates the whole file and returns true; returns false when a file exists already. */
export function createPrivateFile(path: string, content: string): boolean {
  const draft = writeDraft(path, content);
  try {
    fs.linkSync(draft, path);
    syncDirectory(dirname(path));
    return true;
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false;
    throw error;
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

/** Replaces the file atomically: readers see the old content or the new, even after a crash. */
export function replacePrivateFile(path: string, content: string): void {
  const draft = writeDraft(path, content);
  try {
    replaceFile(draft, path);
  } catch (error) {
    fs.rmSync(draft, { force: true });
    throw error;
  }
  syncDirectory(dirname(path));
}

/** Does nothing when there is no such file. */
export function removePrivateFile(path: string): void {
  fs.rmSync(path, { force: true });
}

/** A draft exists for milliseconds; an older one was left by a killed process. */
const ABANDONED_MS = 60_000;

/** Removes drafts that a killed process left in the directory, because a draft may contain a key. */
export function removeAbandonedDrafts(directory: string, now = Date.now()): void {
  for (const name of fs.readdirSync(directory).filter((entry) => DRAFT.test(entry))) {
    const draft = join(directory, name);
    const stat = fs.lstatSync(draft, { throwIfNoEntry: false });
    if (stat?.isFile() === true && now - stat.mtimeMs > ABANDONED_MS)
      fs.rmSync(draft, { force: true });
  }
}

const DRAFT = /\.[0-9a-f]{12}\.tmp$/;

/** Returns true for an error with this code, such as "ENOENT". */
export function isErrno(error: unknown, code: string): error is Error {
  return error instanceof Error && "code" in error && error.code === code;
}

function writeDraft(path: string, content: string): string {
  const draft = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  const file = fs.openSync(draft, "wx", 0o600);
  try {
    fs.writeFileSync(file, content);
    fs.fsyncSync(file);
  } catch (error) {
    fs.rmSync(draft, { force: true });
    throw error;
  } finally {
    fs.closeSync(file);
  }
  return draft;
}

function restrictToOwner(directory: string): void {
  try {
    fs.chmodSync(directory, 0o700);
  } catch (error) {
    // On a read-only disk the mode stays; each file in the directory is checked as well.
    if (!isErrno(error, "EROFS")) throw error;
  }
}

function requireOwnedByUser(path: string, stat: fs.Stats): void {
  const user = process.getuid?.();
  if (user !== undefined && stat.uid !== user) throw refused(path, "belongs to another user");
}

/** If others can write to the parent and it is not sticky, they can replace the directory itself. */
function requireSafeParent(path: string): void {
  if (!hasModes()) return;
  const { mode } = fs.statSync(dirname(path));
  if ((mode & 0o002) !== 0 && (mode & 0o1000) === 0) {
    throw refused(dirname(path), "can be written by every user");
  }
}

function hasModes(): boolean {
  return process.platform !== "win32";
}

function refused(path: string, why: string): SvcError {
  return new SvcError("CREDENTIAL_STORE", `${path} ${why}; credentials are not kept there.`, {
    hint: "Make it your own with mode 0700 (a file: 0600), or remove it.",
  });
}
