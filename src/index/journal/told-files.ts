// The files as the journal has told them, and as it is to tell them next: two tables of one form, verified as they
// are read.

import type { SQLOutputValue } from "node:sqlite";

import type { Sql, SqlValue } from "../catalog/catalog-connection.ts";
import { damagedCatalogue } from "../damage.ts";
import { rowSum } from "../catalog/row-sum.ts";

export interface ToldFile {
  readonly path: string;
  readonly source: number;
  /** "" when its content is not indexed, null when it is gone. */
  readonly hash: string | null;
  readonly prints: Uint8Array;
  readonly lines: Uint8Array | null;
  /** JSON. */
  readonly watched: string | null;
}

export class ToldFiles {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  told(path: string): ToldFile | undefined {
    const [row] = this.#sql.arrays("SELECT * FROM told WHERE path = ?", path);
    return row && fileOf(row);
  }

  /** Those whose lines have prints, or have none. */
  toldWith(what: "lines" | "no lines"): readonly ToldFile[] {
    const condition = what === "lines" ? "lines IS NOT NULL" : "lines IS NULL AND hash <> ''";
    return this.#sql.arrays(`SELECT * FROM told WHERE ${condition}`).map(fileOf);
  }

  fresh(path: string): (ToldFile & { readonly found: string | null }) | undefined {
    const [row] = this.#sql.arrays("SELECT * FROM fresh WHERE path = ?", path);
    if (row === undefined) return undefined;
    const found = textOf(row[7]);
    if (rowSum("found", [path, found]) !== row[8]) throw damagedCatalogue();
    return { ...fileOf(row), found };
  }

  tell(file: ToldFile): void {
    this.#sql.run("INSERT OR REPLACE INTO told VALUES (?, ?, ?, ?, ?, ?, ?)", ...valuesOf(file));
  }

  wait(file: ToldFile, found: string | null): void {
    const sql = "INSERT OR REPLACE INTO fresh VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
    this.#sql.run(sql, ...valuesOf(file), found, rowSum("found", [file.path, found]));
  }

  /** What waited is told. */
  settle(): void {
    this.#sql.run("DELETE FROM told WHERE path IN (SELECT path FROM fresh WHERE hash IS NULL)");
    this.#sql.run(
      `INSERT OR REPLACE INTO told
       SELECT path, source, hash, prints, lines, watched, sum FROM fresh WHERE hash IS NOT NULL`,
    );
    this.#sql.run("DELETE FROM fresh");
  }

  /** Whether every row is right. */
  isSound(): boolean {
    for (const row of this.#sql.arrays("SELECT * FROM told")) fileOf(row);
    for (const [path] of this.#sql.arrays("SELECT path FROM fresh")) this.fresh(String(path));
    return true;
  }
}

function fileOf(row: readonly SQLOutputValue[]): ToldFile {
  const [path, source, hash, prints, lines, watched, sum] = row;
  const file = {
    path: String(path),
    source: Number(source),
    hash: textOf(hash),
    prints: bytesOf(prints) ?? new Uint8Array(),
    lines: bytesOf(lines),
    watched: textOf(watched),
  };
  if (sumOf(file) !== sum) throw damagedCatalogue();
  return file;
}

function valuesOf(file: ToldFile): readonly SqlValue[] {
  const { path, source, hash, prints, lines, watched } = file;
  return [path, source, hash, prints, lines, watched, sumOf(file)];
}

function sumOf({ path, source, hash, prints, lines, watched }: ToldFile): number {
  return rowSum("told", [path, source, hash, prints, lines, watched]);
}

function textOf(value: SQLOutputValue | undefined): string | null {
  return typeof value === "string" ? value : null;
}

function bytesOf(value: SQLOutputValue | undefined): Uint8Array | null {
  return value instanceof Uint8Array ? value : null;
}
