import { sqliteCode } from "./errors.ts";

/** The part of an SQLite connection that `enableWal` uses. */
interface Connection {
  readonly exec: (sql: string) => void;
}

const TIMEOUT_MS = 5000;
const RETRY_INTERVAL_MS = 5;
const SQLITE_BUSY = 5;

/**
 * Puts a database into WAL mode. While another process does the same, SQLite refuses at once, whatever the
 * connection's timeout (measured: 3 of 90 first openings by three processes). So this function retries for up
 * to 5 seconds, then throws SQLite's error.
 */
export function enableWal(db: Connection): void {
  const end = performance.now() + TIMEOUT_MS;
  for (;;) {
    try {
      db.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (thrown) {
      if (sqliteCode(thrown) !== SQLITE_BUSY || performance.now() > end) throw thrown;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_INTERVAL_MS);
    }
  }
}
