// An SQLite file whose rows are verified when they are read: each row has a checksum, and each table a tally of
// them.

import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

import { enableWal } from "../../../base/enable-wal.ts";
import { isAboutWriting, sqliteCode, SvcError } from "../../../base/errors.ts";
import { isCountOf, rowSum, type SqlValue } from "../../../base/row-sum.ts";
import { readOnlyAddresses, fileSignature, immutableUri } from "../../../base/immutable-uri.ts";

/** The tables and migrations of a database. */
export interface SumScheme {
  /** Columns of the primary key, by table. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  /** The version of a file after all migrations. Its rows have checksums. */
  readonly version: number;
  /** SQL scripts, one per version. The first creates the tables of an empty file. */
  readonly migrations: readonly string[];
  /** Whether the file may be a new, empty one. */
  readonly mayBeEmpty: () => boolean;
  /** Returns the values that a row of an older version lacks. */
  readonly complete: (table: string, row: Row) => Row;
}

export type Row = Readonly<Record<string, SqlValue>>;

/**
 * `use`: read and write, or only read if the file cannot be written. `read`: only read. `look`: only read and
 * leave no trace, not even SQLite's own files.
 */
export type Access = "use" | "read" | "look";

interface Connection {
  readonly db: DatabaseSync;
  /** Why the file cannot be written; undefined if it can. */
  readonly obstacle: Error | undefined;
  /** Signature of the file when it was opened, if SQLite would not notice a change. */
  readonly signature: string | undefined;
}

interface ChangeOptions<T> {
  /** Called with the result of the change, before it is committed. */
  readonly confirm?: ((result: T) => Promise<void>) | undefined;
  readonly isDurable?: boolean | undefined;
}

const TIMEOUT_MS = 5000;
/** How often to reread a file that another process changed during the read. */
const ATTEMPTS = 3;
/** SQLITE_ERROR, for a missing table; SQLITE_CORRUPT; SQLITE_CONSTRAINT; SQLITE_NOTADB. */
const DAMAGE: ReadonlySet<number> = new Set([1, 11, 19, 26]);

/** An open database with checksums. */
export class SummedDatabase {
  readonly #path: string;
  readonly #scheme: SumScheme;
  readonly #access: Access;
  #connection: Connection;
  #statements = new Map<string, StatementSync>();
  /** Verified rows by table, valid until the file changes. */
  readonly #cachedRows = new Map<string, readonly Row[]>();
  #dataVersion: SqlValue | undefined;
  /** Number of times that cached rows were dropped. */
  #drops = 0;
  /** False for a file of an older version that is opened read-only. */
  #hasSums = true;

  /** Opens an existing file and verifies all of it. Throws INDEX_CORRUPT. */
  constructor(path: string, scheme: SumScheme, access: Access) {
    this.#path = path;
    this.#scheme = scheme;
    this.#access = access;
    this.#connection = connect(path, access);
    try {
      this.#guarded(() => this.#verifyAll());
    } catch (thrown) {
      this.close();
      throw thrown;
    }
  }

  /** Why the file is read-only; undefined if it is writable. */
  get obstacle(): Error | undefined {
    return this.#connection.obstacle;
  }

  close(): void {
    this.#connection.db.close();
  }

  /** Returns all rows of a table in primary key order. Throws INDEX_CORRUPT if a row is not as it was written. */
  rows(table: string): readonly Row[] {
    return this.#guarded(() => {
      for (let left = ATTEMPTS; ; left -= 1) {
        this.#dropOutdated();
        const known = this.#cachedRows.get(table);
        if (known !== undefined) return known;
        try {
          const rows = this.#read(table);
          this.#cachedRows.set(table, rows);
          return rows;
        } catch (thrown) {
          if (left === 0 || !this.#isOutdated()) throw thrown;
        }
      }
    });
  }

  /** Changes with each change of the file by any process. Takes microseconds. */
  version(): number {
    return this.#guarded(() => {
      this.#dropOutdated();
      return this.#drops;
    });
  }

  /** Runs `read`, which reads several tables, on one state of the file. */
  snapshot<T>(read: () => T): T {
    const { db } = this.#connection;
    if (db.isTransaction) return read();
    return this.#guarded(() => {
      db.exec("BEGIN");
      try {
        return read();
      } finally {
        // The file may have been reopened.
        if (db.isOpen && db.isTransaction) db.exec("COMMIT");
      }
    });
  }

  /** The largest number that an AUTOINCREMENT column of a table has had; 0 for none. */
  lastId(table: string): number {
    if (!this.#hasTable("sqlite_sequence")) return 0;
    const rows = this.#run("SELECT seq FROM sqlite_sequence WHERE name = ?", [table]);
    return Number(rows[0]?.["seq"] ?? 0);
  }

  /**
   * Runs `work` in one transaction, waits for `confirm`, and commits. If one of them throws, nothing is changed.
   * `isDurable`: false if a power cut may lose the change.
   */
  async change<T>(work: () => T, { confirm, isDurable = true }: ChangeOptions<T> = {}): Promise<T> {
    if (this.obstacle !== undefined) throw this.obstacle;
    const { db } = this.#connection;
    if (!isDurable) db.exec("PRAGMA synchronous = NORMAL");
    try {
      this.#guarded(() => db.exec("BEGIN IMMEDIATE"));
      const result = this.#guarded(work);
      await confirm?.(result);
      this.#guarded(() => db.exec("COMMIT"));
      return result;
    } catch (thrown) {
      if (db.isTransaction) db.exec("ROLLBACK");
      this.#dropRows();
      throw thrown;
    } finally {
      if (!isDurable) db.exec("PRAGMA synchronous = FULL");
    }
  }

  /** Inserts a row, within `change`. Returns it with the values that the table adds. */
  insert(table: string, values: Row): Row {
    const names = Object.keys(values);
    const marks = names.map(() => "?, ").join("");
    const [row = {}] = this.#run(
      `INSERT INTO ${table} (${names.join(", ")}, sum) VALUES (${marks}-1) RETURNING *`,
      Object.values(values),
    );
    this.update(table, row, {});
    return row;
  }

  /** Updates a row that was read before, within `change`. */
  update(table: string, row: Row, values: Row): void {
    const next = { ...row, ...values };
    if (sumOf(table, next) === Number(row["sum"])) return;
    const sets = [...Object.keys(values).map((name) => `${name} = ?`), "sum = ?"].join(", ");
    const { where, key } = this.#place(table, row);
    this.#run(`UPDATE ${table} SET ${sets} ${where}`, [
      ...Object.values(values),
      sumOf(table, next),
      ...key,
    ]);
    this.#cachedRows.delete(table);
    this.#drops += 1;
  }

  /** Deletes a row and the rows that refer to it, within `change`. */
  remove(table: string, row: Row): void {
    const { where, key } = this.#place(table, row);
    this.#run(`DELETE FROM ${table} ${where}`, key);
    this.#dropRows();
  }

  #verifyAll(): void {
    const isCurrent = (): boolean => this.#version() >= this.#scheme.version;
    if (this.obstacle === undefined && !isCurrent()) {
      // Another process may have migrated the file in the meantime.
      this.#changeNow(() => {
        if (!isCurrent()) this.#migrate();
      });
    }
    // In one statement, so that both values have one state while another process migrates the file.
    const [form] = this.#run(
      `SELECT (SELECT user_version FROM pragma_user_version) AS version,
              EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'tally') AS sums`,
    );
    this.#hasSums = Number(form?.["sums"]) === 1;
    // The file header, which has no checksum, contains the version: it must match the tables.
    if (this.#hasSums !== Number(form?.["version"]) >= this.#scheme.version)
      throw registryDamaged();
    this.#requireFilled();
    // Damage to one table is reported to callers of any table: it is the same file.
    for (const table of Object.keys(this.#scheme.keys)) this.rows(table);
  }

  /** A file that was truncated to nothing looks like a new one. */
  #requireFilled(): void {
    if (this.#version() === 0 && !this.#scheme.mayBeEmpty()) throw registryDamaged();
  }

  #migrate(): void {
    this.#requireFilled();
    const { migrations, version, keys, complete } = this.#scheme;
    const { db } = this.#connection;
    for (const migration of migrations.slice(this.#version())) db.exec(migration);
    db.exec(
      "CREATE TABLE tally (name TEXT PRIMARY KEY, rows INTEGER NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID",
    );
    for (const table of Object.keys(keys)) {
      db.exec(tallyTriggers(table));
      for (const row of this.#run(`SELECT * FROM ${table}`)) {
        this.update(table, row, complete(table, row));
      }
      db.exec(versionTriggers(table));
    }
    db.exec(`PRAGMA user_version = ${version}`);
  }

  /** Reads the rows of a table and its tally in one transaction, and compares them. */
  #read(table: string): readonly Row[] {
    const { db } = this.#connection;
    if (!this.#hasSums && !this.#hasTable(table)) return [];
    const order = this.#scheme.keys[table]?.join(", ") ?? "";
    const read = (): readonly Row[] => this.#run(`SELECT * FROM ${table} ORDER BY ${order}`);
    if (!this.#hasSums) return read();
    const isOwn = !db.isTransaction;
    if (isOwn) db.exec("BEGIN");
    try {
      const rows = read();
      const [tally] = this.#run("SELECT rows, sum FROM tally WHERE name = ?", [table]);
      const count = { rows: Number(tally?.["rows"]), sum: Number(tally?.["sum"]) };
      const sums = rows.map((row) => Number(row["sum"]));
      const isWhole = rows.every((row, at) => sumOf(table, row) === sums[at]);
      if (!isWhole || !isCountOf(count, sums)) throw registryDamaged();
      return rows;
    } finally {
      if (isOwn) db.exec("COMMIT");
    }
  }

  #changeNow(work: () => void): void {
    const { db } = this.#connection;
    db.exec("BEGIN IMMEDIATE");
    try {
      work();
      db.exec("COMMIT");
    } catch (thrown) {
      if (db.isTransaction) db.exec("ROLLBACK");
      throw thrown;
    }
  }

  #dropRows(): void {
    this.#cachedRows.clear();
    this.#drops += 1;
  }

  #dropOutdated(): void {
    if (this.#isOutdated()) {
      this.close();
      this.#statements = new Map();
      this.#connection = connect(this.#path, this.#access === "use" ? "read" : this.#access);
      this.#dropRows();
    }
    if (this.#connection.signature !== undefined) return;
    const [row] = this.#run("PRAGMA data_version");
    const version = row?.["data_version"];
    if (version !== this.#dataVersion) this.#dropRows();
    this.#dataVersion = version;
  }

  /** Whether the file has changed although SQLite assumes that it never changes. */
  #isOutdated(): boolean {
    const { signature } = this.#connection;
    return signature !== undefined && signature !== fileSignature(this.#path);
  }

  #place(table: string, row: Row): { readonly where: string; readonly key: readonly SqlValue[] } {
    const names = this.#scheme.keys[table] ?? [];
    return {
      where: `WHERE ${names.map((name) => `${name} = ?`).join(" AND ")}`,
      key: names.map((name) => row[name] ?? null),
    };
  }

  #version(): number {
    return Number(this.#run("PRAGMA user_version")[0]?.["user_version"] ?? 0);
  }

  #hasTable(name: string): boolean {
    const sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?";
    return this.#run(sql, [name]).length > 0;
  }

  #run(sql: string, values: readonly SqlValue[] = []): readonly Row[] {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.db.prepare(sql);
      // A damaged number may exceed the exact range of JavaScript numbers.
      statement.setReadBigInts(true);
      this.#statements.set(sql, statement);
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the driver types what it takes
    return statement.all(...(values as SQLInputValue[]));
  }

  /** Converts SQLite's errors about a damaged file to INDEX_CORRUPT. */
  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (thrown) {
      if (DAMAGE.has((sqliteCode(thrown) ?? 0) & 0xff)) throw registryDamaged(thrown);
      throw thrown;
    }
  }
}

/** The error for a registry whose namespaces, sources or monitors are not as they were written. */
function registryDamaged(cause?: unknown): SvcError {
  return new SvcError("INDEX_CORRUPT", "The list of namespaces (registry.db) is damaged.", {
    hint: "Restore it from a backup, or move it away and run `svc index DIR` for each folder; `svc doctor` prints the commands.",
    cause,
  });
}

/**
 * The checksum of a row's non-NULL values with their column names: a NULL column that a later version adds
 * changes no checksum.
 */
function sumOf(table: string, row: Row): number {
  const names = Object.keys(row).filter((name) => name !== "sum" && row[name] !== null);
  return rowSum(
    table,
    names.toSorted().flatMap((name) => [name, row[name] ?? null]),
  );
}

/** Triggers that update the tally, so that rows deleted by a foreign key are counted too. */
function tallyTriggers(table: string): string {
  const tally = (rows: string, change: string): string =>
    `BEGIN UPDATE tally SET ${rows}sum = (sum ${change}) & 4294967295 WHERE name = '${table}'; END`;
  return `
ALTER TABLE ${table} ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
INSERT INTO tally VALUES ('${table}', (SELECT count(*) FROM ${table}), 0);
CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} ${tally("rows = rows + 1, ", "+ NEW.sum")};
CREATE TRIGGER ${table}_removed AFTER DELETE ON ${table} ${tally("rows = rows - 1, ", "- OLD.sum")};
CREATE TRIGGER ${table}_changed AFTER UPDATE ON ${table} ${tally("", "- OLD.sum + NEW.sum")};
`;
}

/** Triggers that reject writes by an older svc, which writes no checksums: its rows would be taken for damage. */
function versionTriggers(table: string): string {
  const refusal = "BEGIN SELECT RAISE(ABORT, 'a newer svc keeps this list'); END";
  return `
CREATE TRIGGER ${table}_unsummed BEFORE INSERT ON ${table} WHEN NEW.sum = 0 ${refusal};
CREATE TRIGGER ${table}_outdated BEFORE UPDATE ON ${table} WHEN NEW.sum = OLD.sum ${refusal};
`;
}

function connect(path: string, access: Access): Connection {
  if (access === "look") return reading(path, immutableUri(path), undefined);
  if (access === "read") return openToRead(path, undefined);
  try {
    return openToWrite(path);
  } catch (thrown) {
    if (!(thrown instanceof Error && isAboutWriting(thrown))) throw damageIn(thrown);
    return openToRead(path, thrown);
  }
}

function openToWrite(path: string): Connection {
  // SQLite silently falls back to read-only mode if the file is not writable.
  accessSync(path, constants.W_OK);
  accessSync(dirname(path), constants.W_OK);
  const db = new DatabaseSync(path, { timeout: TIMEOUT_MS });
  try {
    enableWal(db);
    db.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF");
    return { db, obstacle: undefined, signature: undefined };
  } catch (thrown) {
    db.close();
    throw thrown;
  }
}

function openToRead(path: string, refusal: Error | undefined): Connection {
  let problem: unknown = refusal;
  for (const { address, isImmutable } of readOnlyAddresses(path)) {
    try {
      return reading(path, address, refusal, isImmutable);
    } catch (thrown) {
      if (!isAboutWriting(thrown)) throw damageIn(thrown);
      problem ??= thrown;
    }
  }
  throw problem;
}

function reading(
  path: string,
  address: string | URL,
  refusal: Error | undefined,
  isImmutable = typeof address !== "string",
): Connection {
  const signature = isImmutable ? fileSignature(path) : undefined;
  const db = new DatabaseSync(address, { readOnly: true, timeout: TIMEOUT_MS });
  try {
    db.exec("PRAGMA trusted_schema = OFF");
    db.prepare("SELECT 1 FROM sqlite_schema").all();
    return { db, obstacle: refusal ?? new Error("It was opened read-only."), signature };
  } catch (thrown) {
    db.close();
    throw damageIn(thrown);
  }
}

function damageIn(thrown: unknown): unknown {
  return DAMAGE.has((sqliteCode(thrown) ?? 0) & 0xff) ? registryDamaged(thrown) : thrown;
}
