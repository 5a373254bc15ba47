// The rows of the catalogue's segments, and what is known of the importance of what they hold; verified as they are read.

import type { Sql } from "./catalog-connection.ts";
import { damagedCatalogue } from "../damage.ts";
import type { TallyKeeper } from "./file-table.ts";
import type { SegmentImportance } from "../importance/importance.ts";
import { minus, plus, requireAll, rowSum } from "./row-sum.ts";

export interface SegmentRow {
  readonly id: number;
  readonly name: string;
  readonly files: number;
  readonly bytes: number;
  readonly dead: Uint8Array;
  /** Whether its bytes are in the catalogue itself. */
  readonly isRow: boolean;
}

export class SegmentTable {
  readonly #sql: Sql;
  readonly #tally: TallyKeeper;

  constructor(sql: Sql, tally: TallyKeeper) {
    this.#sql = sql;
    this.#tally = tally;
  }

  all(): readonly SegmentRow[] {
    return this.#tally.atOnce(() => {
      const rows = this.#read("ORDER BY id");
      requireAll(this.#tally.get().segment, rows.map(segmentSum));
      return rows;
    });
  }

  #read(condition: string, ...values: readonly number[]): readonly SegmentRow[] {
    const sql = `SELECT id, name, files, bytes, is_row, dead, sum FROM segment ${condition}`;
    return this.#sql.all(sql, ...values).map((row) => {
      const segment = {
        id: Number(row["id"]),
        name: String(row["name"]),
        files: Number(row["files"]),
        bytes: Number(row["bytes"]),
        dead: row["dead"] instanceof Uint8Array ? row["dead"] : new Uint8Array(),
        isRow: row["is_row"] === 1,
      };
      if (segmentSum(segment) !== row["sum"]) throw damagedCatalogue();
      return segment;
    });
  }

  #row(id: number): SegmentRow {
    const [row] = this.#read("WHERE id = ?", id);
    if (row === undefined) throw damagedCatalogue();
    return row;
  }

  /** The bytes of a segment that is kept here; undefined when there is none of that name. */
  body(name: string): Uint8Array | undefined {
    const body = this.#sql.get("SELECT body FROM segment WHERE name = ?", name)?.["body"];
    return body instanceof Uint8Array ? body : undefined;
  }

  /** Returns the id of the segment. `body`: its bytes, when they are to be kept here. */
  add(
    { name, files, bytes }: Pick<SegmentRow, "name" | "files" | "bytes">,
    body: Uint8Array | null,
  ): number {
    const last = this.#sql.get("SELECT coalesce(max(id), 0) AS id FROM segment");
    const dead = new Uint8Array(files);
    const isRow = body !== null;
    const row = { id: Number(last?.["id"]) + 1, name, files, bytes, dead, isRow };
    const sum = segmentSum(row);
    const sql = "INSERT INTO segment VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
    this.#sql.run(sql, row.id, name, files, bytes, isRow ? 1 : 0, sum, dead, body);
    this.#tally.change((tally) => ({ ...tally, segment: plus(tally.segment, sum) }));
    return row.id;
  }

  setDead(id: number, dead: Uint8Array): void {
    const before = this.#row(id);
    const sum = segmentSum({ ...before, dead });
    this.#sql.run("UPDATE segment SET dead = ?, sum = ? WHERE id = ?", dead, sum, id);
    this.#tally.change((tally) => ({
      ...tally,
      segment: plus(minus(tally.segment, segmentSum(before)), sum),
    }));
  }

  remove(id: number): void {
    const before = segmentSum(this.#row(id));
    this.#sql.run("DELETE FROM segment WHERE id = ?", id);
    this.#tally.change((tally) => ({ ...tally, segment: minus(tally.segment, before) }));
    this.#removeImportance(id);
  }

  /** Undefined for a segment of which it has not been worked out. */
  importance(segment: number): SegmentImportance | undefined {
    const sql = "SELECT sum, files, symbols FROM importance WHERE segment = ?";
    const { sum, files, symbols } = this.#sql.get(sql, segment) ?? {};
    if (!(files instanceof Uint8Array && symbols instanceof Uint8Array)) {
      this.#requireImportances();
      return undefined;
    }
    if (rowSum("importance", [segment, files, symbols]) !== sum) throw damagedCatalogue();
    return { files, symbols };
  }

  #requireImportances(): void {
    this.#tally.atOnce(() => {
      const rows = this.#sql.arrays("SELECT sum FROM importance");
      requireAll(
        this.#tally.get().importance,
        rows.map(([sum]) => Number(sum)),
      );
    });
  }

  setImportance(segment: number, { files, symbols }: SegmentImportance): void {
    this.#removeImportance(segment);
    const sum = rowSum("importance", [segment, files, symbols]);
    this.#sql.run("INSERT INTO importance VALUES (?, ?, ?, ?)", segment, sum, files, symbols);
    this.#tally.change((tally) => ({ ...tally, importance: plus(tally.importance, sum) }));
  }

  #removeImportance(segment: number): void {
    const row = this.#sql.get("SELECT sum FROM importance WHERE segment = ?", segment);
    if (row === undefined) return;
    this.#sql.run("DELETE FROM importance WHERE segment = ?", segment);
    const sum = Number(row["sum"]);
    this.#tally.change((tally) => ({ ...tally, importance: minus(tally.importance, sum) }));
  }

  /** Whether every row is right, and none is missing; reads everything but the segments themselves. */
  isSound(): boolean {
    for (const { id } of this.all()) this.importance(id);
    this.#requireImportances();
    return true;
  }
}

function segmentSum({ id, name, files, bytes, isRow, dead }: SegmentRow): number {
  return rowSum("segment", [id, name, files, bytes, isRow ? 1 : 0, dead]);
}
