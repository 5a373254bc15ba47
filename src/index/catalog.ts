// The catalogue of one namespace: which segments are live, which file is in which, and the symbols.
// SQLite in WAL mode, so that any number of processes read while one writes.

import { DatabaseSync, type SQLOutputValue, type StatementSync } from "node:sqlite";

import { FORMAT_VERSION } from "./format.ts";
import { enterWal } from "../base/enter-wal.ts";
import { sqliteCode, SvcError } from "../base/errors.ts";
import { ensurePrivateFile } from "./storage-disk.ts";

/** Version of the tables. */
const SCHEMA_VERSION = 1;
//  1  first form

/** An index of another version, of its tables or of its segments, is dropped and built anew. */
const VERSION = SCHEMA_VERSION * 1000 + FORMAT_VERSION;

const SCHEMA = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE segment (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
  files INTEGER NOT NULL, chunks INTEGER NOT NULL, bytes INTEGER NOT NULL,
  dead BLOB NOT NULL                    -- one byte a file: 1 when a later segment replaced it
);
CREATE TABLE file (
  path TEXT PRIMARY KEY, id INTEGER NOT NULL UNIQUE,
  source INTEGER NOT NULL,
  size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, inode INTEGER NOT NULL,
  hash TEXT NOT NULL, indexed_ns INTEGER NOT NULL,
  segment INTEGER, ordinal INTEGER,     -- NULL when the content is not indexed
  chunks INTEGER NOT NULL, symbols INTEGER NOT NULL,
  skipped TEXT                          -- reason why the content is not indexed
) WITHOUT ROWID;
CREATE INDEX file_segment ON file (segment);
CREATE TABLE symbol (
  key TEXT NOT NULL,                    -- name in lower case
  name TEXT NOT NULL, qualified TEXT NOT NULL, kind TEXT NOT NULL,
  file INTEGER NOT NULL, start_line INTEGER NOT NULL, end_line INTEGER NOT NULL,
  signature TEXT NOT NULL
);
CREATE INDEX symbol_key ON symbol (key);
CREATE INDEX symbol_file ON symbol (file);
`;

export interface SegmentRow {
  readonly id: number;
  readonly name: string;
  readonly files: number;
  readonly chunks: number;
  readonly bytes: number;
  readonly dead: Uint8Array;
}

export interface FileRow {
  readonly path: string;
  readonly id: number;
  readonly source: number;
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly inode: bigint;
  readonly hash: string;
  /** When the file was read, nanoseconds: a file written in the same moment must be read again. */
  readonly indexedNs: bigint;
  readonly segment: number | null;
  readonly ordinal: number | null;
  readonly chunks: number;
  readonly symbols: number;
  readonly skipped: string | null;
}

export interface SymbolRow {
  readonly name: string;
  readonly qualified: string;
  readonly kind: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly signature: string;
}

export interface Totals {
  readonly files: number;
  readonly chunks: number;
  readonly symbols: number;
  readonly bytes: number;
}

export class Catalog {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  private constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** Opens to read. Undefined when there is no catalogue of this version yet. */
  static openToRead(path: string): Catalog | undefined {
    let db: DatabaseSync;
    try {
      db = new DatabaseSync(path, { readOnly: true, timeout: 2000 });
    } catch {
      return undefined;
    }
    const isOurs = closingOnError(db, () => versionOf(db) === VERSION);
    if (isOurs) return new Catalog(db);
    db.close();
    return undefined;
  }

  /** Opens to write; makes the tables, or makes them anew when they are of another version. */
  static openToWrite(path: string): Catalog {
    ensurePrivateFile(path);
    const db = new DatabaseSync(path, { timeout: 5000 });
    closingOnError(db, () => {
      enterWal(db);
      db.exec("PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY");
      if (versionOf(db) === VERSION) return;
      db.exec("BEGIN IMMEDIATE");
      dropAll(db);
      db.exec(`${SCHEMA} PRAGMA user_version = ${VERSION}; COMMIT`);
    });
    return new Catalog(db);
  }

  close(): void {
    this.#db.close();
  }

  /** Whether the tables can be read to the end; reads all of them. */
  isSound(): boolean {
    try {
      return this.#get("PRAGMA quick_check(1)")?.["quick_check"] === "ok";
    } catch {
      return false;
    }
  }

  /** Changes whenever another connection has committed; reading it costs microseconds. */
  dataVersion(): number {
    return Number(this.#get("PRAGMA data_version")?.["data_version"] ?? 0);
  }

  meta(key: string): string | undefined {
    const row = this.#get("SELECT value FROM meta WHERE key = ?", key);
    return row === undefined ? undefined : String(row["value"]);
  }

  setMeta(key: string, value: string): void {
    this.#run(
      "INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
      key,
      value,
    );
  }

  /** Grows by one with every published change. */
  generation(): number {
    return Number(this.meta("generation") ?? 0);
  }

  /** Everything in `change` becomes visible at once, as the next generation, or not at all. */
  publish(change: () => void): number {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      change();
      const generation = this.generation() + 1;
      this.setMeta("generation", String(generation));
      this.setMeta("indexed_at", new Date().toISOString());
      this.#db.exec("COMMIT");
      return generation;
    } catch (thrown) {
      this.#db.exec("ROLLBACK");
      throw thrown;
    }
  }

  /** Runs `read` on one consistent state. */
  snapshot<T>(read: () => T): T {
    this.#db.exec("BEGIN");
    try {
      return read();
    } finally {
      this.#db.exec("COMMIT");
    }
  }

  segments(): readonly SegmentRow[] {
    return this.#all("SELECT * FROM segment ORDER BY id").map((row) => ({
      id: Number(row["id"]),
      name: String(row["name"]),
      files: Number(row["files"]),
      chunks: Number(row["chunks"]),
      bytes: Number(row["bytes"]),
      dead: row["dead"] instanceof Uint8Array ? row["dead"] : new Uint8Array(),
    }));
  }

  addSegment(segment: Omit<SegmentRow, "id" | "dead">): number {
    const result = this.#run(
      "INSERT INTO segment (name, files, chunks, bytes, dead) VALUES (?, ?, ?, ?, ?)",
      segment.name,
      segment.files,
      segment.chunks,
      segment.bytes,
      new Uint8Array(segment.files),
    );
    return Number(result.lastInsertRowid);
  }

  setDead(segment: number, dead: Uint8Array): void {
    this.#run("UPDATE segment SET dead = ? WHERE id = ?", dead, segment);
  }

  removeSegment(segment: number): void {
    this.#run("DELETE FROM segment WHERE id = ?", segment);
  }

  files(): readonly FileRow[] {
    return this.#all("SELECT * FROM file").map(toFileRow);
  }

  file(path: string): FileRow | undefined {
    const row = this.#get("SELECT * FROM file WHERE path = ?", path);
    return row === undefined ? undefined : toFileRow(row);
  }

  /** Paths that end with the file name `name`, or else contain it without its extension; any case. */
  pathsNamed(name: string, limit: number): readonly string[] {
    const escaped = name.replace(/[!%_]/g, "!$&");
    const stem = escaped.replace(/\.[^.]*$/, "");
    const rows = this.#all(
      `SELECT path FROM file WHERE path LIKE ? ESCAPE '!' OR path LIKE ? ESCAPE '!'
       ORDER BY path NOT LIKE ? ESCAPE '!', length(path), path LIMIT ?`,
      `%${escaped}`,
      `%${stem === "" ? escaped : stem}%`,
      `%${escaped}`,
      limit,
    );
    return rows.map((row) => String(row["path"]));
  }

  nextFileId(): number {
    return Number(this.#get("SELECT coalesce(max(id), 0) + 1 AS next FROM file")?.["next"] ?? 1);
  }

  putFile(row: FileRow): void {
    this.#run(
      "INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      row.path,
      row.id,
      row.source,
      row.size,
      row.mtimeNs,
      row.inode,
      row.hash,
      row.indexedNs,
      row.segment,
      row.ordinal,
      row.chunks,
      row.symbols,
      row.skipped,
    );
  }

  /** Changes what is known of files whose content is as it was: no new generation. */
  putFiles(rows: readonly FileRow[]): void {
    if (rows.length === 0) return;
    this.#db.exec("BEGIN IMMEDIATE");
    for (const row of rows) this.putFile(row);
    this.#db.exec("COMMIT");
  }

  removeFile(row: FileRow): void {
    this.#run("DELETE FROM file WHERE path = ?", row.path);
    this.removeSymbols(row.id);
  }

  removeSymbols(file: number): void {
    this.#run("DELETE FROM symbol WHERE file = ?", file);
  }

  addSymbol(file: number, symbol: Omit<SymbolRow, "path">): void {
    this.#run(
      "INSERT INTO symbol VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      symbol.name.toLowerCase(),
      symbol.name,
      symbol.qualified,
      symbol.kind,
      file,
      symbol.startLine,
      symbol.endLine,
      symbol.signature,
    );
  }

  /** Definitions whose name is `name`, in any case; the exact case first. */
  symbolsNamed(name: string, limit: number): readonly SymbolRow[] {
    return this.#all(
      `SELECT symbol.*, file.path AS path FROM symbol JOIN file ON file.id = symbol.file
       WHERE key = ? ORDER BY name != ?, path, start_line LIMIT ?`,
      name.toLowerCase(),
      name,
      limit,
    ).map(toSymbolRow);
  }

  symbolsOfFile(path: string): readonly SymbolRow[] {
    return this.#all(
      `SELECT symbol.*, file.path AS path FROM symbol JOIN file ON file.id = symbol.file
       WHERE file.path = ? ORDER BY start_line, end_line DESC`,
      path,
    ).map(toSymbolRow);
  }

  /** Distinct symbol names that begin with `prefix` (any case): candidates for "did you mean". */
  symbolNames(prefix: string, limit: number): readonly string[] {
    const key = prefix.toLowerCase();
    return this.#all(
      "SELECT DISTINCT name FROM symbol WHERE key >= ? AND key < ? LIMIT ?",
      key,
      `${key}\u{10ffff}`,
      limit,
    ).map((row) => String(row["name"]));
  }

  totals(): Totals {
    const row = this.#get(
      `SELECT count(segment) AS files, coalesce(sum(chunks), 0) AS chunks, coalesce(sum(symbols), 0) AS symbols,
       coalesce(sum(CASE WHEN segment IS NULL THEN 0 ELSE size END), 0) AS bytes FROM file`,
    );
    return {
      files: Number(row?.["files"] ?? 0),
      chunks: Number(row?.["chunks"] ?? 0),
      symbols: Number(row?.["symbols"] ?? 0),
      bytes: Number(row?.["bytes"] ?? 0),
    };
  }

  /** Reason -> number of files whose content is not indexed because of it. */
  skippedCounts(): Readonly<Record<string, number>> {
    const rows = this.#all(
      "SELECT skipped, count(*) AS files FROM file WHERE skipped IS NOT NULL GROUP BY skipped ORDER BY 2 DESC, 1",
    );
    return Object.fromEntries(rows.map((row) => [String(row["skipped"]), Number(row["files"])]));
  }

  skippedFiles(limit: number): readonly { path: string; reason: string }[] {
    return this.#all(
      "SELECT path, skipped FROM file WHERE skipped IS NOT NULL ORDER BY path LIMIT ?",
      limit,
    ).map((row) => ({ path: String(row["path"]), reason: String(row["skipped"]) }));
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      // Nanoseconds since 1970 do not fit a double.
      if (sql.startsWith("SELECT * FROM file")) statement.setReadBigInts(true);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #get(sql: string, ...values: SqlValue[]): Row | undefined {
    return guarded(() => this.#statement(sql).get(...values));
  }

  #all(sql: string, ...values: SqlValue[]): Row[] {
    return guarded(() => this.#statement(sql).all(...values));
  }

  #run(sql: string, ...values: SqlValue[]): { lastInsertRowid: number | bigint } {
    return guarded(() => this.#statement(sql).run(...values));
  }
}

type Row = Record<string, SQLOutputValue>;
type SqlValue = null | number | bigint | string | Uint8Array;

/** Turns SQLite's "malformed" and "not a database" into an error that says how to mend it. */
function guarded<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    const code = sqliteCode(cause);
    // SQLITE_CORRUPT is 11, SQLITE_NOTADB 26.
    if (code !== 11 && code !== 26) throw cause;
    throw new SvcError("INDEX_UNAVAILABLE", "The catalogue of the index is damaged.", {
      hint: "Run `svc index --rebuild`.",
      cause,
    });
  }
}

function closingOnError<T>(db: DatabaseSync, run: () => T): T {
  try {
    return guarded(run);
  } catch (thrown) {
    db.close();
    throw thrown;
  }
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
}

function dropAll(db: DatabaseSync): void {
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  for (const { name } of tables) db.exec(`DROP TABLE "${String(name)}"`);
}

function toFileRow(row: Row): FileRow {
  const { skipped } = row;
  return {
    path: String(row["path"]),
    id: Number(row["id"]),
    source: Number(row["source"]),
    size: Number(row["size"]),
    mtimeNs: big(row["mtime_ns"]),
    inode: big(row["inode"]),
    hash: String(row["hash"]),
    indexedNs: big(row["indexed_ns"]),
    segment: row["segment"] === null ? null : Number(row["segment"]),
    ordinal: row["ordinal"] === null ? null : Number(row["ordinal"]),
    chunks: Number(row["chunks"]),
    symbols: Number(row["symbols"]),
    skipped: typeof skipped === "string" ? skipped : null,
  };
}

function big(value: unknown): bigint {
  return typeof value === "bigint" ? value : 0n;
}

function toSymbolRow(row: Row): SymbolRow {
  return {
    name: String(row["name"]),
    qualified: String(row["qualified"]),
    kind: String(row["kind"]),
    path: String(row["path"]),
    startLine: Number(row["start_line"]),
    endLine: Number(row["end_line"]),
    signature: String(row["signature"]),
  };
}
