// The catalogue's tables of segments and of their PageRanks; rows are verified when they are read.

import type { SqlStatements } from "./catalog-connection.ts";
import { damagedCatalog } from "../../damage.ts";
import type { TallyStore } from "./file-table.ts";
import type { SegmentRanks } from "../pagerank/segment-ranks.ts";
import { subtractRow, addRow, requireAll } from "./row-count.ts";
import { rowSum } from "../../../base/row-sum.ts";

/** A live segment. */
export interface SegmentRow {
  readonly id: number;
  /** Its file name, also for a segment that is stored in the catalogue. */
  readonly name: string;
  /** Number of files, including deleted ones. */
  readonly files: number;
  /** Size in bytes. */
  readonly bytes: number;
  /** 1 for each deleted or replaced file. */
  readonly tombstones: Uint8Array;
  /** Whether the catalogue itself stores its bytes. */
  readonly isRow: boolean;
}

/** The tables `segment` and `importance`. Methods throw IndexDamage for damaged or missing rows. */
export class SegmentTable {
  readonly #sql: SqlStatements;
  readonly #tally: TallyStore;

  constructor(sql: SqlStatements, tally: TallyStore) {
    this.#sql = sql;
    this.#tally = tally;
  }

  all(): readonly SegmentRow[] {
    return this.#tally.atOnce(() => {
      const rows = this.#read("ORDER BY id");
      requireAll(this.#tally.get().segment, rows.map(segmentChecksum));
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
        tombstones: row["dead"] instanceof Uint8Array ? row["dead"] : new Uint8Array(),
        isRow: row["is_row"] === 1,
      };
      if (segmentChecksum(segment) !== row["sum"]) throw damagedCatalog();
      return segment;
    });
  }

  #row(id: number): SegmentRow {
    const [row] = this.#read("WHERE id = ?", id);
    if (row === undefined) throw damagedCatalog();
    return row;
  }

  /** Returns the bytes of a segment stored in the catalogue; undefined if there is none of that name. */
  body(name: string): Uint8Array | undefined {
    const body = this.#sql.get("SELECT body FROM segment WHERE name = ?", name)?.["body"];
    return body instanceof Uint8Array ? body : undefined;
  }

  /** Adds a segment and returns its id. `body`: its bytes, if the catalogue is to store them. */
  add(
    { name, files, bytes }: Pick<SegmentRow, "name" | "files" | "bytes">,
    body: Uint8Array | null,
  ): number {
    const last = this.#sql.get("SELECT coalesce(max(id), 0) AS id FROM segment");
    const tombstones = new Uint8Array(files);
    const isRow = body !== null;
    const row = { id: Number(last?.["id"]) + 1, name, files, bytes, tombstones, isRow };
    const sum = segmentChecksum(row);
    const sql = "INSERT INTO segment VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
    this.#sql.run(sql, row.id, name, files, bytes, isRow ? 1 : 0, sum, tombstones, body);
    this.#tally.change((tally) => ({ ...tally, segment: addRow(tally.segment, sum) }));
    return row.id;
  }

  setTombstones(id: number, tombstones: Uint8Array): void {
    const before = this.#row(id);
    const sum = segmentChecksum({ ...before, tombstones });
    this.#sql.run("UPDATE segment SET dead = ?, sum = ? WHERE id = ?", tombstones, sum, id);
    this.#tally.change((tally) => ({
      ...tally,
      segment: addRow(subtractRow(tally.segment, segmentChecksum(before)), sum),
    }));
  }

  remove(id: number): void {
    const before = segmentChecksum(this.#row(id));
    this.#sql.run("DELETE FROM segment WHERE id = ?", id);
    this.#tally.change((tally) => ({ ...tally, segment: subtractRow(tally.segment, before) }));
    this.#removeRanks(id);
  }

  /** Returns the ranks of a segment; undefined if they have not been computed. */
  ranks(segment: number): SegmentRanks | undefined {
    const sql = "SELECT sum, files, symbols FROM importance WHERE segment = ?";
    const { sum, files, symbols } = this.#sql.get(sql, segment) ?? {};
    if (!(files instanceof Uint8Array && symbols instanceof Uint8Array)) {
      this.#requireAllRanks();
      return undefined;
    }
    if (rowSum("importance", [segment, files, symbols]) !== sum) throw damagedCatalog();
    return { files, symbols };
  }

  #requireAllRanks(): void {
    this.#tally.atOnce(() => {
      const rows = this.#sql.arrays("SELECT sum FROM importance");
      requireAll(
        this.#tally.get().importance,
        rows.map(([sum]) => Number(sum)),
      );
    });
  }

  setRanks(segment: number, { files, symbols }: SegmentRanks): void {
    this.#removeRanks(segment);
    const sum = rowSum("importance", [segment, files, symbols]);
    this.#sql.run("INSERT INTO importance VALUES (?, ?, ?, ?)", segment, sum, files, symbols);
    this.#tally.change((tally) => ({ ...tally, importance: addRow(tally.importance, sum) }));
  }

  #removeRanks(segment: number): void {
    const row = this.#sql.get("SELECT sum FROM importance WHERE segment = ?", segment);
    if (row === undefined) return;
    this.#sql.run("DELETE FROM importance WHERE segment = ?", segment);
    const sum = Number(row["sum"]);
    this.#tally.change((tally) => ({ ...tally, importance: subtractRow(tally.importance, sum) }));
  }

  /**
   * True if every row is right and none is missing; otherwise throws IndexDamage. Reads everything but the
   * segments.
   */
  isSound(): boolean {
    for (const { id } of this.all()) this.ranks(id);
    this.#requireAllRanks();
    return true;
  }
}

function segmentChecksum({ id, name, files, bytes, isRow, tombstones }: SegmentRow): number {
  return rowSum("segment", [id, name, files, bytes, isRow ? 1 : 0, tombstones]);
}
