// Checksums of rows: SQLite has none, and gives what a damaged page says.

import { crc32 } from "node:zlib";

import type { SQLOutputValue } from "node:sqlite";

import type { SqlValue } from "./catalog-connection.ts";
import { damagedCatalogue } from "../damage.ts";

/** Of the values of a row, in their order. The table's name is part of it: rows of two cannot be exchanged. */
export function rowSum(table: string, values: readonly (SQLOutputValue | SqlValue)[]): number {
  let text = table;
  for (const value of values) {
    text += "\n";
    if (value instanceof Uint8Array) text += `${value.length} ${crc32(value)}`;
    // Apart from text that says so.
    else text += value === null ? "\t" : String(value);
  }
  return crc32(text);
}

/** How many rows there are, and the sum of their checksums: a row that is gone is missed. */
export interface Count {
  readonly rows: number;
  readonly sum: number;
}

export const NO_ROWS: Count = { rows: 0, sum: 0 };

export function plus({ rows, sum }: Count, added: number): Count {
  return { rows: rows + 1, sum: (sum + added) >>> 0 };
}

export function minus({ rows, sum }: Count, removed: number): Count {
  return { rows: rows - 1, sum: (sum - removed) >>> 0 };
}

/** Throws INDEX_UNAVAILABLE when these are not the sums of all the rows that were counted. */
export function requireAll({ rows, sum }: Count, sums: readonly number[]): void {
  const total = sums.reduce((all, one) => (all + one) >>> 0, 0);
  if (rows !== sums.length || sum !== total) throw damagedCatalogue();
}
