// Checksums of the rows of a table: SQLite has none, and gives what a damaged page says.

import { crc32 } from "node:zlib";

/** What SQLite keeps in a column. */
export type SqlValue = null | number | bigint | string | Uint8Array;

/** Of the values of a row, in their order. The table's name is part of it: rows of two cannot be exchanged. */
export function rowSum(table: string, values: readonly SqlValue[]): number {
  let text = table;
  for (const value of values) {
    text += "\n";
    if (value instanceof Uint8Array) text += `${value.length} ${crc32(value)}`;
    // Apart from text that says so.
    else text += value === null ? "\t" : String(value);
  }
  return crc32(text);
}

/** How many rows there are, and the sum of their checksums modulo 2^32: a row that is gone is missed. */
export interface Count {
  readonly rows: number;
  readonly sum: number;
}

/** Whether these are the checksums of all the rows that were counted. */
export function isCountOf({ rows, sum }: Count, sums: readonly number[]): boolean {
  const total = sums.reduce((all, one) => (all + one) >>> 0, 0);
  return rows === sums.length && sum === total;
}
