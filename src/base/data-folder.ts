// Where svc keeps what it knows (SERVICE_HOME), and what is said where it cannot.

import { sqliteCode, SvcError } from "./errors.ts";

/** Of Node, and of SQLite (sqlite.org/rescode.html): READONLY, IOERR, CANTOPEN. */
const ERRNO = new Set(["EACCES", "EPERM", "EROFS", "EEXIST", "ENOTDIR", "EIO", "EMFILE", "ENFILE"]);
const SQLITE = new Set([8, 10, 14]);

/** What `open` gives, which uses files of the data folder; INDEX_UNAVAILABLE where the system refuses that. */
export function inDataFolder<T>(open: () => T): T {
  try {
    return open();
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
    if (!ERRNO.has(code) && !SQLITE.has((sqliteCode(thrown) ?? 0) & 0xff)) throw thrown;
    const reason = ERRNO.has(code) ? ` (${code})` : "";
    // Not by its path: a server tells it to others.
    throw new SvcError("INDEX_UNAVAILABLE", `The data folder of svc cannot be used${reason}.`, {
      hint: "`svc doctor` says where it is and what is wrong; SERVICE_HOME names another.",
      cause: thrown,
    });
  }
}
