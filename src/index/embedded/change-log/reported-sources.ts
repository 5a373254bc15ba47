import type { SqlStatements } from "../catalog/catalog-connection.ts";
import type { LostSource } from "../../change-log/change-log-store.ts";
import { rowSum } from "../../../base/row-sum.ts";
import { INDEXED_BASELINES } from "./baseline-files.ts";

/** The sources whose changes are reported: the table `baseline_source`. */
export class ReportedSources {
  readonly #sql: SqlStatements;

  constructor(sql: SqlStatements) {
    this.#sql = sql;
  }

  has(source: number): boolean {
    return this.#sql.get("SELECT 1 FROM baseline_source WHERE source = ?", source) !== undefined;
  }

  /** Adds a source. Returns the number of its files with a baseline. */
  add(source: number, prefix: string): number {
    const sum = rowSum("baseline_source", [source, prefix]);
    this.#sql.run("INSERT INTO baseline_source VALUES (?, ?, ?)", source, prefix, sum);
    const sql = `SELECT (SELECT count(*) FROM baseline WHERE source = ?)
       + (SELECT count(*) ${INDEXED_BASELINES} AND file.source = ?) AS n`;
    return Number(this.#sql.get(sql, source, source)?.["n"] ?? 0);
  }

  /** Returns the sources with pending removals. */
  withRemovals(): readonly LostSource[] {
    return this.#sql
      .all(
        `SELECT source, prefix, count(*) AS files FROM pending JOIN baseline_source USING (source)
         WHERE hash IS NULL GROUP BY source ORDER BY source`,
      )
      .map(({ source, prefix, files }) => ({
        source: Number(source),
        prefix: String(prefix),
        files: Number(files),
      }));
  }

  /** Removes a source, its pending removals and their baselines. */
  remove(source: number): void {
    this.#sql.run(
      "DELETE FROM baseline WHERE path IN (SELECT path FROM pending WHERE hash IS NULL AND source = ?)",
      source,
    );
    this.#sql.run("DELETE FROM pending WHERE hash IS NULL AND source = ?", source);
    this.#sql.run("DELETE FROM baseline_source WHERE source = ?", source);
  }

  /** Gives all sources other numbers. */
  renumber(numbers: ReadonlyMap<number, number>): void {
    const rows = this.#sql.all("SELECT source, prefix FROM baseline_source");
    this.#sql.run("DELETE FROM baseline_source");
    for (const { source, prefix } of rows) {
      this.add(numbers.get(Number(source)) ?? Number(source), String(prefix));
    }
  }

  isSound(): boolean {
    return this.#sql
      .all("SELECT * FROM baseline_source")
      .every(
        ({ source, prefix, sum }) =>
          rowSum("baseline_source", [source ?? null, prefix ?? null]) === sum,
      );
  }
}
