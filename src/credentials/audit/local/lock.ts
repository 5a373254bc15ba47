import { DatabaseSync, type StatementSync } from "node:sqlite";

import { sqliteCode, SvcError } from "../../../base/errors.ts";
import { checkPrivateFile, createPrivateFile } from "../../private-files.ts";

const SQLITE_BUSY = 5;

/**
 * Lets one process at a time append. The lock is a transaction on an SQLite file without tables, so the kernel
 * releases it whenever and however its holder dies. Cost: 11 µs.
 */
export class AuditLock {
  readonly #db: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #end: StatementSync;
  #waitMs: number | undefined;

  constructor(path: string) {
    if (!checkPrivateFile(path)) createPrivateFile(path, "");
    this.#db = new DatabaseSync(path);
    this.#begin = this.#db.prepare("BEGIN IMMEDIATE");
    // Not ROLLBACK: on a file without pages it creates and removes a journal each time (60 µs).
    this.#end = this.#db.prepare("COMMIT");
  }

  /** Throws CREDENTIAL_STORE when another process holds the lock for longer than `waitMs`. */
  hold<T>(waitMs: number, work: () => T): T {
    if (waitMs !== this.#waitMs) this.#db.exec(`PRAGMA busy_timeout = ${waitMs}`);
    this.#waitMs = waitMs;
    try {
      this.#begin.run();
    } catch (cause) {
      if (sqliteCode(cause) !== SQLITE_BUSY) throw cause;
      throw new SvcError("CREDENTIAL_STORE", "Another process is writing the audit log.", {
        hint: "Try again.",
        cause,
      });
    }
    try {
      return work();
    } finally {
      this.#release();
    }
  }

  #release(): void {
    try {
      this.#end.run();
    } catch (cause) {
      // The first COMMIT writes a page, and fails while another process reads the file. A later one writes it.
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      if (sqliteCode(cause) !== SQLITE_BUSY) throw cause;
    }
  }

  /** Returns true when `hold` failed because another process holds the lock. */
  static isBusy(error: unknown): boolean {
    return error instanceof SvcError && sqliteCode(error.cause) === SQLITE_BUSY;
  }

  close(): void {
    this.#db.close();
  }
}
