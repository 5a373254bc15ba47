import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

import { sqliteCode } from "./errors.ts";
import { ensurePrivateFile } from "./files.ts";

const SQLITE_BUSY = 5;

/**
 * Takes a lock that one process can hold at a time. Returns a function that releases it, or undefined when
 * another process still holds it after `waitMs`. The lock is an exclusive transaction on an SQLite file, so the
 * kernel releases it however its holder dies.
 */
export function takeExclusiveLock(path: string, waitMs: number): (() => void) | undefined {
  ensurePrivateFile(path);
  const db = new DatabaseSync(path, { timeout: waitMs });
  try {
    db.exec("BEGIN EXCLUSIVE");
  } catch (thrown) {
    db.close();
    if (sqliteCode(thrown) === SQLITE_BUSY) return undefined;
    throw thrown;
  }
  return () => db.close();
}

/** Whether a process holds the lock. Does not take it or change the file. */
export function isLockHeld(path: string): boolean {
  const db = existsSync(path) ? openToLook(path) : undefined;
  if (db === undefined) return false;
  try {
    db.prepare("SELECT 1 FROM sqlite_schema").get();
    return false;
  } catch (thrown) {
    return sqliteCode(thrown) === SQLITE_BUSY;
  } finally {
    db.close();
  }
}

/** Opens a lock file without changing it; undefined if another process has removed it in the meantime. */
function openToLook(path: string): DatabaseSync | undefined {
  try {
    return new DatabaseSync(path, { readOnly: true, timeout: 0 });
  } catch (thrown) {
    if (existsSync(path)) throw thrown;
    return undefined;
  }
}

/**
 * The same lock for a caller that tries repeatedly. The file stays open, so an attempt takes a few
 * microseconds. `close` releases the lock.
 */
export class ExclusiveLock {
  readonly #db: DatabaseSync;
  #isHeld = false;

  constructor(path: string) {
    ensurePrivateFile(path);
    this.#db = new DatabaseSync(path, { timeout: 0 });
  }

  /** True if this process holds the lock. */
  tryTake(): boolean {
    if (this.#isHeld) return true;
    try {
      this.#db.exec("BEGIN EXCLUSIVE");
      this.#isHeld = true;
    } catch (thrown) {
      if (sqliteCode(thrown) !== SQLITE_BUSY) throw thrown;
    }
    return this.#isHeld;
  }

  close(): void {
    this.#db.close();
  }
}
