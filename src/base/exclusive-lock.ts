import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

import { sqliteCode } from "./errors.ts";
import { ensurePrivateFile } from "./files.ts";

const SQLITE_BUSY = 5;

/**
 * Takes a lock that one process can hold at a time; what it returns frees it. Undefined when another holds it
 * after `waitMs`. It is an exclusive transaction on an SQLite file, so the kernel frees it whenever and however its
 * holder dies.
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

/** Whether somebody holds it, without taking it or touching the file. */
export function isLockHeld(path: string): boolean {
  if (!existsSync(path)) return false;
  const db = new DatabaseSync(path, { readOnly: true, timeout: 0 });
  try {
    db.prepare("SELECT 1 FROM sqlite_schema").get();
    return false;
  } catch (thrown) {
    return sqliteCode(thrown) === SQLITE_BUSY;
  } finally {
    db.close();
  }
}

/**
 * The same for who keeps asking: the file stays open, so that an attempt costs some microseconds. To be closed,
 * which frees it as well.
 */
export class ExclusiveLock {
  readonly #db: DatabaseSync;
  #isHeld = false;

  constructor(path: string) {
    ensurePrivateFile(path);
    this.#db = new DatabaseSync(path, { timeout: 0 });
  }

  /** True once this process holds it. */
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
