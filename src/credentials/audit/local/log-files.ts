// Paths of the audit log, and how its files are opened: never through a symbolic link, and never a file that others
// can read.
import * as fs from "node:fs";
import { join } from "node:path";

import { checkPrivateDirectory, checkPrivateFile, isErrno } from "../../private-files.ts";

/** The directories of the audit log. */
export interface AuditDirectories {
  /** Contains only the files of the log. */
  readonly directory: string;
  /** Contains the head and the lock. It is another directory, so that one accident does not truncate both. */
  readonly keyDirectory: string;
}

/** Maximum size of one file. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

const NAME = /^audit-(\d{6,9})\.jsonl$/;

/** `audit-000001.jsonl`. Numbers only increase, so a deleted file leaves a gap. */
export function logName(number: number): string {
  return `audit-${String(number).padStart(6, "0")}.jsonl`;
}

export function logPath({ directory }: AuditDirectories, number: number): string {
  return join(directory, logName(number));
}

export function headPath({ keyDirectory }: AuditDirectories): string {
  return join(keyDirectory, "audit.head");
}

export function lockPath({ keyDirectory }: AuditDirectories): string {
  return join(keyDirectory, "audit.lock");
}

/** Returns the numbers of the existing files in ascending order. */
export function logNumbers({ directory }: AuditDirectories): number[] {
  if (!checkPrivateDirectory(directory)) return [];
  return fs
    .readdirSync(directory)
    .flatMap((name) => {
      const number = Number(NAME.exec(name)?.[1] ?? Number.NaN);
      return Number.isNaN(number) ? [] : [number];
    })
    .toSorted((a, b) => a - b);
}

type Purpose = "read" | "write" | "append" | "create";

/** Returns undefined when there is no such file (`create`: when it exists already). */
export function openPrivate(path: string, purpose: Purpose): number | undefined {
  const { O_RDONLY, O_RDWR, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;
  const flags = {
    read: O_RDONLY,
    write: O_RDWR,
    append: O_RDWR | O_APPEND,
    create: O_RDWR | O_APPEND | O_CREAT | O_EXCL,
  }[purpose];
  if (purpose !== "create" && !checkPrivateFile(path)) return undefined;
  try {
    return fs.openSync(
      path, // Windows has no such flag.
      process.platform === "win32" ? flags : flags | O_NOFOLLOW,
      0o600,
    );
  } catch (error) {
    if (isErrno(error, purpose === "create" ? "EEXIST" : "ENOENT")) return undefined;
    throw error;
  }
}
