// The SQLite file under the store: rows in, rows out. What the rows mean, and whether they are
// genuine, is the matter of store.ts.
import { closeSync, constants, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

import { enterWal } from "../base/enter-wal.ts";
import { SvcError } from "../base/errors.ts";
import { checkPrivateFile, isErrno } from "./private-files.ts";

export interface Header {
  readonly format: number;
  /** JSON of a KeySource. */
  readonly keySource: string;
  readonly keyId: Uint8Array;
  readonly generation: number;
  readonly mac: Uint8Array;
}

export interface Row {
  readonly id: string;
  readonly kind: string;
  /** Blind index of a credential; null for rows that are not found by secret. */
  readonly lookup: Uint8Array | null;
  readonly body: Uint8Array;
}

const BUSY_TIMEOUT_MS = 5000;

const SCHEMA = `
  CREATE TABLE header (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    format INTEGER NOT NULL, keySource TEXT NOT NULL, keyId BLOB NOT NULL,
    generation INTEGER NOT NULL, mac BLOB NOT NULL
  ) STRICT;
  CREATE TABLE sealed (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, lookup BLOB UNIQUE, body BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

/** Opens the file, which is created empty when `create` says so. Undefined when there is none. */
export function openDatabase(path: string, create: boolean): DatabaseSync | undefined {
  if (!checkFiles(path)) {
    if (!create) return undefined;
    createEmpty(path);
    checkFiles(path);
  }
  return translated(() => {
    const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    try {
      db.exec("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF;");
      enterWal(db);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** Runs `work` in a transaction; a throw rolls it back. "IMMEDIATE" keeps other writers out from the start. */
export function transaction<T>(db: DatabaseSync, mode: "DEFERRED" | "IMMEDIATE", work: () => T): T {
  return translated(() => {
    db.exec(`BEGIN ${mode}`);
    try {
      const result = work();
      db.exec("COMMIT");
      return result;
    } catch (error) {
      // SQLite has rolled back on its own after some errors, a full disk for one.
      if (db.isTransaction) db.exec("ROLLBACK");
      throw error;
    }
  });
}

/** Creates the tables and the header, unless another process was first; then returns false. */
export function initialize(db: DatabaseSync, header: Header): boolean {
  return transaction(db, "IMMEDIATE", () => {
    if (readHeader(db) !== undefined) return false;
    db.exec(SCHEMA);
    writeHeader(db, header);
    return true;
  });
}

/** Undefined in a file that has just been created. */
export function readHeader(db: DatabaseSync): Header | undefined {
  const hasTable = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'header'").get();
  if (hasTable === undefined) return undefined;
  const row = db.prepare("SELECT format, keySource, keyId, generation, mac FROM header").get();
  if (row === undefined) throw damaged("The credential store has lost its header.");
  const { format, keySource, keyId, generation, mac } = row;
  if (
    typeof format !== "number" ||
    typeof keySource !== "string" ||
    !(keyId instanceof Uint8Array) ||
    typeof generation !== "number" ||
    !(mac instanceof Uint8Array)
  ) {
    throw damaged("The header of the credential store is damaged.");
  }
  return { format, keySource, keyId, generation, mac };
}

export function writeHeader(db: DatabaseSync, header: Header): void {
  const { format, keySource, keyId, generation, mac } = header;
  db.prepare(
    "INSERT OR REPLACE INTO header (one, format, keySource, keyId, generation, mac) VALUES (1, ?, ?, ?, ?, ?)",
  ).run(format, keySource, keyId, generation, mac);
}

export function readRows(db: DatabaseSync): Row[] {
  return db
    .prepare("SELECT id, kind, lookup, body FROM sealed")
    .all()
    .map(({ id, kind, lookup, body }) => {
      if (
        typeof id !== "string" ||
        typeof kind !== "string" ||
        !(lookup === null || lookup instanceof Uint8Array) ||
        !(body instanceof Uint8Array)
      ) {
        throw damaged("A row of the credential store is damaged.");
      }
      return { id, kind, lookup, body };
    });
}

export function writeRow(db: DatabaseSync, { id, kind, lookup, body }: Row): void {
  db.prepare("INSERT OR REPLACE INTO sealed (id, kind, lookup, body) VALUES (?, ?, ?, ?)").run(
    id,
    kind,
    lookup,
    body,
  );
}

/** The error for a store whose content is not what svc wrote. Nothing is ever repaired or reset on its own. */
export function damaged(detail: string, cause?: unknown): SvcError {
  return new SvcError("CREDENTIAL_STORE", detail, {
    hint:
      "It was left as it is. Restore the newest backup of credentials.db, or move it, credentials.anchor " +
      "and data.key away and create new credentials.",
    cause,
  });
}

/** Runs `work`, turning errors of SQLite into ours. */
export function translated<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    // An integer that was changed to one beyond what JavaScript can hold.
    if (isErrno(error, "ERR_OUT_OF_RANGE"))
      throw damaged("The credential store is damaged.", error);
    const result = sqliteResult(error);
    if (result === undefined || result === FULL) throw error;
    if (result === BUSY) {
      throw new SvcError("CREDENTIAL_STORE", "Another process is writing the credential store.", {
        hint: "Try again.",
        cause: error,
      });
    }
    if (result === READONLY || result === IOERR || result === CANTOPEN) {
      throw new SvcError("CREDENTIAL_STORE", "The credential store cannot be opened or written.", {
        hint: "Check the permissions of its directory and the state of the disk.",
        cause: error,
      });
    }
    throw damaged("The credential store cannot be read.", error);
  }
}

// sqlite.org/rescode.html
const BUSY = 5;
const READONLY = 8;
const IOERR = 10;
const FULL = 13;
const CANTOPEN = 14;

/** The primary result code when the error comes from SQLite. */
function sqliteResult(error: unknown): number | undefined {
  if (!isErrno(error, "ERR_SQLITE_ERROR")) return undefined;
  return "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : 0;
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
