// The catalogue's table of files. Each row is verified when it is read; reading all rows also detects missing
// ones.

import type { FileStage, Totals } from "../../types.ts";
import { crc32 } from "node:zlib";

import type { SQLOutputValue } from "node:sqlite";

import type { SqlStatements } from "./catalog-connection.ts";
import { damagedCatalog } from "../../damage.ts";
import { mostFrequentFirst } from "../../file-totals.ts";
import { factsOf, toFileRow, type PlacedFile, type StoredFileRow } from "./file-row.ts";
import { requireAll } from "./row-count.ts";
import { rowSum, type SqlValue } from "../../../base/row-sum.ts";
import { isTallyOf, withFile, withoutFile, type Tally } from "./tally.ts";

/** A file and the reason why its content or its grammar was not used. */
export interface FileReason {
  readonly path: string;
  readonly reason: string;
}

/** Reads the catalogue's tally, and replaces it within a transaction. */
export interface TallyStore {
  readonly get: () => Tally;
  readonly change: (change: (tally: Tally) => Tally) => void;
  /** Runs `read` on one consistent state of rows and tally. */
  readonly atOnce: <T>(read: () => T) => T;
}

/** The table `file`. Methods throw IndexDamage for damaged or missing rows. */
export class FileTable {
  readonly #sql: SqlStatements;
  readonly #tally: TallyStore;

  constructor(sql: SqlStatements, tally: TallyStore) {
    this.#sql = sql;
    this.#tally = tally;
  }

  all(): readonly StoredFileRow[] {
    return this.#tally.atOnce(() => this.#all());
  }

  #all(): readonly StoredFileRow[] {
    const sums: number[] = [];
    const rows = this.#sql.arrays("SELECT * FROM file").map((row) => {
      sums.push(Number(row.at(CHECKSUM_COLUMN)));
      return verifiedFile(row);
    });
    requireAll(this.#tally.get().file, sums);
    return rows;
  }

  /** Whether every row and every total is right; reads everything. */
  isSound(): boolean {
    const rows = this.all();
    this.paths();
    return isTallyOf(this.#tally.get(), rows);
  }

  /** Returns the paths of all files in code unit order. */
  paths(): readonly string[] {
    const { paths, count } = this.#tally.atOnce(() => ({
      paths: this.#sql.arrays("SELECT path FROM file").map(([path]) => String(path)),
      count: this.#tally.get().paths,
    }));
    requireAll(
      count,
      paths.map((path) => crc32(path)),
    );
    // SQLite compares bytes, which gives another order beyond the basic plane.
    return paths.toSorted();
  }

  /** Returns the files in a folder ("" is the root), directly or anywhere below it. */
  inFolder(folder: string, isRecursive: boolean): readonly StoredFileRow[] {
    const prefix = folder === "" ? "" : `${folder}/`;
    // "0" is the character after "/"; the last code point is after every path.
    const end = folder === "" ? "\u{10ffff}" : `${folder}0`;
    const rows = this.#files("WHERE path >= ? AND path < ?", prefix, end);
    return isRecursive ? rows : rows.filter(({ path }) => !path.includes("/", prefix.length));
  }

  get(path: string): StoredFileRow | undefined {
    return this.#files("WHERE path = ?", path)[0];
  }

  /** Returns the location of a file's content; undefined if it is not indexed. */
  placeOf(path: string): { readonly segment: number; readonly ordinal: number } | undefined {
    const sql = "SELECT segment, ordinal, place_sum FROM file WHERE path = ?";
    const row = this.#sql.get(sql, path);
    if (row === undefined) return undefined;
    const { segment = null, ordinal = null } = row;
    if (placeChecksum(path, segment, ordinal) !== row["place_sum"]) throw damagedCatalog();
    return segment === null ? undefined : { segment: Number(segment), ordinal: Number(ordinal) };
  }

  hasListed(): boolean {
    return this.#tally.get().stages.listed > 0;
  }

  /** Returns files that were found but not read yet. */
  listed(): readonly StoredFileRow[] {
    return this.#tally.atOnce(() => {
      const { listed } = this.#tally.get().stages;
      const rows = listed === 0 ? [] : this.#files("WHERE stage = 0");
      if (rows.length !== listed) throw damagedCatalog();
      return rows;
    });
  }

  put(row: PlacedFile): void {
    const before = this.get(row.path);
    if (before !== undefined) this.#tally.change((tally) => without(tally, before));
    this.#write("INSERT OR REPLACE", row);
  }

  /** Adds a file that is not there, in half the time of `put`. */
  add(row: PlacedFile): void {
    this.#write("INSERT", row);
  }

  #write(statement: "INSERT" | "INSERT OR REPLACE", row: PlacedFile): void {
    const { path, segment, ordinal } = row;
    const facts = factsOf(row);
    const sum = rowSum("file", facts);
    this.#sql.run(
      `${statement} INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...facts,
      segment,
      ordinal,
      placeChecksum(path, segment, ordinal),
      sum,
    );
    this.#tally.change((tally) => withFile(tally, row, sum));
  }

  /** Resets every complete file with indexed content to the stage "words". */
  resetToWords(): void {
    for (const row of this.all()) {
      const needsReset = row.stage === "complete" && row.segment !== null;
      if (needsReset) this.put({ ...row, stage: "words" });
    }
  }

  /** Records the new location of a file's content. */
  move(path: string, segment: number, ordinal: number): void {
    const sql = "UPDATE file SET segment = ?, ordinal = ?, place_sum = ? WHERE path = ?";
    this.#sql.run(sql, segment, ordinal, placeChecksum(path, segment, ordinal), path);
  }

  remove(path: string): void {
    const before = this.get(path);
    this.#sql.run("DELETE FROM file WHERE path = ?", path);
    this.#tally.change((tally) => without(tally, before));
  }

  /** Returns the number of files by stage, without skipped ones. */
  stageCounts(): Readonly<Record<FileStage, number>> {
    return this.#tally.get().stages;
  }

  totals(): Totals {
    const { files, chunks, symbols, bytes } = this.#tally.get();
    return { files, chunks, symbols, bytes };
  }

  /** Returns the number of files whose content is not indexed, by reason; the most frequent first. */
  skippedCounts(): Readonly<Record<string, number>> {
    return mostFrequentFirst(this.#tally.get().skipped);
  }

  /** Returns the number of files that were indexed without their grammar, by reason; the most frequent first. */
  problemCounts(): Readonly<Record<string, number>> {
    return mostFrequentFirst(this.#tally.get().problems);
  }

  skipped(limit: number): readonly FileReason[] {
    const rows = this.#counted("skipped", limit);
    return rows.map(({ path, skipped }) => ({ path, reason: skipped ?? "" }));
  }

  problems(limit: number): readonly FileReason[] {
    const rows = this.#counted("problem", limit);
    return rows.map(({ path, problem }) => ({ path, reason: problem?.reason ?? "" }));
  }

  /** Returns files with a value in this column, in path order. */
  #counted(column: "skipped" | "problem", limit: number): readonly StoredFileRow[] {
    const { rows, counts } = this.#tally.atOnce(() => ({
      rows: this.#files(`WHERE ${column} IS NOT NULL ORDER BY path LIMIT ?`, limit),
      counts: column === "skipped" ? this.#tally.get().skipped : this.#tally.get().problems,
    }));
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
    if (rows.length !== Math.min(limit, all)) throw damagedCatalog();
    return rows;
  }

  #files(condition: string, ...values: SqlValue[]): readonly StoredFileRow[] {
    return this.#sql.arrays(`SELECT * FROM file ${condition}`, ...values).map(verifiedFile);
  }
}

/** Number of a row's facts, which are its first columns. */
const FACT_COLUMNS = 16;
/** Position of the checksum of a row's facts. */
const CHECKSUM_COLUMN = -1;
const PLACE_CHECKSUM_COLUMN = -2;

/** Returns a row of `SELECT * FROM file`. Throws IndexDamage if it is not as it was written. */
export function verifiedFile(values: readonly SQLOutputValue[]): StoredFileRow {
  const row = toFileRow(values);
  const { path, segment, ordinal } = row;
  // Uses the raw values: a run reads each row of the index, and `factsOf` would make five lists for each.
  const isRight =
    rowSum("file", values.slice(0, FACT_COLUMNS)) === values.at(CHECKSUM_COLUMN) &&
    placeChecksum(path, segment, ordinal) === values.at(PLACE_CHECKSUM_COLUMN);
  if (!isRight) throw damagedCatalog();
  return row;
}

/** A separate checksum, because a merge moves many files without reading their other columns. */
function placeChecksum(path: string, segment: SQLOutputValue, ordinal: SQLOutputValue): number {
  return rowSum("place", [path, segment, ordinal]);
}

function without(tally: Tally, row: StoredFileRow | undefined): Tally {
  return row === undefined ? tally : withoutFile(tally, row, rowSum("file", factsOf(row)));
}
