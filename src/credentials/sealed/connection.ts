// Opens the store's file: for writing where possible, else for reading.
import { accessSync, closeSync, constants, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

import { enableWal } from "../../base/enable-wal.ts";
import { SvcError } from "../../base/errors.ts";
import { immutableUri } from "../../base/immutable-uri.ts";
import { readHeader } from "./database.ts";
import { checkPrivateFile, isErrno } from "../private-files.ts";
import { isWriteError, readOnlyStore, withTranslatedErrors } from "./store-errors.ts";

/** An open connection to the store's database. */
export interface StoreConnection {
  readonly db: DatabaseSync;
  /** `immutable`: opened without locks, because the lock files cannot be written either. */
  readonly access: "read-write" | "read-only" | "immutable";
  /** The reason why the store cannot be written; undefined when it can. */
  readonly readOnlyReason: SvcError | undefined;
  /** Returns a value that changes when another connection has committed. */
  readonly version: () => string | number;
}

const BUSY_TIMEOUT_MS = 5000;

/**
 * Returns undefined when the file is missing or empty. With `isReadOnly` no file is written, not even SQLite's own.
 * Throws CREDENTIAL_STORE or STORAGE_FULL.
 */
export function openConnection(path: string, isReadOnly = false): StoreConnection | undefined {
  // SQLite would write a first page into an empty file.
  if (!checkFiles(path) || sizeOf(path) === 0n) return undefined;
  return isReadOnly ? openUnmodified(path) : connect(path);
}

/** As `openConnection`, but first creates an empty file unless it exists. */
export function createConnection(path: string): StoreConnection {
  createEmpty(path);
  checkFiles(path);
  return connect(path);
}

function openUnmodified(path: string): StoreConnection {
  const obstacle = new SvcError(
    "CREDENTIAL_STORE",
    "The credential store is open for reading only.",
  );
  const isImmutable = sizeOf(`${path}-wal`) === 0n;
  return withTranslatedErrors(() =>
    readConnection(immutableUri(path), isImmutable ? "immutable" : "read-only", { path, obstacle }),
  );
}

function connect(path: string): StoreConnection {
  return withTranslatedErrors(() => {
    try {
      return openForWriting(path);
    } catch (error) {
      if (!isWriteError(error)) throw error;
      const connection = openForReading(path, readOnlyStore(error));
      if (connection === undefined) throw error;
      return connection;
    }
  });
}

function openForWriting(path: string): StoreConnection {
  // SQLite silently falls back to read-only access where the file is not writable.
  accessSync(path, constants.W_OK);
  accessSync(dirname(path), constants.W_OK);
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  return closingOnError(db, () => {
    db.exec("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF;");
    enableWal(db);
    return { db, access: "read-write", readOnlyReason: undefined, version: dataVersionOf(db) };
  });
}

/** Returns undefined when the file cannot be read either. */
function openForReading(path: string, obstacle: SvcError): StoreConnection | undefined {
  const attempts: [StoreConnection["access"], string | URL][] = [["read-only", path]];
  // Reads the WAL without creating a new shared-memory index for it, which may lack space or permission.
  attempts.push(["read-only", fileUri(path, "readonly_shm")]);
  // Ignores the WAL, so it is correct only when the WAL is empty.
  if (sizeOf(`${path}-wal`) === 0n) attempts.push(["immutable", fileUri(path, "immutable")]);
  for (const [access, address] of attempts) {
    try {
      return readConnection(address, access, { path, obstacle });
    } catch (error) {
      if (!isWriteError(error)) throw error;
    }
  }
  return undefined;
}

function readConnection(
  address: string | URL,
  access: StoreConnection["access"],
  { path, obstacle: readOnlyReason }: { readonly path: string; readonly obstacle: SvcError },
): StoreConnection {
  const db = new DatabaseSync(address, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  return closingOnError(db, () => {
    db.exec("PRAGMA trusted_schema = OFF");
    readHeader(db);
    const version = access === "immutable" ? () => fileVersion(path) : dataVersionOf(db);
    return { db, access, readOnlyReason, version };
  });
}

/** Cost: 2 µs. Column names would add half as much. */
function dataVersionOf(db: DatabaseSync): () => number {
  const statement = db.prepare("PRAGMA data_version");
  statement.setReturnArrays(true);
  return () => Number(statement.get()?.[0]);
}

/** SQLite has no data version for an immutable file. */
function fileVersion(path: string): string {
  const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
  return [ino, size, mtimeNs, ctimeNs, sizeOf(`${path}-wal`)].join(" ");
}

function sizeOf(path: string): bigint {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.size ?? 0n;
}

/** `parameter` is one of sqlite.org/uri.html. */
function fileUri(path: string, parameter: "immutable" | "readonly_shm"): URL {
  const uri = pathToFileURL(path);
  uri.searchParams.set(parameter, "1");
  return uri;
}

/**
 * Closes a database whose content was refused or not yet checked, and leaves its files unchanged. Otherwise the
 * last writable connection would checkpoint the WAL into the file and remove it.
 */
export function closeUnmodified(db: DatabaseSync): void {
  if (!db.isOpen) return;
  const path = db.location();
  // Where there is no WAL, a second connection would create one.
  const hasLog = path !== null && sizeOf(`${path}-wal`) > 0n;
  const blocker = hasLog ? openCheckpointBlocker(path) : undefined;
  db.close();
  blocker?.close();
}

/**
 * Opens a read-only connection: while it is open, SQLite does not checkpoint at close, and it cannot checkpoint
 * itself.
 */
function openCheckpointBlocker(path: string): DatabaseSync | undefined {
  let blocker: DatabaseSync | undefined;
  try {
    blocker = new DatabaseSync(path, { readOnly: true });
    blocker.prepare("SELECT 1 FROM sqlite_schema").get();
  } catch {
    // A file that cannot be read has no WAL to checkpoint.
  }
  return blocker;
}

function closingOnError<T>(db: DatabaseSync, work: () => T): T {
  try {
    return work();
  } catch (error) {
    closeUnmodified(db);
    throw error;
  }
}

/** SQLite also opens the log files next to the database, so they are checked too. */
function checkFiles(path: string): boolean {
  for (const suffix of ["-wal", "-shm", "-journal"]) checkPrivateFile(path + suffix);
  return checkPrivateFile(path);
}

function createEmpty(path: string): void {
  const { O_CREAT, O_EXCL, O_RDWR } = constants;
  try {
    closeSync(openSync(path, O_CREAT | O_EXCL | O_RDWR, 0o600));
  } catch (error) {
    if (!isErrno(error, "EEXIST")) throw error;
  }
}
