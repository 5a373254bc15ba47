import { DatabaseSync } from "node:sqlite";

import { sqliteCode } from "../base/errors.ts";
import { ensurePrivateFile } from "./storage-disk.ts";

/**
 * Takes the lock that lets one process write to a namespace; undefined when another holds it after
 * `waitMs`. It is an exclusive transaction on an SQLite file, so the kernel frees it whenever and
 * however its holder dies.
 */
export function takeWriterLock(path: string, waitMs: number): (() => void) | undefined {
  ensurePrivateFile(path);
  const db = new DatabaseSync(path, { timeout: waitMs });
  try {
    db.exec("BEGIN EXCLUSIVE");
  } catch (thrown) {
    db.close();
    // SQLITE_BUSY is 5.
    if (sqliteCode(thrown) === 5) return undefined;
    throw thrown;
  }
  return () => db.close();
}
