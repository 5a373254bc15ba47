import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";

/**
 * What to open an SQLite file by so as to read it and leave no trace: who reads a file in WAL mode makes its log
 * and its index otherwise. Where a log with something in it is there already, the plain path. To be opened
 * `readOnly`.
 */
export function untouchedAddress(path: string): string | URL {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (log !== undefined && log.size > 0) return path;
  const address = pathToFileURL(path);
  address.searchParams.set("immutable", "1");
  return address;
}

/** Differs from what it was when somebody has written to the file meanwhile: what was read may be of two states. */
export function signatureOf(path: string): string {
  return ["", "-wal"]
    .map((end) => statSync(path + end, { bigint: true, throwIfNoEntry: false }))
    .map((stat) => (stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeNs}`))
    .join(", ");
}
