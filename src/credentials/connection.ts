// How the store's file is opened: to be written where that is possible, else to be read.
import { accessSync, closeSync, constants, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

import { enableWal } from "../base/enable-wal.ts";
import { SvcError } from "../base/errors.ts";
import { immutableUri } from "../base/immutable-uri.ts";
import { readHeader } from "./database.ts";
import { checkPrivateFile, isErrno } from "./private-files.ts";
import { isWriteError, readOnlyStore, withTranslatedErrors } from "./store-errors.ts";

export interface StoreConnection {
  readonly db: DatabaseSync;
  /** `immutable`: without locks, because not even those can be written. */
  readonly access: "read-write" | "read-only" | "immutable";
  /** Why it cannot be written; undefined where it can. */
  readonly readOnlyReason: SvcError | undefined;
  /** Differs from what it was when another connection has committed since. */
  readonly version: () => string | number;
}

const BUSY_TIMEOUT_MS = 5000;

/**
 * Undefined when there is no such file, or nothing in it. `isReadOnly`: nothing is written, not even by SQLite
 * for itself. Throws CREDENTIAL_STORE or STORAGE_FULL.
 */
export function openConnection(path: string, isReadOnly = false): StoreConnection | undefined {
  // SQLite would write a first page into a file that somebody has emptied.
  if (!checkFiles(path) || sizeOf(path) === 0n) return undefined;
  return isReadOnly ? openUnmodified(path) : connect(path);
}

/** The same for a store that is to be made: the file is created, empty, unless it is there already. */
export function createConnection(path: string): StoreConnection {
  createEmpty(path);
  checkFiles(path);
  return connect(path);
}

function openUnmodified(path: string): StoreConnection {
  const obstacle = new SvcError("CREDENTIAL_STORE", "The credential store is only looked at.");
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
  // SQLite falls back by itself to reading where the file is not writable, and says nothing.
  accessSync(path, constants.W_OK);
  accessSync(dirname(path), constants.W_OK);
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  return closingOnError(db, () => {
    db.exec("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF;");
    enableWal(db);
    return { db, access: "read-write", readOnlyReason: undefined, version: dataVersionOf(db) };
  });
}

/** Undefined when it cannot be read either. */
function openForReading(path: string, obstacle: SvcError): StoreConnection | undefined {
  const attempts: [StoreConnection["access"], string | URL][] = [["read-only", path]];
  // Reads what is in the log without room for, or the right to, a new index of it in shared memory.
  attempts.push(["read-only", fileUri(path, "readonly_shm")]);
  // Looks at the database alone, and so is right only where nothing is in the log.
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

/** Cost: 2 µs; without names of columns, which are half as much again. */
function dataVersionOf(db: DatabaseSync): () => number {
  const statement = db.prepare("PRAGMA data_version");
  statement.setReturnArrays(true);
  return () => Number(statement.get()?.[0]);
}

/** SQLite keeps no version of a file that it takes for immutable. */
function fileVersion(path: string): string {
  const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
  return [ino, size, mtimeNs, ctimeNs, sizeOf(`${path}-wal`)].join(" ");
}

function sizeOf(path: string): bigint {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.size ?? 0n;
}

/** With a parameter of sqlite.org/uri.html. */
function fileUri(path: string, parameter: "immutable" | "readonly_shm"): URL {
  const uri = pathToFileURL(path);
  uri.searchParams.set(parameter, "1");
  return uri;
}

/**
 * Closes a database whose content was refused, or has not been checked, and leaves its files as they
 * are: the last connection that may write would take SQLite's log into the file and remove it.
 */
export function closeUnmodified(db: DatabaseSync): void {
  if (!db.isOpen) return;
  const path = db.location();
  // Where there is no log, a witness would begin one.
  const hasLog = path !== null && sizeOf(`${path}-wal`) > 0n;
  const witness = hasLog ? readOnlyWitness(path) : undefined;
  db.close();
  witness?.close();
}

/** A connection that is in the way of another's last act, and cannot do it itself. */
function readOnlyWitness(path: string): DatabaseSync | undefined {
  let witness: DatabaseSync | undefined;
  try {
    witness = new DatabaseSync(path, { readOnly: true });
    witness.prepare("SELECT 1 FROM sqlite_schema").get();
  } catch {
    // What cannot be read has no log that could be taken in.
  }
  return witness;
}

function closingOnError<T>(db: DatabaseSync, work: () => T): T {
  try {
    return work();
  } catch (error) {
    closeUnmodified(db);
    throw error;
  }
}

/** SQLite opens the log files beside the database itself, so they are checked with it. */
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
