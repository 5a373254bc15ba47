// The catalogue of one namespace: which segments are live, and which file is in which.
// SQLite in WAL mode, so that any number of processes read while one writes.

import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

import { READ_MIN, REBUILD_BELOW, WRITE_MIN } from "../segment/format.ts";
import { enterWal } from "../../base/enter-wal.ts";
import { sqliteCode } from "../../base/errors.ts";
import { guarded, statementsOf, type Sql } from "./catalog-connection.ts";
import { SCHEMA, VERSION } from "./catalog-schema.ts";
import {
  dropAll,
  generationOf,
  hasJournalOf,
  isBetween,
  isNewer,
  versionOf,
} from "./catalog-version.ts";
import { damagedCatalogue, NewerIndex, refused } from "../damage.ts";
import { FileTable, type TallyKeeper } from "./file-table.ts";
import { Journal, type Settlement } from "../journal/journal.ts";
import { JOURNAL_SCHEMA, JOURNAL_TABLES, JOURNAL_VERSION } from "../journal/journal-schema.ts";
import { MetaTable } from "./meta-table.ts";
import { SegmentTable } from "./segment-table.ts";
import { EMPTY_TALLY, type Tally } from "./tally.ts";
import { ensurePrivateFile } from "../../base/files.ts";

/** Under this a catalogue says which number its first generation has … */
const FIRST_GENERATION = "first_generation";
/** … and under this, as JSON, what it has in all. */
const TALLY = "tally";
/** Under this its `user_version` stands again. */
const WRITTEN_AS = "version";
/** A transaction was broken off, and a connection that only reads may not undo it. */
const SQLITE_READONLY_ROLLBACK = 776;

export class Catalog {
  readonly #db: DatabaseSync;
  readonly #sql: Sql;
  readonly #meta: MetaTable;
  /** Within a transaction that has changed it. */
  #tally: Tally | undefined;
  readonly segments: SegmentTable;
  readonly files: FileTable;
  /** What changed. */
  readonly journal: Journal;

  private constructor(db: DatabaseSync) {
    this.#db = db;
    this.#sql = statementsOf(db);
    this.#meta = new MetaTable(this.#sql, "meta");
    const tally: TallyKeeper = {
      get: () => this.#tallyNow(),
      atOnce: (read) => this.snapshot(read),
      change: (change) => void (this.#tally = change(this.#tallyNow())),
    };
    this.segments = new SegmentTable(this.#sql, tally);
    this.files = new FileTable(this.#sql, tally);
    this.journal = new Journal(this.#sql);
  }

  /** Opens to read, by its path or an address of it. Undefined when there is no catalogue of this version yet. */
  static openToRead(path: string | URL): Catalog | undefined {
    let db: DatabaseSync;
    try {
      db = new DatabaseSync(path, { readOnly: true, timeout: 2000 });
    } catch (cause) {
      if (!existsSync(path)) return undefined;
      throw refused("The catalogue of the index cannot be opened", cause);
    }
    let isOurs = false;
    try {
      isOurs = closingOnError(db, () => isUsable(db, READ_MIN));
    } catch (thrown) {
      // Who made the file was killed before its first change was whole; the next writer takes that back.
      if (sqliteCode(thrown) === SQLITE_READONLY_ROLLBACK) return undefined;
      throw thrown;
    }
    if (isOurs) return new Catalog(db);
    db.close();
    return undefined;
  }

  /** Opens to write; makes the tables, or makes them anew when they are of another version, or when `anew` says so. */
  static openToWrite(path: string, { anew = false } = {}): Catalog {
    ensurePrivateFile(path);
    const db = new DatabaseSync(path, { timeout: 5000 });
    closingOnError(db, () => {
      enterWal(db);
      db.exec("PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY");
      if (!anew && isUsable(db, Math.max(WRITE_MIN, REBUILD_BELOW))) return;
      db.exec("BEGIN IMMEDIATE");
      const hasJournal = hasJournalOf(db, JOURNAL_VERSION);
      const generation = hasJournal ? generationOf(db) : 0;
      dropAll(db, hasJournal ? JOURNAL_TABLES : []);
      db.exec(SCHEMA);
      if (!hasJournal) db.exec(JOURNAL_SCHEMA);
      new Catalog(db).#begin(generation + 1, hasJournal);
      db.exec(`PRAGMA user_version = ${VERSION}; COMMIT`);
    });
    return new Catalog(db);
  }

  #begin(firstGeneration: number, hasJournal: boolean): void {
    this.setMeta("epoch", randomUUID());
    this.setMeta(FIRST_GENERATION, String(firstGeneration));
    this.setMeta(WRITTEN_AS, String(VERSION));
    this.setMeta(TALLY, JSON.stringify(EMPTY_TALLY));
    if (!hasJournal) this.journal.begin();
  }

  close(): void {
    this.#db.close();
  }

  /** Whether everything is as it was written; reads all of it. */
  isSound(): boolean {
    try {
      return this.snapshot(
        () =>
          this.#sql.get("PRAGMA quick_check(1)")?.["quick_check"] === "ok" &&
          this.#meta.isSound() &&
          this.segments.isSound() &&
          this.files.isSound() &&
          this.journal.isSound(),
      );
    } catch {
      return false;
    }
  }

  /** Changes whenever another connection has committed; reading it costs microseconds. */
  dataVersion(): number {
    return Number(this.#sql.get("PRAGMA data_version")?.["data_version"] ?? 0);
  }

  meta(key: string): string | undefined {
    return this.#meta.get(key);
  }

  setMeta(key: string, value: string): void {
    this.#meta.set(key, value);
  }

  /** Forgets what was set under keys that begin so. */
  removeMeta(prefix: string): void {
    this.#sql.run("DELETE FROM meta WHERE substr(key, 1, ?) = ?", prefix.length, prefix);
  }

  /** Grows by one with every published change. */
  generation(): number {
    const generation = this.meta("generation");
    // The first change brings rows before it has a number.
    const isFirst = this.#tally !== undefined || this.#tallyNow().file.rows === 0;
    if (generation === undefined && !isFirst) throw damagedCatalogue();
    return Number(generation ?? 0);
  }

  #tallyNow(): Tally {
    const text = this.#tally === undefined ? this.meta(TALLY) : "";
    if (text === undefined) throw damagedCatalogue();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own, checksum verified
    return this.#tally ?? (JSON.parse(text) as Tally);
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
    guarded(() => this.#db.exec("BEGIN IMMEDIATE"));
    try {
      change();
      if (this.#tally !== undefined) this.setMeta(TALLY, JSON.stringify(this.#tally));
      guarded(() => this.#db.exec("COMMIT"));
    } catch (thrown) {
      // A COMMIT that failed may have ended it.
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw thrown;
    } finally {
      this.#tally = undefined;
    }
  }

  /** Runs `read` on one consistent state. */
  snapshot<T>(read: () => T): T {
    // Within another one it is that one's state.
    if (this.#db.isTransaction) return read();
    guarded(() => this.#db.exec("BEGIN"));
    try {
      return read();
    } finally {
      guarded(() => this.#db.exec("COMMIT"));
    }
  }
}

/** Whether the tables are of a version that can be used; otherwise they are older. */
function isUsable(db: DatabaseSync, oldestFormat: number): boolean {
  const version = versionOf(db);
  if (!isNewer(version)) return isBetween(version, oldestFormat);
  // The number stands by itself in the file's header, where nothing tells whether it was damaged.
  let written: string | undefined;
  try {
    written = new MetaTable(statementsOf(db), "meta").get(WRITTEN_AS);
  } catch {
    // Tables of another form, or damaged ones: they are left alone.
  }
  throw written === String(VERSION) ? damagedCatalogue() : new NewerIndex();
}

function closingOnError<T>(db: DatabaseSync, run: () => T): T {
  try {
    return guarded(run);
  } catch (thrown) {
    db.close();
    throw thrown;
  }
}
