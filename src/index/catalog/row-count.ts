import { isCountOf, type Count } from "../../base/row-sum.ts";
import { damagedCatalog } from "../damage.ts";

export const NO_ROWS: Count = { rows: 0, sum: 0 };

export function addRow({ rows, sum }: Count, added: number): Count {
  return { rows: rows + 1, sum: (sum + added) >>> 0 };
}

export function subtractRow({ rows, sum }: Count, removed: number): Count {
  return { rows: rows - 1, sum: (sum - removed) >>> 0 };
}

/** Throws INDEX_UNAVAILABLE when these are not the sums of all the rows that were counted. */
export function requireAll(count: Count, sums: readonly number[]): void {
  if (!isCountOf(count, sums)) throw damagedCatalog();
}
