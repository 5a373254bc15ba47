import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";

/**
 * What to open an SQLite file by so as to read it and leave no trace: who reads a file in WAL mode makes its log
 * and its index otherwise. Where a log with something in it is there already, the plain path. To be opened
 * `readOnly`.
 */
export function immutableUri(path: string): string | URL {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (log !== undefined && log.size > 0) return path;
  const uri = pathToFileURL(path);
  uri.searchParams.set("immutable", "1");
  return uri;
}

/**
 * The ways to open an SQLite file for reading where nothing may be written, in the order in which to try them: with
 * the shared index of its log, with an index of one's own, and, where the log holds nothing, without any lock. To be
 * opened `readOnly`. `isImmutable`: SQLite takes the file for one that never changes.
 */
export function readOnlyAddresses(
  path: string,
): readonly { readonly address: string | URL; readonly isImmutable: boolean }[] {
  const withParameter = (name: string): URL => {
    const address = pathToFileURL(path);
    address.searchParams.set(name, "1");
    return address;
  };
  const shared = [path, withParameter("readonly_shm")];
  const hasLog = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  return [
    ...shared.map((address) => ({ address, isImmutable: false })),
    ...(hasLog ? [] : [{ address: withParameter("immutable"), isImmutable: true }]),
  ];
}

/** Differs from what it was when somebody has written to the file meanwhile: what was read may be of two states. */
export function fileSignature(path: string): string {
  return ["", "-wal"]
    .map((end) => statSync(path + end, { bigint: true, throwIfNoEntry: false }))
    .map((stat) => (stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeNs}`))
    .join(", ");
}
