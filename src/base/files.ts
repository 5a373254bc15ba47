import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

import { SvcError, toSvcError } from "./errors.ts";

/**
 * Opens without following a link in the last place and without waiting for the other end of a pipe.
 * Windows has neither flag; there both are undefined, which `|` takes as 0.
 */
export const SAFE_READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

interface AtomicWriteOptions {
  /** 0600 unless given. */
  readonly mode?: number;
  /** Whom it shall belong to; who writes it unless given. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
  /** Called when all is on disk; what it throws leaves the old content in place. */
  readonly beforeRename?: () => void;
}

/**
 * Replaces a file so that a reader, and a machine that loses power, sees the old or the new content
 * and nothing between. Throws what the file system throws; no temporary file is left then.
 */
export function writeFileAtomic(
  path: string,
  bytes: string | Uint8Array,
  { mode = 0o600, owner, beforeRename }: AtomicWriteOptions = {},
): void {
  const temporary = join(
    dirname(path),
    `.${basename(path)}.${process.pid}-${randomBytes(6).toString("hex")}.tmp`,
  );
  try {
    const file = openSync(temporary, "wx", mode);
    try {
      if (owner !== undefined) changeOwner(file, owner);
      // The umask took its bits from the mode given to open.
      fchmodSync(file, mode);
      writeFileSync(file, bytes);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    beforeRename?.();
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncDirectory(dirname(path));
}

/** Some file systems refuse even what changes nothing. */
function changeOwner(
  file: number,
  { uid, gid }: { readonly uid: number; readonly gid: number },
): void {
  const made = fstatSync(file);
  if (made.uid !== uid || made.gid !== gid) fchownSync(file, uid, gid);
}

/**
 * Makes the file where there is none, open to its owner alone: SQLite would let everybody read what it
 * makes. A file that is there is not opened, because closing it would free every lock that this process
 * holds on it (sqlite.org/howtocorrupt.html, 2.2).
 */
export function ensurePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown && thrown.code === "EEXIST")) throw thrown;
  }
}

/** Makes the directory and what is missing above it, open to its owner alone (0700). */
export function createPrivateDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if ((statSync(path).mode & 0o777) !== 0o700) chmodSync(path, 0o700);
  } catch (cause) {
    const known = toSvcError(cause);
    if (known.code === "STORAGE_FULL") throw known;
    throw new SvcError("INDEX_UNAVAILABLE", "The data directory cannot be made or made private.", {
      hint: "Check who owns it and its parents, or choose another with SERVICE_HOME.",
      cause,
    });
  }
}

/**
 * The content of a small regular file. Undefined when there is none, when it is a link, a pipe or
 * anything else, when it may not be read, and when it is larger than `limitBytes`.
 */
export function readRegularFile(path: string | Buffer, limitBytes: number): Buffer | undefined {
  let file: number;
  try {
    file = openSync(path, SAFE_READ);
  } catch {
    // Absence and refusal are the same to callers: there is nothing to take into account.
    return undefined;
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > limitBytes) return undefined;
    const bytes = Buffer.allocUnsafe(stat.size);
    return bytes.subarray(0, readFully(file, bytes));
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}

/** Reads until the buffer is full or the file ends; answers with the number of bytes read. */
export function readFully(file: number, buffer: Uint8Array): number {
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(file, buffer, length, buffer.length - length, null);
    if (count === 0) break;
    length += count;
  }
  return length;
}

function syncDirectory(path: string): void {
  // Windows cannot open a directory, and makes a rename durable by itself.
  if (process.platform === "win32") return;
  const directory = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
