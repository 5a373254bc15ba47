import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";

/**
 * Returns the path or URI that opens an SQLite file for reading without leaving a trace: a reader of a file in
 * WAL mode otherwise creates its WAL and its shared-memory index. Returns the plain path if a non-empty WAL
 * exists. Open the result `readOnly`.
 */
export function immutableUri(path: string): string | URL {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (log !== undefined && log.size > 0) return path;
  const uri = pathToFileURL(path);
  uri.searchParams.set("immutable", "1");
  return uri;
}

/**
 * Returns the addresses that open an SQLite file for reading in an unwritable place, in the order to try them:
 * with the shared index of the WAL, with a private index, and, if the WAL is empty, without any lock. Open each
 * `readOnly`. `isImmutable`: SQLite assumes that the file never changes.
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

/**
 * A signature of the file and its WAL. If it has changed since an earlier call, another process has written to
 * the file, and reads in between may mix two states.
 */
export function fileSignature(path: string): string {
  return ["", "-wal"]
    .map((end) => statSync(path + end, { bigint: true, throwIfNoEntry: false }))
    .map((stat) => (stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeNs}`))
    .join(", ");
}
