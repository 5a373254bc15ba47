// The catalogue's table of contents that files had before and that are still in segments, for files that get them back.

import type { SQLOutputValue } from "node:sqlite";

import { damagedCatalog } from "../../damage.ts";
import { rowSum, type SqlValue } from "../../../base/row-sum.ts";
import { FILE_ROLES, type FileState } from "../../types.ts";
import type { SqlStatements } from "./catalog-connection.ts";

/** Where a content is. */
export interface EarlierPlace extends Pick<FileState, "path" | "hash" | "size"> {
  /** Name of its segment. */
  readonly segment: string;
  /** Index in that segment. */
  readonly ordinal: number;
  /** The generation that replaced it. */
  readonly generation: number;
}

/** A complete content that a file had before. */
export interface EarlierContent
  extends EarlierPlace, Pick<FileState, "language" | "role" | "flags" | "chunks" | "symbols"> {}

/** The table `earlier`. Methods throw IndexDamage for damaged rows; missing ones are harmless. */
export class EarlierTable {
  readonly #sql: SqlStatements;

  constructor(sql: SqlStatements) {
    this.#sql = sql;
  }

  /** The earlier contents of a file. */
  of(path: string): readonly EarlierContent[] {
    return this.#sql.arrays("SELECT * FROM earlier WHERE path = ?", path).map(contentOf);
  }

  /** The places of all, the last replaced first. */
  places(): readonly EarlierPlace[] {
    const sql = `SELECT path, hash, size, segment, ordinal, generation, place_sum FROM earlier
                 ORDER BY generation DESC, path, hash`;
    return this.#sql.arrays(sql).map(placeOf);
  }

  /** The names of the segments with earlier contents. */
  segments(): ReadonlySet<string> {
    const rows = this.#sql.arrays("SELECT DISTINCT segment FROM earlier");
    return new Set(rows.map(([name]) => String(name)));
  }

  put(content: EarlierContent): void {
    const facts = factsOf(content);
    const { segment, ordinal, generation } = content;
    this.#sql.run(
      "INSERT OR REPLACE INTO earlier VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      ...facts,
      rowSum("earlier", facts),
      segment,
      ordinal,
      generation,
      placeChecksum(content),
    );
  }

  /** Records the new place of a content. */
  move(place: EarlierPlace): void {
    const { path, hash, segment, ordinal } = place;
    const sql = `UPDATE earlier SET segment = ?, ordinal = ?, place_sum = ?
                 WHERE path = ? AND hash = ?`;
    this.#sql.run(sql, segment, ordinal, placeChecksum(place), path, hash);
  }

  remove(path: string, hash: string): void {
    this.#sql.run("DELETE FROM earlier WHERE path = ? AND hash = ?", path, hash);
  }

  clear(): void {
    this.#sql.run("DELETE FROM earlier");
  }

  /** True if every row is right; otherwise throws IndexDamage. */
  isSound(): boolean {
    const table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'earlier'";
    if (this.#sql.get(table) === undefined) return true;
    for (const row of this.#sql.arrays("SELECT * FROM earlier")) contentOf(row);
    return true;
  }
}

function contentOf(row: readonly SQLOutputValue[]): EarlierContent {
  const [path, hash, size, language, role, flags, chunks, symbols, sum] = row;
  const content = {
    ...placeOf([path, hash, size, ...row.slice(9)]),
    language: String(language),
    role: FILE_ROLES[Number(role)] ?? "code",
    flags: Number(flags),
    chunks: Number(chunks),
    symbols: Number(symbols),
  };
  if (rowSum("earlier", factsOf(content)) !== sum) throw damagedCatalog();
  return content;
}

function placeOf(row: readonly (SQLOutputValue | undefined)[]): EarlierPlace {
  const [path, hash, size, segment, ordinal, generation, sum] = row;
  const place = {
    path: String(path),
    hash: String(hash),
    size: Number(size),
    segment: String(segment),
    ordinal: Number(ordinal),
    generation: Number(generation),
  };
  if (placeChecksum(place) !== sum) throw damagedCatalog();
  return place;
}

/** The columns before `sum`, in order. */
function factsOf(content: EarlierContent): readonly SqlValue[] {
  const { path, hash, size, language, role, flags, chunks, symbols } = content;
  return [path, hash, size, language, FILE_ROLES.indexOf(role), flags, chunks, symbols];
}

/** A separate checksum, because a merge moves contents without reading their other columns. */
function placeChecksum({ path, hash, segment, ordinal, generation }: EarlierPlace): number {
  return rowSum("earlier place", [path, hash, segment, ordinal, generation]);
}
