import type { SqlStatements } from "./catalog-connection.ts";
import { damagedCatalog } from "../../damage.ts";
import { rowSum } from "../../../base/row-sum.ts";

/** Texts by key, in a table (key, value, sum); verified when they are read. */
export class MetaTable {
  readonly #sql: SqlStatements;
  readonly #name: string;

  constructor(sql: SqlStatements, name: string) {
    this.#sql = sql;
    this.#name = name;
  }

  get(key: string): string | undefined {
    const row = this.#sql.get(`SELECT value, sum FROM ${this.#name} WHERE key = ?`, key);
    if (row === undefined) return undefined;
    const value = String(row["value"]);
    if (rowSum(this.#name, [key, value]) !== row["sum"]) throw damagedCatalog();
    return value;
  }

  set(key: string, value: string): void {
    const sum = rowSum(this.#name, [key, value]);
    this.#sql.run(`INSERT OR REPLACE INTO ${this.#name} VALUES (?, ?, ?)`, key, value, sum);
  }

  /** True if every row is right; otherwise throws IndexDamage. */
  isSound(): boolean {
    for (const [key] of this.#sql.arrays(`SELECT key FROM ${this.#name}`)) this.get(String(key));
    return true;
  }
}
