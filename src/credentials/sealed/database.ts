// The SQLite file of the store: reads and writes rows. store.ts interprets and verifies them.
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";

import { damagedStore, withTranslatedErrors } from "./store-errors.ts";

/** The only row of the table `header`. */
export interface StoreHeader {
  readonly format: number;
  /** A KeySource as JSON. */
  readonly keySource: string;
  /** Eight bytes that identify the data key. */
  readonly keyId: Uint8Array;
  /** Number of changes since the store was created. */
  readonly generation: number;
  /** MAC over the other fields and all rows. */
  readonly mac: Uint8Array;
}

/** A row of the table `sealed`. */
export interface RawRow {
  readonly id: string;
  readonly kind: string;
  /** Blind index of a credential; null for rows that are not found by secret. */
  readonly lookup: Uint8Array | null;
  /** The sealed JSON of the row. */
  readonly body: Uint8Array;
}

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

/** Runs `work` in a transaction; an exception rolls it back. "IMMEDIATE" blocks other writers from the start. */
export function transaction<T>(db: DatabaseSync, mode: "DEFERRED" | "IMMEDIATE", work: () => T): T {
  return withTranslatedErrors(() => {
    db.exec(`BEGIN ${mode}`);
    try {
      const result = work();
      db.exec("COMMIT");
      return result;
    } catch (error) {
      // SQLite has already rolled back after some errors, such as a full disk.
      if (db.isTransaction) db.exec("ROLLBACK");
      throw error;
    }
  });
}

/**
 * Creates the tables and the header, and returns true. Returns false when another process has created them.
 * `beforeCommit` is called only in the first case; an exception from it undoes the creation.
 */
export function createSchema(
  db: DatabaseSync,
  header: StoreHeader,
  beforeCommit: () => void,
): boolean {
  return transaction(db, "IMMEDIATE", () => {
    if (readHeader(db) !== undefined) return false;
    db.exec(SCHEMA);
    writeHeader(db, header);
    beforeCommit();
    return true;
  });
}

/** Returns undefined for a newly created file. Throws CREDENTIAL_STORE when the header is damaged. */
export function readHeader(db: DatabaseSync): StoreHeader | undefined {
  const hasTable = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'header'").get();
  if (hasTable === undefined) return undefined;
  const row = db.prepare("SELECT format, keySource, keyId, generation, mac FROM header").get();
  if (row === undefined) throw damagedStore("The credential store has lost its header.");
  const { format, keySource, keyId, generation, mac } = row;
  if (
    typeof format !== "number" ||
    typeof keySource !== "string" ||
    !(keyId instanceof Uint8Array) ||
    typeof generation !== "number" ||
    !(mac instanceof Uint8Array)
  ) {
    throw damagedStore("The header of the credential store is damaged.");
  }
  return { format, keySource, keyId, generation, mac };
}

export function writeHeader(db: DatabaseSync, header: StoreHeader): void {
  const { format, keySource, keyId, generation, mac } = header;
  db.prepare(
    "INSERT OR REPLACE INTO header (one, format, keySource, keyId, generation, mac) VALUES (1, ?, ?, ?, ?, ?)",
  ).run(format, keySource, keyId, generation, mac);
}

/** Returns all rows. Throws CREDENTIAL_STORE when a column has the wrong type. */
export function readRows(db: DatabaseSync): RawRow[] {
  const statement = db.prepare("SELECT id, kind, lookup, body FROM sealed");
  // Column names would cost as much as the rest.
  statement.setReturnArrays(true);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- that is what is asked for
  const rows = statement.all() as unknown as SQLOutputValue[][];
  return rows.map(([id, kind, lookup, body]) => {
    if (
      typeof id !== "string" ||
      typeof kind !== "string" ||
      !(lookup === null || lookup instanceof Uint8Array) ||
      !(body instanceof Uint8Array)
    ) {
      throw damagedStore("A row of the credential store is damaged.");
    }
    return { id, kind, lookup, body };
  });
}

/** Adds the row, or replaces the one with its id. */
export function writeRow(db: DatabaseSync, { id, kind, lookup, body }: RawRow): void {
  db.prepare("INSERT OR REPLACE INTO sealed (id, kind, lookup, body) VALUES (?, ?, ?, ?)").run(
    id,
    kind,
    lookup,
    body,
  );
}
