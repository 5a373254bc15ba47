// The catalogue of one namespace: which segments are live, which file is in which, and the symbols.
// SQLite in WAL mode, so that any number of processes read while one writes.

import { randomUUID } from "node:crypto";
import { DatabaseSync, type SQLOutputValue, type StatementSync } from "node:sqlite";

import { READ_MIN, REBUILD_BELOW, ROLES, WRITE_MIN, type Role } from "./format.ts";
import { enterWal } from "../base/enter-wal.ts";
import { sqliteCode, SvcError } from "../base/errors.ts";
import { SCHEMA, VERSION } from "./catalog-schema.ts";
import { dropAll, generationOf, hasJournalOf, isBetween, versionOf } from "./catalog-version.ts";
import type { SegmentImportance } from "./importance.ts";
import { Journal, type Settlement } from "./journal.ts";
import { JOURNAL_SCHEMA, JOURNAL_TABLES, JOURNAL_VERSION } from "./journal-schema.ts";
import { ensurePrivateFile } from "../base/files.ts";

/** Under this a catalogue says which number its first generation has. */
const FIRST_GENERATION = "first_generation";
/** A transaction was broken off, and a connection that only reads may not undo it. */
const SQLITE_READONLY_ROLLBACK = 776;

/**
 * How far a file is: found by the scan; its words, trigrams and the definitions its lines show; its
 * syntax, and the vectors of its chunks. The last stage of a file is the one that is right for its
 * language and size.
 */
export const STAGES = ["listed", "words", "complete"] as const;
export type FileStage = (typeof STAGES)[number];

export interface SegmentRow {
  readonly id: number;
  readonly name: string;
  readonly files: number;
  readonly bytes: number;
  readonly dead: Uint8Array;
  /** Whether its bytes are in the catalogue itself. */
  readonly isRow: boolean;
}

export interface FileRow {
  readonly path: string;
  readonly source: number;
  readonly size: number;
  /** As the file system gives it, with its fraction: to a quarter of a microsecond. */
  readonly mtimeMs: number;
  readonly inode: number;
  /** The first 128 bits of the content's SHA-256, in hex; "" while it has not been read. */
  readonly hash: string;
  /** When the file was read: one written in the same moment must be read again. */
  readonly indexedMs: number;
  /** "" where it is not known. */
  readonly language: string;
  readonly role: Role;
  /** FileFlag bits. */
  readonly flags: number;
  readonly stage: FileStage;
  readonly segment: number | null;
  readonly ordinal: number | null;
  readonly chunks: number;
  readonly symbols: number;
  readonly skipped: string | null;
}

export interface Totals {
  readonly files: number;
  readonly chunks: number;
  readonly symbols: number;
  readonly bytes: number;
}

/** What runs the statements of the journal. */
export interface Sql {
  readonly get: (sql: string, ...values: SqlValue[]) => Row | undefined;
  readonly all: (sql: string, ...values: SqlValue[]) => Row[];
  readonly run: (sql: string, ...values: SqlValue[]) => { lastInsertRowid: number | bigint };
}

export class Catalog {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** What changed. */
  readonly journal = new Journal({
    get: (sql, ...values) => this.#get(sql, ...values),
    all: (sql, ...values) => this.#all(sql, ...values),
    run: (sql, ...values) => this.#run(sql, ...values),
  });

  private constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** Opens to read, by its path or an address of it. Undefined when there is no catalogue of this version yet. */
  static openToRead(path: string | URL): Catalog | undefined {
    let db: DatabaseSync;
    try {
      db = new DatabaseSync(path, { readOnly: true, timeout: 2000 });
    } catch {
      return undefined;
    }
    let isOurs = false;
    try {
      isOurs = closingOnError(db, () => isBetween(versionOf(db), READ_MIN));
    } catch (thrown) {
      // Who made the file was killed before its first change was whole; the next writer takes that back.
      if (sqliteCode(thrown) === SQLITE_READONLY_ROLLBACK) return undefined;
      throw thrown;
    }
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
      if (isBetween(versionOf(db), Math.max(WRITE_MIN, REBUILD_BELOW))) return;
      db.exec("BEGIN IMMEDIATE");
      const hasJournal = hasJournalOf(db, JOURNAL_VERSION);
      const generation = hasJournal ? generationOf(db) : 0;
      dropAll(db, hasJournal ? JOURNAL_TABLES : []);
      db.exec(`${SCHEMA} PRAGMA user_version = ${VERSION}`);
      const meta = db.prepare("INSERT INTO meta VALUES (?, ?)");
      meta.run("epoch", randomUUID());
      meta.run(FIRST_GENERATION, String(generation + 1));
      if (!hasJournal) {
        db.exec(JOURNAL_SCHEMA);
        new Catalog(db).journal.begin();
      }
      db.exec("COMMIT");
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

  /** Forgets what was set under keys that begin so. */
  removeMeta(prefix: string): void {
    this.#run("DELETE FROM meta WHERE substr(key, 1, ?) = ?", prefix.length, prefix);
  }

  /** Grows by one with every published change. */
  generation(): number {
    return Number(this.meta("generation") ?? 0);
  }

  /**
   * Everything in `change` becomes visible at once, as the next generation, or not at all; with `settle` the
   * changes that wait are told with it.
   */
  publish(change: () => void, settle?: Settlement): number {
    let generation = 0;
    this.change(() => {
      change();
      // Changes that the journal tells have the numbers of an index that is no more.
      generation = Math.max(this.generation() + 1, Number(this.meta(FIRST_GENERATION) ?? 1));
      this.setMeta("generation", String(generation));
      this.setMeta("indexed_at", new Date().toISOString());
      if (settle !== undefined) this.journal.settle(generation, settle);
    });
    return generation;
  }

  /** Everything in `change` or nothing, without a new generation: what is searched is as it was. */
  change(change: () => void): void {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      change();
      this.#db.exec("COMMIT");
    } catch (thrown) {
      // A COMMIT that failed may have ended it.
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw thrown;
    }
  }

  /** Runs `read` on one consistent state. */
  snapshot<T>(read: () => T): T {
    // Within another one it is that one's state.
    if (this.#db.isTransaction) return read();
    this.#db.exec("BEGIN");
    try {
      return read();
    } finally {
      this.#db.exec("COMMIT");
    }
  }

  segments(): readonly SegmentRow[] {
    const sql =
      "SELECT id, name, files, bytes, dead, body IS NOT NULL AS is_row FROM segment ORDER BY id";
    return this.#all(sql).map((row) => ({
      id: Number(row["id"]),
      name: String(row["name"]),
      files: Number(row["files"]),
      bytes: Number(row["bytes"]),
      dead: row["dead"] instanceof Uint8Array ? row["dead"] : new Uint8Array(),
      isRow: row["is_row"] === 1,
    }));
  }

  /** The bytes of a segment that is kept here; undefined when there is none of that name. */
  segmentBody(name: string): Uint8Array | undefined {
    const body = this.#get("SELECT body FROM segment WHERE name = ?", name)?.["body"];
    return body instanceof Uint8Array ? body : undefined;
  }

  /** Returns the id of the segment. `body`: its bytes, when they are to be kept here. */
  addSegment(
    { name, files, bytes }: Pick<SegmentRow, "name" | "files" | "bytes">,
    body: Uint8Array | null,
  ): number {
    const sql = "INSERT INTO segment (name, files, bytes, dead, body) VALUES (?, ?, ?, ?, ?)";
    return Number(this.#run(sql, name, files, bytes, new Uint8Array(files), body).lastInsertRowid);
  }

  setDead(segment: number, dead: Uint8Array): void {
    this.#run("UPDATE segment SET dead = ? WHERE id = ?", dead, segment);
  }

  removeSegment(segment: number): void {
    this.#run("DELETE FROM segment WHERE id = ?", segment);
    this.#run("DELETE FROM importance WHERE segment = ?", segment);
  }

  /** Undefined for a segment of which it has not been worked out. */
  importance(segment: number): SegmentImportance | undefined {
    const sql = "SELECT files, symbols FROM importance WHERE segment = ?";
    const { files, symbols } = this.#get(sql, segment) ?? {};
    if (!(files instanceof Uint8Array && symbols instanceof Uint8Array)) return undefined;
    return { files, symbols };
  }

  setImportance(segment: number, { files, symbols }: SegmentImportance): void {
    this.#run("INSERT OR REPLACE INTO importance VALUES (?, ?, ?)", segment, files, symbols);
  }

  files(): readonly FileRow[] {
    return this.#files("SELECT * FROM file");
  }

  /** Paths of all files, in the order of their code units. */
  paths(): readonly string[] {
    // SQLite compares bytes, which beyond the basic plane is another order.
    return this.#arrays("SELECT path FROM file")
      .map(([path]) => String(path))
      .toSorted();
  }

  /** Files that lie in a folder ("" is the root), directly or anywhere below it. */
  filesIn(folder: string, isWhole: boolean): readonly FileRow[] {
    const prefix = folder === "" ? "" : `${folder}/`;
    // "0" is the character behind "/"; the last code point is behind every path.
    const end = folder === "" ? "\u{10ffff}" : `${folder}0`;
    const rows = this.#files("SELECT * FROM file WHERE path >= ? AND path < ?", prefix, end);
    return isWhole ? rows : rows.filter(({ path }) => !path.includes("/", prefix.length));
  }

  file(path: string): FileRow | undefined {
    return this.#files("SELECT * FROM file WHERE path = ?", path)[0];
  }

  /** Where the content of a file is; undefined when it is nowhere. */
  placeOf(path: string): { readonly segment: number; readonly ordinal: number } | undefined {
    const sql = "SELECT segment, ordinal FROM file WHERE path = ? AND segment IS NOT NULL";
    const row = this.#get(sql, path);
    return row && { segment: Number(row["segment"]), ordinal: Number(row["ordinal"]) };
  }

  hasListedFiles(): boolean {
    return this.#get("SELECT 1 FROM file WHERE stage = 0 LIMIT 1") !== undefined;
  }

  /** Files that are found but have not been read yet: what is known of them by their names. */
  listedFiles(): readonly Pick<FileRow, "path" | "language" | "role" | "flags">[] {
    const rows = this.#arrays("SELECT path, language, role, flags FROM file WHERE stage = 0");
    return rows.map(([path, language, role, flags]) => ({
      path: String(path),
      language: String(language),
      role: ROLES[Number(role)] ?? "code",
      flags: Number(flags),
    }));
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

  putFile(row: FileRow): void {
    this.#run(
      "INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      row.path,
      row.source,
      row.size,
      row.mtimeMs,
      row.inode,
      row.hash,
      row.indexedMs,
      row.language,
      ROLES.indexOf(row.role),
      row.flags,
      STAGES.indexOf(row.stage),
      row.segment,
      row.ordinal,
      row.chunks,
      row.symbols,
      row.skipped,
    );
  }

  /** Takes every file whose content is in the index back to the stage of its words. */
  backToWords(): void {
    const [from, to] = [STAGES.indexOf("complete"), STAGES.indexOf("words")];
    this.#run("UPDATE file SET stage = ? WHERE stage = ? AND segment IS NOT NULL", to, from);
  }

  /** Says where the content of a file is now. */
  moveFile(path: string, segment: number, ordinal: number): void {
    this.#run("UPDATE file SET segment = ?, ordinal = ? WHERE path = ?", segment, ordinal, path);
  }

  removeFile(path: string): void {
    this.#run("DELETE FROM file WHERE path = ?", path);
  }

  /** Files whose content is indexed or is to be, by how far they are. */
  stageCounts(): Readonly<Record<FileStage, number>> {
    const counts = { listed: 0, words: 0, complete: 0 };
    for (const row of this.#all(
      "SELECT stage, count(*) AS files FROM file WHERE skipped IS NULL GROUP BY stage",
    )) {
      const stage = STAGES[Number(row["stage"])];
      if (stage !== undefined) counts[stage] = Number(row["files"]);
    }
    return counts;
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
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Whole rows of `file`. */
  #files(sql: string, ...values: SqlValue[]): readonly FileRow[] {
    return this.#arrays(sql, ...values).map(toFileRow);
  }

  /** Rows as arrays, which cost half of what objects do: there may be a hundred thousand. */
  #arrays(sql: string, ...values: SqlValue[]): readonly (readonly SQLOutputValue[])[] {
    return guarded(() => {
      const statement = this.#statement(sql);
      statement.setReturnArrays(true);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- that is what was just asked for
      return statement.all(...values) as unknown as SQLOutputValue[][];
    });
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

export type Row = Record<string, SQLOutputValue>;
export type SqlValue = null | number | string | Uint8Array;

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

/** A row of `SELECT * FROM file`, in the order of the table's columns. */
function toFileRow(row: readonly SQLOutputValue[]): FileRow {
  const [path, source, size, mtimeMs, inode, hash, indexedMs, language, role, flags] = row;
  const [stage, segment, ordinal, chunks, symbols, skipped] = row.slice(10);
  return {
    path: String(path),
    source: Number(source),
    size: Number(size),
    mtimeMs: Number(mtimeMs),
    inode: Number(inode),
    hash: String(hash),
    indexedMs: Number(indexedMs),
    language: String(language),
    role: ROLES[Number(role)] ?? "code",
    flags: Number(flags),
    stage: STAGES[Number(stage)] ?? "listed",
    segment: segment === null ? null : Number(segment),
    ordinal: ordinal === null ? null : Number(ordinal),
    chunks: Number(chunks),
    symbols: Number(symbols),
    skipped: typeof skipped === "string" ? skipped : null,
  };
}
