import type { Row } from "../catalog/catalog-connection.ts";
import { damagedCatalogue } from "../damage.ts";
import { rowSum } from "../catalog/row-sum.ts";

/** A row of `change`. Throws INDEX_UNAVAILABLE when its checksum does not fit. */
export function requireWhole(row: Row): Row {
  const { sum, ...values } = row;
  if (rowSum("change", Object.values(values)) !== sum) throw damagedCatalogue();
  return row;
}

/** Numbers of the monitors that a row of `change` is a hit of. */
export function hitsOf(row: Row): readonly number[] {
  return JSON.parse(String(row["hits"]));
}
