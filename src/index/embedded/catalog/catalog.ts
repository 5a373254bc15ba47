// The catalogue of one namespace: which segments are live, and which file is in which.
// SQLite in WAL mode, so that any number of processes read while one writes.

import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

import { FINGERPRINTS_SINCE, MIN_READABLE_VERSION, REREAD_BELOW } from "../segment/format.ts";
import { enableWal } from "../../../base/enable-wal.ts";
import { isAboutWriting, sqliteCode } from "../../../base/errors.ts";
import { readOnlyAddresses, fileSignature } from "../../../base/immutable-uri.ts";
import { guarded, statementsOf, type SqlStatements } from "./catalog-connection.ts";
import { CATALOG_SCHEMA, CATALOG_VERSION, EARLIER_SCHEMA } from "./catalog-schema.ts";
import {
  dropAll,
  hasChangeLogVersion,
  isBetween,
  isNewer,
  metaOf,
  catalogVersionOf,
} from "./catalog-version.ts";
import { damagedCatalog, IndexDamage, NewerIndex, writeRefused } from "../../damage.ts";
import { markAfter } from "../../fence.ts";
import { EarlierTable } from "./earlier-table.ts";
import { FileTable, type TallyStore } from "./file-table.ts";
import { ChangeLog } from "../change-log/change-log.ts";
import type { FlushPlan } from "../../change-log/change-event.ts";
import {
  CHANGE_LOG_SCHEMA,
  CHANGE_LOG_TABLES,
  CHANGE_LOG_VERSION,
} from "../change-log/change-log-schema.ts";
import { NOTE_PREFIX } from "./meta-keys.ts";
import { MetaTable } from "./meta-table.ts";
import { SegmentTable } from "./segment-table.ts";
import { EMPTY_TALLY, type Tally } from "./tally.ts";
import { ensurePrivateFile } from "../../../base/files.ts";

/** Key in `meta`: the number of the catalogue's first generation. */
const FIRST_GENERATION_KEY = "first_generation";
/** Key in `meta`: the tally, as JSON. */
const TALLY_KEY = "tally";
/** Key in `meta`: the mark of the last writer that wrote (src/index/fence.ts). */
export const FENCE_KEY = "fence";
/** Key in `meta`: a copy of `user_version`. */
const WRITTEN_AS_KEY = "version";
/** `SQLITE_CHANGESET_ABORT`: one row that is not as expected refuses the whole changeset. */
const SQLITE_ABORT = 2;
const NO_CHANGES = new Uint8Array();
/** A transaction was interrupted, and a read-only connection may not roll it back. */
const SQLITE_READONLY_ROLLBACK = 776;

/** Key in `meta`: the state of another store that this catalogue is a copy of. */
export const REPLICA_KEY = "replica";

/** The step between the changes of a transaction and its commit. */
export interface Confirmation {
  /** May wait. Refuses the commit by throwing. */
  readonly confirm: (changes: Uint8Array) => Promise<void>;
  /** Whether it needs the changes of all rows, as a changeset of SQLite. Without them it gets an empty array. */
  readonly needsChanges: boolean;
}

/** An open catalogue. Methods throw IndexDamage for damaged rows. */
export class Catalog {
  readonly #db: DatabaseSync;
  readonly #sql: SqlStatements;
  readonly #meta: MetaTable;
  /** The current tally, within a transaction that has changed it. */
  #tally: Tally | undefined;
  readonly segments: SegmentTable;
  readonly files: FileTable;
  readonly earlier: EarlierTable;
  /** The change log. */
  readonly changeLog: ChangeLog;

  /** Signature of the file when it was opened, if SQLite would not notice a change. */
  readonly signature: string | undefined;

  private constructor(db: DatabaseSync, signature?: string) {
    this.#db = db;
    this.signature = signature;
    this.#sql = statementsOf(db);
    this.#meta = new MetaTable(this.#sql, "meta");
    const tally: TallyStore = {
      get: () => this.#currentTally(),
      atOnce: (read) => this.snapshot(read),
      change: (change) => void (this.#tally = change(this.#currentTally())),
    };
    this.segments = new SegmentTable(this.#sql, tally);
    this.files = new FileTable(this.#sql, tally);
    this.earlier = new EarlierTable(this.#sql);
    this.changeLog = new ChangeLog(this.#sql);
  }

  /** Opens the catalogue at a path for reading. Undefined if there is none of a usable version yet. */
  static openToRead(path: string): Catalog | undefined {
    if (!existsSync(path)) return undefined;
    let problem: unknown;
    for (const { address, isImmutable } of readOnlyAddresses(path)) {
      try {
        return Catalog.openAt(address, isImmutable ? fileSignature(path) : undefined);
      } catch (thrown) {
        if (!isAboutWriting(thrown)) throw thrown;
        problem ??= thrown;
      }
    }
    throw writeRefused("The catalogue of the index cannot be opened", problem);
  }

  /**
   * Opens the catalogue at an address for reading. `signature`: that of a file which SQLite assumes never
   * changes.
   */
  static openAt(address: string | URL, signature?: string): Catalog | undefined {
    const db = new DatabaseSync(address, { readOnly: true, timeout: 2000 });
    let isOurs = false;
    try {
      isOurs = closingOnError(db, () => isUsable(db, MIN_READABLE_VERSION));
    } catch (thrown) {
      // The process that created the file was killed during its first transaction; the next writer rolls it
      // back.
      if (sqliteCode(thrown) === SQLITE_READONLY_ROLLBACK) return undefined;
      throw thrown;
    }
    if (isOurs) return new Catalog(db, signature);
    db.close();
    return undefined;
  }

  /**
   * Opens the catalogue for writing. Creates the tables, or recreates them if they have another version or `recreate` is
   * set. A readable format that is older gets this one; if its files must be read again, they are set back to the stage
   * "words". The change log stays, and `beforeLosing` can store there what it needs of the other tables. `isReplica`: the
   * catalogue is a copy that another one keeps current, so its form stays. Throws NewerIndex for one of a newer svc.
   */
  static openToWrite(
    path: string,
    {
      recreate = false,
      isReplica = false,
      beforeLosing = () => undefined,
    }: {
      readonly recreate?: boolean;
      readonly isReplica?: boolean;
      readonly beforeLosing?: (catalog: Catalog) => void;
    } = {},
  ): Catalog {
    ensurePrivateFile(path);
    const db = new DatabaseSync(path, { timeout: 5000 });
    closingOnError(db, () => {
      enableWal(db);
      db.exec("PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY");
      if (!recreate && isUsable(db, MIN_READABLE_VERSION)) {
        db.exec(EARLIER_SCHEMA);
        if (!isReplica) new Catalog(db).#becomeCurrent(beforeLosing);
        return;
      }
      db.exec("BEGIN IMMEDIATE");
      const hasChangeLog = hasChangeLogVersion(db, CHANGE_LOG_VERSION);
      const generation = hasChangeLog ? Number(metaOf(db, "generation") ?? 0) : 0;
      if (hasChangeLog && isBetween(catalogVersionOf(db), FINGERPRINTS_SINCE))
        unlessDamaged(() => beforeLosing(new Catalog(db)));
      // A writer that still has the tables of before must not write to these.
      const fence = markAfter(metaOf(db, FENCE_KEY));
      dropAll(db, hasChangeLog ? CHANGE_LOG_TABLES : []);
      Catalog.#createTables(db, generation + 1, hasChangeLog).setMeta(FENCE_KEY, fence);
      db.exec("COMMIT");
    });
    return new Catalog(db);
  }

  /**
   * Creates a catalogue at a path, with what `fill` writes. Its generation is 0: no query uses it before the next writer
   * has published one. An interruption leaves an unusable file: create it where no catalogue is looked for, and move it
   * when it is complete.
   */
  static create(path: string, fill: (catalog: Catalog) => void): void {
    ensurePrivateFile(path);
    const db = new DatabaseSync(path);
    try {
      db.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
      const created = Catalog.#createTables(db, 1, false);
      created.setMeta(FENCE_KEY, markAfter(undefined));
      db.exec("COMMIT");
      created.change(() => {
        created.setMeta("generation", "0");
        fill(created);
      });
      // As `openToWrite` leaves it.
      enableWal(db);
    } finally {
      db.close();
    }
  }

  /** Within a transaction. */
  static #createTables(db: DatabaseSync, firstGeneration: number, hasChangeLog: boolean): Catalog {
    db.exec(CATALOG_SCHEMA);
    db.exec(EARLIER_SCHEMA);
    if (!hasChangeLog) db.exec(CHANGE_LOG_SCHEMA);
    const created = new Catalog(db);
    created.#initialize(firstGeneration, hasChangeLog);
    db.exec(`PRAGMA user_version = ${CATALOG_VERSION}`);
    return created;
  }

  #initialize(firstGeneration: number, hasChangeLog: boolean): void {
    this.setMeta("epoch", randomUUID());
    this.setMeta(FIRST_GENERATION_KEY, String(firstGeneration));
    this.setMeta(WRITTEN_AS_KEY, String(CATALOG_VERSION));
    this.setMeta(TALLY_KEY, JSON.stringify(EMPTY_TALLY));
    if (!hasChangeLog) this.changeLog.begin();
  }

  #becomeCurrent(beforeLosing: (catalog: Catalog) => void): void {
    if (this.isCurrent) return;
    this.change(() => {
      if (this.isOutdated) {
        beforeLosing(this);
        this.files.resetToWords();
        this.earlier.clear();
        // Notes may record that indexing is complete.
        this.removeMeta(NOTE_PREFIX);
      }
      // Another store that it is a copy of has the form of before.
      this.removeMeta(REPLICA_KEY);
      this.setMeta(WRITTEN_AS_KEY, String(CATALOG_VERSION));
      this.#db.exec(`PRAGMA user_version = ${CATALOG_VERSION}`);
    });
  }

  close(): void {
    this.#db.close();
  }

  /** Whether its tables and segments have the form that this svc writes. */
  get isCurrent(): boolean {
    return catalogVersionOf(this.#db) === CATALOG_VERSION;
  }

  /** Whether the next writer will have all files read again, because an older svc wrote it. */
  get isOutdated(): boolean {
    return !isBetween(catalogVersionOf(this.#db), REREAD_BELOW);
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
          this.earlier.isSound() &&
          this.changeLog.isSound(),
      );
    } catch {
      return false;
    }
  }

  /** Changes whenever another connection has committed; reading it takes microseconds. */
  dataVersion(): number {
    return Number(this.#sql.get("PRAGMA data_version")?.["data_version"] ?? 0);
  }

  meta(key: string): string | undefined {
    return this.#meta.get(key);
  }

  setMeta(key: string, value: string): void {
    this.#meta.set(key, value);
  }

  /** Deletes all keys with this prefix. */
  removeMeta(prefix: string): void {
    this.#sql.run("DELETE FROM meta WHERE substr(key, 1, ?) = ?", prefix.length, prefix);
  }

  /** The number of the generation, which each published change increases by one. */
  generation(): number {
    const generation = this.meta("generation");
    // The first change adds rows before it has a number.
    const isFirst = this.#tally !== undefined || this.#currentTally().file.rows === 0;
    if (generation === undefined && !isFirst) throw damagedCatalog();
    return Number(generation ?? 0);
  }

  #currentTally(): Tally {
    const text = this.#tally === undefined ? this.meta(TALLY_KEY) : "";
    if (text === undefined) throw damagedCatalog();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own, checksum verified
    return this.#tally ?? (JSON.parse(text) as Tally);
  }

  /**
   * Runs `change` in one transaction, which becomes the next generation. With `plan`, also writes the pending
   * changes to the change log. Returns the generation.
   */
  publish(change: () => void, plan?: FlushPlan): number {
    this.change(() => this.#nextGeneration(change, plan));
    return this.generation();
  }

  /** Does the same, and waits for the confirmation before it commits. If that throws, nothing is changed. */
  async publishConfirmed(
    change: () => void,
    plan: FlushPlan | undefined,
    confirmation: Confirmation | undefined,
  ): Promise<void> {
    await this.changeConfirmed(() => this.#nextGeneration(change, plan), confirmation);
  }

  #nextGeneration(change: () => void, plan: FlushPlan | undefined): void {
    change();
    // The change log may have generation numbers of an earlier index; continue after them.
    const first = Number(this.meta(FIRST_GENERATION_KEY) ?? 1);
    const generation = Math.max(this.generation() + 1, first);
    this.setMeta("generation", String(generation));
    this.setMeta("indexed_at", new Date().toISOString());
    if (plan !== undefined) this.changeLog.flushPending(generation, plan);
  }

  /** Runs `change` in one transaction without a new generation, because search results stay the same. */
  change(change: () => void): void {
    this.#begin();
    try {
      change();
      this.#commit();
    } catch (thrown) {
      this.#rollBack();
      throw thrown;
    }
  }

  /** Does the same, and waits for the confirmation before it commits. If that throws, nothing is changed. */
  async changeConfirmed(change: () => void, confirmation: Confirmation | undefined): Promise<void> {
    this.#begin();
    const session = confirmation?.needsChanges === true ? this.#db.createSession() : undefined;
    try {
      change();
      this.#writeTally();
      await confirmation?.confirm(session?.changeset() ?? NO_CHANGES);
      this.#commit();
    } catch (thrown) {
      this.#rollBack();
      throw thrown;
    } finally {
      // After a failed commit the database may be closed, and the session with it.
      if (this.#db.isOpen) session?.close();
    }
  }

  /**
   * Applies the changes of transactions of another copy, all or none. Throws INDEX_UNAVAILABLE if this copy is not the one
   * that they change, or does not end with `mark` as its REPLICA_KEY.
   */
  applyChanges(transactions: readonly Uint8Array[], mark: string): void {
    this.#begin();
    try {
      for (const changes of transactions) {
        const isApplied = this.#db.applyChangeset(changes, { onConflict: () => SQLITE_ABORT });
        if (!isApplied) throw damagedCatalog();
      }
      if (this.meta(REPLICA_KEY) !== mark) throw damagedCatalog();
      this.#commit();
    } catch (thrown) {
      this.#rollBack();
      throw thrown;
    }
  }

  /** Writes a copy of the committed state to a new file. */
  copyTo(path: string): void {
    this.#sql.run("VACUUM INTO ?", path);
  }

  #begin(): void {
    guarded(() => this.#db.exec("BEGIN IMMEDIATE"));
  }

  #writeTally(): void {
    if (this.#tally !== undefined) this.setMeta(TALLY_KEY, JSON.stringify(this.#tally));
  }

  #commit(): void {
    this.#writeTally();
    guarded(() => this.#db.exec("COMMIT"));
    this.#tally = undefined;
  }

  #rollBack(): void {
    this.#tally = undefined;
    // A failed COMMIT may have ended the transaction.
    if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
  }

  /** Runs `read` on one consistent state. */
  snapshot<T>(read: () => T): T {
    // A nested call uses the state of the outer transaction.
    if (this.#db.isTransaction) return read();
    guarded(() => this.#db.exec("BEGIN"));
    try {
      return read();
    } finally {
      guarded(() => this.#db.exec("COMMIT"));
    }
  }
}

/** Whether the tables have a usable version; otherwise they are older. Throws NewerIndex or IndexDamage. */
function isUsable(db: DatabaseSync, oldestFormat: number): boolean {
  const version = catalogVersionOf(db);
  if (!isNewer(version)) return isBetween(version, oldestFormat);
  // The version in the file header has no checksum, so it is compared with its copy.
  let written: string | undefined;
  try {
    written = new MetaTable(statementsOf(db), "meta").get(WRITTEN_AS_KEY);
  } catch {
    // The tables have another form or are damaged; they are left unchanged.
  }
  throw written === String(CATALOG_VERSION) ? damagedCatalog() : new NewerIndex();
}

/** Runs a query for data that may be lost: ignores damaged rows. */
function unlessDamaged(run: () => void): void {
  try {
    run();
  } catch (thrown) {
    if (!(thrown instanceof IndexDamage)) throw thrown;
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
