// The entries of a change log with the hits of monitors in them: the tables `change` and `hit`.

import type { SqlRow, SqlStatements } from "../catalog/catalog-connection.ts";
import { changeKindOf, type ChangeDetail } from "../../change-log/change-detail.ts";
import type { NewChange } from "../../change-log/change-log-store.ts";
import type { ChangeEvent, ChangeHit, HitPlace, HitRange } from "../../change-log/change-event.ts";
import { damagedCatalog } from "../../damage.ts";
import { rowSum } from "../../../base/row-sum.ts";

/** Methods throw IndexDamage for damaged or missing rows. */
export class ChangeTable {
  readonly #sql: SqlStatements;

  constructor(sql: SqlStatements) {
    this.#sql = sql;
  }

  /** The sequence number of the newest entry in the table; 0 if it is empty. */
  get newest(): number {
    return Number(this.#sql.get("SELECT max(seq) AS seq FROM change")?.["seq"] ?? 0);
  }

  /** The last sequence number that was given to an entry; 0 if there has been none. */
  get lastGiven(): number {
    const given = this.#sql.get("SELECT seq FROM sqlite_sequence WHERE name = 'change'");
    return Number(given?.["seq"] ?? 0);
  }

  /** The sequence number of the newest entry up to this generation; 0 if there is none. */
  newestAtGeneration(generation: number): number {
    return this.#newestWhere("generation <= ?", generation);
  }

  /** The sequence number of the newest entry before this time; 0 if there is none. */
  newestBefore(atMs: number): number {
    return this.#newestWhere("at_ms < ?", atMs);
  }

  #newestWhere(condition: string, value: number): number {
    const row = this.#sql.get(`SELECT max(seq) AS seq FROM change WHERE ${condition}`, value);
    return Number(row?.["seq"] ?? 0);
  }

  /** Returns entries after `seq`, oldest first, with the hits of these monitors. */
  after(seq: number, limit: number, monitors: readonly number[]): readonly ChangeEvent[] {
    const sql = "SELECT * FROM change WHERE seq > ? ORDER BY seq LIMIT ?";
    return this.#toChanges(this.#sql.all(sql, seq, limit), monitors, 1);
  }

  /** Returns entries before `seq`, newest first, with the hits of these monitors. */
  before(seq: number, limit: number, monitors: readonly number[]): readonly ChangeEvent[] {
    const sql = "SELECT * FROM change WHERE seq < ? ORDER BY seq DESC LIMIT ?";
    return this.#toChanges(this.#sql.all(sql, seq, limit), monitors, -1);
  }

  /** Returns hits of these monitors in a range, oldest first. */
  hitsAfter(
    { after, last }: HitRange,
    limit: number,
    monitors: readonly number[],
  ): readonly HitPlace[] {
    const wanted = new Set(monitors);
    const found: HitPlace[] = [];
    const sql = "SELECT * FROM change WHERE seq > ? AND seq <= ? AND hits <> '[]' ORDER BY seq";
    for (const row of this.#sql.all(sql, after, last)) {
      if (found.length >= limit) break;
      const { seq, path } = requireValidRow(row);
      for (const monitor of hitMonitorsOf(row)) {
        if (wanted.has(monitor)) found.push({ seq: Number(seq), monitor, path: String(path) });
      }
    }
    return found.slice(0, limit);
  }

  append({ change, hits, generation, atMs }: NewChange): void {
    const { kind, path, oldPath, detail } = change;
    const seq = this.lastGiven + 1;
    const monitors = JSON.stringify(hits.map(({ monitor }) => monitor).toSorted((a, b) => a - b));
    const file = [kind, path, oldPath ?? null];
    const values = [generation, atMs, ...file, JSON.stringify(detail), monitors];
    const sum = rowSum("change", [seq, ...values]);
    this.#sql.run("INSERT INTO change VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", seq, ...values, sum);
    for (const { monitor, detail: hit } of hits) {
      const text = JSON.stringify(hit);
      const hitSum = rowSum("hit", [monitor, seq, text]);
      this.#sql.run("INSERT INTO hit VALUES (?, ?, ?, ?)", monitor, seq, text, hitSum);
    }
  }

  /** Deletes the entries up to a sequence number. Returns the time of the newest of them; undefined if there is none. */
  deleteUpTo(seq: number): number | undefined {
    const sql = "SELECT at_ms FROM change WHERE seq <= ? ORDER BY seq DESC";
    const newest = this.#sql.get(sql, seq)?.["at_ms"];
    this.#sql.run("DELETE FROM change WHERE seq <= ?", seq);
    this.#sql.run("DELETE FROM hit WHERE seq <= ?", seq);
    return newest === undefined ? undefined : Number(newest);
  }

  /** Deletes the hits of all other monitors. */
  deleteHitsExcept(monitors: readonly number[]): void {
    const keptIds = new Set(monitors);
    for (const { monitor } of this.#sql.all("SELECT DISTINCT monitor FROM hit")) {
      if (keptIds.has(Number(monitor))) continue;
      this.#sql.run("DELETE FROM hit WHERE monitor = ?", Number(monitor));
    }
  }

  /** Reads every row and returns the number of entries. */
  verify(): number {
    const changes = this.after(0, Number.MAX_SAFE_INTEGER, []);
    for (const { monitor, seq } of this.#sql.all("SELECT monitor, seq FROM hit")) {
      this.#hitsOf(Number(seq), [Number(monitor)]);
    }
    return changes.length;
  }

  /** Sequence numbers have no gaps, so a gap means missing changes. */
  #toChanges(rows: readonly SqlRow[], monitors: readonly number[], step: 1 | -1): ChangeEvent[] {
    const changes = rows.map((row) => this.#toChange(row, monitors));
    const [first] = changes;
    const isContiguous = changes.every(({ seq }, at) => seq === (first?.seq ?? 0) + at * step);
    if (!isContiguous) throw damagedCatalog();
    return changes;
  }

  #toChange(row: SqlRow, monitors: readonly number[]): ChangeEvent {
    const seq = Number(requireValidRow(row)["seq"]);
    const oldPath = row["old_path"];
    return {
      seq,
      generation: Number(row["generation"]),
      atMs: Number(row["at_ms"]),
      kind: changeKindOf(row["kind"]),
      path: String(row["path"]),
      oldPath: typeof oldPath === "string" ? oldPath : undefined,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `append` put there
      detail: JSON.parse(String(row["detail"])) as ChangeDetail,
      hits: this.#hitsOf(
        seq,
        hitMonitorsOf(row).filter((monitor) => monitors.includes(monitor)),
      ),
    };
  }

  #hitsOf(seq: number, monitors: readonly number[]): readonly ChangeHit[] {
    return monitors.map((monitor) => {
      const sql = "SELECT detail, sum FROM hit WHERE monitor = ? AND seq = ?";
      const row = this.#sql.get(sql, monitor, seq);
      const detail = row?.["detail"] ?? "";
      if (rowSum("hit", [monitor, seq, detail]) !== row?.["sum"]) throw damagedCatalog();
      return { monitor, detail: JSON.parse(String(detail)) };
    });
  }
}

/** Returns a row of `change`. Throws INDEX_UNAVAILABLE if its checksum is wrong. */
function requireValidRow(row: SqlRow): SqlRow {
  const { sum, ...values } = row;
  if (rowSum("change", Object.values(values)) !== sum) throw damagedCatalog();
  return row;
}

/** Returns the ids of the monitors that a row of `change` is a hit of. */
function hitMonitorsOf(row: SqlRow): readonly number[] {
  return JSON.parse(String(row["hits"]));
}
