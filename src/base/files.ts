import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
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
 * Opens a file without following a symbolic link in the last path component and without waiting for the other
 * end of a pipe. Windows has neither flag: both are undefined there, which `|` treats as 0.
 */
export const SAFE_READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/**
 * A younger file or folder may change again with the same time stamps, which some file systems keep in whole seconds. In
 * milliseconds.
 */
export const MIN_STABLE_AGE_MS = 2000;

interface AtomicWriteOptions {
  /** The file mode; 0600 by default. */
  readonly mode?: number;
  /** The owner of the file; the current user by default. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
  /** Called when all bytes are on disk. If it throws, the old content stays. */
  readonly beforeRename?: () => void;
}

/**
 * Replaces a file atomically: a reader, and a machine that loses power, sees the old or the new content and
 * nothing in between. Throws the file system's error, and removes the temporary file then.
 */
export function writeFileAtomic(
  path: string,
  bytes: string | Uint8Array,
  { mode = 0o600, owner, beforeRename }: AtomicWriteOptions = {},
): void {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}-${randomHex(6)}.tmp`);
  try {
    const file = openSync(temporary, "wx", mode);
    try {
      if (owner !== undefined) changeOwner(file, owner);
      // The umask removed bits from the mode passed to open.
      fchmodSync(file, mode);
      writeFileSync(file, bytes);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    beforeRename?.();
    replaceFile(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncDirectory(dirname(path));
}

/** Renames a file, also onto another one, or a folder. */
export function replaceFile(from: string, to: string): void {
  whileInUse(() => renameSync(from, to));
}

/** What Windows answers if another program has a file open: a scanner for viruses, a backup, a reader without care. */
const IN_USE = new Set(["EACCES", "EBUSY", "EPERM"]);
/** In milliseconds, 1.2 s together: scanners hold a new file for less. */
const WAITS_MS = [10, 20, 40, 80, 150, 300, 600];

/**
 * Runs it again as long as Windows refuses it because another program has a file open; throws the last error. Other
 * systems rename and remove open files, so there the same codes mean something else.
 */
export function whileInUse<T>(
  run: () => T,
  { platform = process.platform, waitsMs = WAITS_MS }: InUseOptions = {},
): T {
  for (const waitMs of platform === "win32" ? waitsMs : []) {
    try {
      return run();
    } catch (thrown) {
      const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
      if (!IN_USE.has(code)) throw thrown;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
    }
  }
  return run();
}

interface InUseOptions {
  readonly platform?: NodeJS.Platform;
  readonly waitsMs?: readonly number[];
}

/** Changes the owner only if it differs: some file systems refuse even a change to the same owner. */
function changeOwner(
  file: number,
  { uid, gid }: { readonly uid: number; readonly gid: number },
): void {
  const made = fstatSync(file);
  if (made.uid !== uid || made.gid !== gid) fchownSync(file, uid, gid);
}

/**
 * Creates the file with mode 0600 if it does not exist, because SQLite would create it readable by everybody.
 * An existing file is not opened: closing it would release every lock that this process holds on it
 * (sqlite.org/howtocorrupt.html, 2.2).
 */
export function ensurePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown && thrown.code === "EEXIST")) throw thrown;
  }
}

/** Creates the directory and its missing parents with mode 0700. Throws the system's error, with the reason as its code. */
export function createFolders(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT")) throw thrown;
    // Node reports ENOENT when the system refuses to create a parent, as on a read-only disk. Creating that parent by
    // itself gives the reason.
    let first = path;
    while (dirname(first) !== first && !existsSync(dirname(first))) first = dirname(first);
    mkdirSync(first, { mode: 0o700 });
    mkdirSync(path, { recursive: true, mode: 0o700 });
  }
}

/** Creates the directory and its missing parents with mode 0700. Throws STORAGE_FULL or INDEX_UNAVAILABLE. */
export function createPrivateDirectory(path: string): void {
  try {
    createFolders(path);
    if ((statSync(path).mode & 0o777) !== 0o700) chmodSync(path, 0o700);
  } catch (cause) {
    const known = toSvcError(cause);
    if (known.code === "STORAGE_FULL") throw known;
    throw new SvcError(
      "INDEX_UNAVAILABLE",
      "The data directory cannot be created or made private.",
      {
        hint: "Check who owns it and its parents, or choose another with SERVICE_HOME.",
        cause,
      },
    );
  }
}

/**
 * Returns the content of a small regular file. Undefined when the file does not exist, is a link, a pipe or
 * another special file, is unreadable, or is larger than `limitBytes`.
 */
export function readRegularFile(path: string | Buffer, limitBytes: number): Buffer | undefined {
  let file: number;
  try {
    file = openSync(path, SAFE_READ);
  } catch {
    // To callers, a missing and an unreadable file are the same: they have nothing to read.
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

/** Reads until the buffer is full or the file ends; returns the number of bytes read. */
export function readFully(file: number, buffer: Uint8Array): number {
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(file, buffer, length, buffer.length - length, null);
    if (count === 0) break;
    length += count;
  }
  return length;
}

/** Waits until the names in a directory are on disk. */
export function syncDirectory(path: string): void {
  // Windows refuses to sync a directory, and makes a rename durable by itself.
  if (process.platform === "win32") return;
  const directory = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

function randomHex(bytes: number): string {
  // Loaded here, not at the top: it takes 10 ms, and the stdio start-up path does not need it.
  return process.getBuiltinModule("node:crypto").randomBytes(bytes).toString("hex");
}
