// The files' baselines (as the change log last reported them) and pending states (to be reported next): two
// tables of one form, verified when they are read.

import type { SQLOutputValue } from "node:sqlite";

import type { SqlStatements } from "../catalog/catalog-connection.ts";
import { damagedCatalog } from "../../damage.ts";
import type { PendingFile, PendingState, RecordedFile } from "../../change-log/change-log-store.ts";
import { rowSum, type SqlValue } from "../../../base/row-sum.ts";

/** The tables `baseline` and `pending`. */
export class BaselineFiles {
  readonly #sql: SqlStatements;

  constructor(sql: SqlStatements) {
    this.#sql = sql;
  }

  baseline(path: string): RecordedFile | undefined {
    const [row] = this.#sql.arrays("SELECT * FROM baseline WHERE path = ?", path);
    return row && fileOf(row);
  }

  /** Returns the baselines with or without line hashes. */
  baselineWith(what: "lines" | "no lines"): readonly RecordedFile[] {
    const condition = what === "lines" ? "lines IS NOT NULL" : "lines IS NULL AND hash <> ''";
    return this.#sql.arrays(`SELECT * FROM baseline WHERE ${condition}`).map(fileOf);
  }

  /** Returns all baselines of files. */
  baselines(): readonly RecordedFile[] {
    return this.#sql.arrays("SELECT * FROM baseline").map(fileOf);
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
      "DELETE FROM baseline WHERE path IN (SELECT path FROM pending WHERE hash IS NULL)",
    );
    this.#sql.run(
      `INSERT OR REPLACE INTO baseline
       SELECT path, source, hash, prints, lines, watched, sum FROM pending WHERE hash IS NOT NULL`,
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
