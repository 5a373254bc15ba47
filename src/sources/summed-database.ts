// An SQLite file whose rows are verified as they are read: each has a checksum, and each table a tally of them.

import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

import { enableWal } from "../base/enable-wal.ts";
import { isAboutWriting, sqliteCode, SvcError } from "../base/errors.ts";
import { isCountOf, rowSum, type SqlValue } from "../base/row-sum.ts";
import { readOnlyAddresses, fileSignature, immutableUri } from "../base/immutable-uri.ts";

export interface SumScheme {
  /** By table, the columns of its primary key. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  /** The version whose rows have sums: that of a file after all migrations. */
  readonly version: number;
  /** The first makes the tables of an empty file. */
  readonly migrations: readonly string[];
  /** Whether the file may be one that nothing was ever written to. */
  readonly mayBeEmpty: () => boolean;
  /** Fills in what a row of an older version lacks. */
  readonly complete: (table: string, row: Row) => Row;
}

export type Row = Readonly<Record<string, SqlValue>>;

/**
 * `use`: to read and write, or to read alone where nothing can be written. `read`: to read alone. `look`: the same,
 * and to leave no trace, not even of SQLite's own.
 */
export type Access = "use" | "read" | "look";

interface Connection {
  readonly db: DatabaseSync;
  /** Why it cannot be written; undefined where it can. */
  readonly obstacle: Error | undefined;
  /** The file as it was opened, where SQLite would not notice that it changes. */
  readonly signature: string | undefined;
}

const TIMEOUT_MS = 5000;
/** How often a file is read again that somebody was writing meanwhile. */
const ATTEMPTS = 3;
/** SQLITE_ERROR, of a table that is not there; SQLITE_CORRUPT; SQLITE_CONSTRAINT; SQLITE_NOTADB. */
const DAMAGE: ReadonlySet<number> = new Set([1, 11, 19, 26]);

export class SummedDatabase {
  readonly #path: string;
  readonly #scheme: SumScheme;
  readonly #access: Access;
  #connection: Connection;
  #statements = new Map<string, StatementSync>();
  /** Of tables, verified; kept while nobody changes the file. */
  readonly #kept = new Map<string, readonly Row[]>();
  #dataVersion: SqlValue | undefined;
  /** False for a file of an older version that is only read. */
  #hasSums = true;

  /** Opens a file that is there, and reads all of it. Throws INDEX_CORRUPT. */
  constructor(path: string, scheme: SumScheme, access: Access) {
    this.#path = path;
    this.#scheme = scheme;
    this.#access = access;
    this.#connection = connect(path, access);
    try {
      this.#guarded(() => this.#begin());
    } catch (thrown) {
      this.close();
      throw thrown;
    }
  }

  /** Why the file can only be read; undefined where it can be written. */
  get obstacle(): Error | undefined {
    return this.#connection.obstacle;
  }

  close(): void {
    this.#connection.db.close();
  }

  /** All rows of a table, in the order of its primary key. Throws INDEX_CORRUPT where one is not as it was written. */
  rows(table: string): readonly Row[] {
    return this.#guarded(() => {
      for (let left = ATTEMPTS; ; left -= 1) {
        this.#forgetOld();
        const known = this.#kept.get(table);
        if (known !== undefined) return known;
        try {
          const rows = this.#read(table);
          this.#kept.set(table, rows);
          return rows;
        } catch (thrown) {
          if (left === 0 || !this.#isOutdated()) throw thrown;
        }
      }
    });
  }

  /** Everything in `work` or nothing. Throws what refuses to be written. */
  change<T>(work: () => T): T {
    if (this.obstacle !== undefined) throw this.obstacle;
    const { db } = this.#connection;
    return this.#guarded(() => {
      db.exec("BEGIN IMMEDIATE");
      try {
        const result = work();
        db.exec("COMMIT");
        return result;
      } catch (thrown) {
        if (db.isTransaction) db.exec("ROLLBACK");
        this.#kept.clear();
        throw thrown;
      }
    });
  }

  /** The same where a power cut may lose it. */
  changeLightly(work: () => void): void {
    if (this.obstacle !== undefined) throw this.obstacle;
    const { db } = this.#connection;
    db.exec("PRAGMA synchronous = NORMAL");
    try {
      this.change(work);
    } finally {
      db.exec("PRAGMA synchronous = FULL");
    }
  }

  /** Adds a row, within `change`; returns it with what the table adds. */
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

  /** Changes a row as it was read, within `change`. */
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
    this.#kept.delete(table);
  }

  /** Removes a row, within `change`, and what refers to it. */
  remove(table: string, row: Row): void {
    const { where, key } = this.#place(table, row);
    this.#run(`DELETE FROM ${table} ${where}`, key);
    this.#kept.clear();
  }

  #begin(): void {
    const isCurrent = (): boolean => this.#version() >= this.#scheme.version;
    if (this.obstacle === undefined && !isCurrent()) {
      // Another process may have done it meanwhile.
      this.change(() => {
        if (!isCurrent()) this.#migrate();
      });
    }
    // In one statement, so that both are of one state while another process migrates the file.
    const [form] = this.#run(
      `SELECT (SELECT user_version FROM pragma_user_version) AS version,
              EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'tally') AS sums`,
    );
    this.#hasSums = Number(form?.["sums"]) === 1;
    // The version is in the header of the file, which has no sum: it must fit the tables.
    if (this.#hasSums !== Number(form?.["version"]) >= this.#scheme.version)
      throw registryDamaged();
    this.#requireFilled();
    // Damage to one table is reported to callers that need another: it is the same file.
    for (const table of Object.keys(this.#scheme.keys)) this.rows(table);
  }

  /** A file that was cut to nothing looks like a new one. */
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
      db.exec(summing(table));
      for (const row of this.#run(`SELECT * FROM ${table}`)) {
        this.update(table, row, complete(table, row));
      }
      db.exec(guarding(table));
    }
    db.exec(`PRAGMA user_version = ${version}`);
  }

  /** The rows of a table and what the tally says of them, of one state of the file. */
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

  #forgetOld(): void {
    if (this.#isOutdated()) {
      this.close();
      this.#statements = new Map();
      this.#connection = connect(this.#path, this.#access === "use" ? "read" : this.#access);
      this.#kept.clear();
    }
    if (this.#connection.signature !== undefined) return;
    const [row] = this.#run("PRAGMA data_version");
    const version = row?.["data_version"];
    if (version !== this.#dataVersion) this.#kept.clear();
    this.#dataVersion = version;
  }

  /** Whether a file that SQLite takes for one that never changes has changed. */
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
      // A damaged number may be larger than JavaScript's are exact.
      statement.setReadBigInts(true);
      this.#statements.set(sql, statement);
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the driver types what it takes
    return statement.all(...(values as SQLInputValue[]));
  }

  /** Turns what SQLite says of a damaged file into INDEX_CORRUPT. */
  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (thrown) {
      if (DAMAGE.has((sqliteCode(thrown) ?? 0) & 0xff)) throw registryDamaged(thrown);
      throw thrown;
    }
  }
}

/** The list of namespaces, their sources and monitors is not as it was written. */
function registryDamaged(cause?: unknown): SvcError {
  return new SvcError("INDEX_CORRUPT", "The list of namespaces (registry.db) is damaged.", {
    hint: "Restore it from a backup, or move it away and run `svc index DIR` for each folder; `svc doctor` prints the commands.",
    cause,
  });
}

/** Of what is set in a row, by the names of the columns: a column that a later version adds changes no sum. */
function sumOf(table: string, row: Row): number {
  const names = Object.keys(row).filter((name) => name !== "sum" && row[name] !== null);
  return rowSum(
    table,
    names.toSorted().flatMap((name) => [name, row[name] ?? null]),
  );
}

/** SQLite itself keeps the tally, so that what goes with another row is counted too. */
function summing(table: string): string {
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

/** An older svc knows nothing of sums: what it would write is refused, so that it is not taken for damage. */
function guarding(table: string): string {
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
  // SQLite falls back by itself to reading where the file is not writable, and says nothing.
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
    return { db, obstacle: refusal ?? new Error("It was opened to be read."), signature };
  } catch (thrown) {
    db.close();
    throw damageIn(thrown);
  }
}

function damageIn(thrown: unknown): unknown {
  return DAMAGE.has((sqliteCode(thrown) ?? 0) & 0xff) ? registryDamaged(thrown) : thrown;
}
