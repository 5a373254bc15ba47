import { isCountOf, type Count } from "../../../base/row-sum.ts";
import { damagedCatalog } from "../../damage.ts";

export const NO_ROWS: Count = { rows: 0, sum: 0 };

export function addRow({ rows, sum }: Count, added: number): Count {
  return { rows: rows + 1, sum: (sum + added) >>> 0 };
}

export function subtractRow({ rows, sum }: Count, removed: number): Count {
  return { rows: rows - 1, sum: (sum - removed) >>> 0 };
}

/** Throws INDEX_UNAVAILABLE if these are not the checksums of all counted rows. */
export function requireAll(count: Count, sums: readonly number[]): void {
  if (!isCountOf(count, sums)) throw damagedCatalog();
}
