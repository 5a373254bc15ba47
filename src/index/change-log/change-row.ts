import type { SqlRow } from "../catalog/catalog-connection.ts";
import { damagedCatalog } from "../damage.ts";
import { rowSum } from "../../base/row-sum.ts";

/** Returns a row of `change`. Throws INDEX_UNAVAILABLE if its checksum is wrong. */
export function requireValidRow(row: SqlRow): SqlRow {
  const { sum, ...values } = row;
  if (rowSum("change", Object.values(values)) !== sum) throw damagedCatalog();
  return row;
}

/** Returns the ids of the monitors that a row of `change` is a hit of. */
export function hitMonitorsOf(row: SqlRow): readonly number[] {
  return JSON.parse(String(row["hits"]));
}
