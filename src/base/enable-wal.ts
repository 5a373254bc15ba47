import { sqliteCode } from "./errors.ts";

/** The part of an SQLite connection that is needed here. */
interface Connection {
  readonly exec: (sql: string) => void;
}

const TIMEOUT_MS = 5000;
const RETRY_INTERVAL_MS = 5;
const SQLITE_BUSY = 5;

/**
 * Puts a database into WAL mode. SQLite refuses that at once, whatever the timeout of the connection,
 * while another process is doing the same (measured: 3 of 90 first openings by three processes).
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
