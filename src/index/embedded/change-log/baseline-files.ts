// The files' baselines (as the change log last reported them) and pending states (to be reported next): two
// tables of one form, verified when they are read. The baseline of most files is what is indexed of them. Such a file has
// no row: its hash is in the table of files, and its fingerprints in its segment. Its baseline gets a row before other
// content replaces it, and when monitors keep data with it. Files that were indexed in format 11 or before all have rows,
// because their segments have no fingerprints.

import type { SQLOutputValue } from "node:sqlite";

import type { SqlStatements } from "../catalog/catalog-connection.ts";
import { verifiedFile } from "../catalog/file-table.ts";
import { damagedCatalog } from "../../damage.ts";
import type { PendingFile, PendingState, RecordedFile } from "../../change-log/change-log-store.ts";
import { rowSum, type SqlValue } from "../../../base/row-sum.ts";

/** Files that are indexed completely, and whose content is indexed. */
const IS_COMPLETE = "file.stage = 2 AND file.segment IS NOT NULL";
/** Indexed files whose baseline has no row. */
export const INDEXED_BASELINES = `FROM file WHERE ${IS_COMPLETE}
  AND NOT EXISTS (SELECT 1 FROM baseline WHERE baseline.path = file.path)
  AND NOT EXISTS (SELECT 1 FROM pending WHERE pending.path = file.path)`;

/** Pending states that will need no row as a baseline: a removed file, and one whose content is indexed. */
const NEEDS_NO_ROW = `(hash IS NULL OR (lines IS NULL AND watched IS NULL AND EXISTS (SELECT 1 FROM file
   WHERE file.path = pending.path AND file.hash = pending.hash AND ${IS_COMPLETE})))`;

/** Returns the encoded fingerprints of a file of a segment; undefined if they are damaged. */
export type ReadFingerprints = (segment: number, ordinal: number) => Uint8Array | undefined;

/** The tables `baseline` and `pending`. */
export class BaselineFiles {
  readonly #sql: SqlStatements;
  /** Set by writers. */
  readFingerprints: ReadFingerprints = () => undefined;

  constructor(sql: SqlStatements) {
    this.#sql = sql;
  }

  baseline(path: string): RecordedFile | undefined {
    const [row] = this.#sql.arrays("SELECT * FROM baseline WHERE path = ?", path);
    return row === undefined ? this.#indexedBaseline(path) : fileOf(row);
  }

  /** The indexed content of a file, if that is its baseline. */
  #indexedBaseline(path: string): RecordedFile | undefined {
    const sql = `SELECT * FROM file WHERE path = ? AND ${IS_COMPLETE}`;
    const [row] = this.#sql.arrays(sql, path).map(verifiedFile);
    if (row === undefined || this.#hasPending(path)) return undefined;
    const { source, hash, segment, ordinal } = row;
    const read = this.readFingerprints;
    return {
      path,
      source,
      hash,
      get fingerprints() {
        return read(segment ?? -1, ordinal ?? -1) ?? UNKNOWN_FINGERPRINTS;
      },
      lineHashes: null,
      watched: null,
    };
  }

  #hasPending(path: string): boolean {
    return this.#sql.get("SELECT 1 FROM pending WHERE path = ?", path) !== undefined;
  }

  /**
   * Call before the indexed content of a file is replaced by content with the hash `next`, or by none: if that content is
   * its baseline, the baseline gets a row.
   */
  keepBaseline(path: string, next?: string): void {
    const has = this.#sql.get("SELECT 1 FROM baseline WHERE path = ?", path) !== undefined;
    const indexed = has ? undefined : this.#indexedBaseline(path);
    if (indexed !== undefined && indexed.hash !== next) this.setBaseline(indexed);
  }

  /** Gives every baseline a row. */
  keepAll(): void {
    const paths = this.#sql.arrays(`SELECT file.path ${INDEXED_BASELINES}`);
    for (const [path] of paths) this.keepBaseline(String(path));
  }

  /** Returns the baselines with line hashes. */
  withLines(): readonly RecordedFile[] {
    return this.#sql.arrays("SELECT * FROM baseline WHERE lines IS NOT NULL").map(fileOf);
  }

  /** Returns the files with indexed content whose baselines have no line hashes. */
  withoutLines(): readonly Pick<RecordedFile, "path" | "hash">[] {
    const sql = "SELECT * FROM baseline WHERE lines IS NULL AND hash <> ''";
    const indexed = this.#sql.arrays(`SELECT file.path, file.hash ${INDEXED_BASELINES}`);
    return [
      ...this.#sql.arrays(sql).map(fileOf),
      ...indexed.map(([path, hash]) => ({ path: String(path), hash: String(hash) })),
    ];
  }

  /** Returns all baselines with rows. */
  rows(): readonly RecordedFile[] {
    return this.#sql.arrays("SELECT * FROM baseline").map(fileOf);
  }

  /** Removes the line hashes of a baseline that has a row, and the row if it says no more than what is indexed. */
  dropLines(path: string): void {
    const row = this.baseline(path);
    if (row === undefined) return;
    this.removeBaseline(path);
    const indexed = row.watched === null ? this.#indexedBaseline(path) : undefined;
    const isIndexed = indexed?.hash === row.hash && indexed.fingerprints.length > 0;
    if (!isIndexed) this.setBaseline({ ...row, lineHashes: null });
  }

  pending(path: string): PendingFile | undefined {
    const [row] = this.#sql.arrays("SELECT * FROM pending WHERE path = ?", path);
    if (row === undefined) return undefined;
    const found = textOf(row[7]);
    if (rowSum("found", [path, found]) !== row[8]) throw damagedCatalog();
    return { ...fileOf(row), found };
  }

  setBaseline(file: RecordedFile): void {
    this.#sql.run(
      "INSERT OR REPLACE INTO baseline VALUES (?, ?, ?, ?, ?, ?, ?)",
      ...valuesOf(file),
    );
  }

  removeBaseline(path: string): void {
    this.#sql.run("DELETE FROM baseline WHERE path = ?", path);
  }

  setPending(file: PendingFile): void {
    const { path, found } = file;
    const sql = "INSERT OR REPLACE INTO pending VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
    this.#sql.run(sql, ...valuesOf(file), found, rowSum("found", [path, found]));
  }

  removePending(path: string): void {
    this.#sql.run("DELETE FROM pending WHERE path = ?", path);
  }

  hasPending(): boolean {
    return this.#sql.get("SELECT 1 FROM pending LIMIT 1") !== undefined;
  }

  pendingStates(): readonly PendingState[] {
    const rows = this.#sql.all(
      `SELECT pending.path, pending.hash, baseline.hash AS old_hash
       FROM pending LEFT JOIN baseline USING (path)
       ORDER BY pending.path`,
    );
    return rows.map(({ path, hash, old_hash: oldHash }) => ({
      path: String(path),
      hash: typeof hash === "string" ? hash : undefined,
      oldHash: typeof oldHash === "string" ? oldHash : undefined,
    }));
  }

  /** Makes the pending states the new baselines. */
  promotePending(): void {
    this.#sql.run(
      `DELETE FROM baseline WHERE path IN (SELECT path FROM pending WHERE ${NEEDS_NO_ROW})`,
    );
    this.#sql.run(
      `INSERT OR REPLACE INTO baseline
       SELECT path, source, hash, prints, lines, watched, sum FROM pending WHERE NOT ${NEEDS_NO_ROW}`,
    );
    this.#sql.run("DELETE FROM pending");
  }

  /** Gives the sources of all files other numbers. */
  renumberSources(numbers: ReadonlyMap<number, number>): void {
    const renumbered = <File extends RecordedFile>(file: File): File => ({
      ...file,
      source: numbers.get(file.source) ?? file.source,
    });
    for (const row of this.#sql.arrays("SELECT * FROM baseline"))
      this.setBaseline(renumbered(fileOf(row)));
    for (const [path] of this.#sql.arrays("SELECT path FROM pending")) {
      const pending = this.pending(String(path));
      if (pending !== undefined) this.setPending(renumbered(pending));
    }
  }

  /** True if every row is right; otherwise throws IndexDamage. */
  isSound(): boolean {
    for (const row of this.#sql.arrays("SELECT * FROM baseline")) fileOf(row);
    for (const [path] of this.#sql.arrays("SELECT path FROM pending")) this.pending(String(path));
    return true;
  }
}

/** Fingerprints of a file in a damaged segment. */
const UNKNOWN_FINGERPRINTS = new Uint8Array();

function fileOf(row: readonly SQLOutputValue[]): RecordedFile {
  const [path, source, hash, fingerprints, lineHashes, watched, sum] = row;
  const file = {
    path: String(path),
    source: Number(source),
    hash: textOf(hash),
    fingerprints: bytesOf(fingerprints) ?? new Uint8Array(),
    lineHashes: bytesOf(lineHashes),
    watched: textOf(watched),
  };
  if (checksumOf(file) !== sum) throw damagedCatalog();
  return file;
}

function valuesOf(file: RecordedFile): readonly SqlValue[] {
  const { path, source, hash, fingerprints, lineHashes, watched } = file;
  return [path, source, hash, fingerprints, lineHashes, watched, checksumOf(file)];
}

function checksumOf({
  path,
  source,
  hash,
  fingerprints,
  lineHashes,
  watched,
}: RecordedFile): number {
  return rowSum("baseline", [path, source, hash, fingerprints, lineHashes, watched]);
}

function textOf(value: SQLOutputValue | undefined): string | null {
  return typeof value === "string" ? value : null;
}

function bytesOf(value: SQLOutputValue | undefined): Uint8Array | null {
  return value instanceof Uint8Array ? value : null;
}
