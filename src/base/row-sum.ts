// Checksums of table rows. SQLite has none, and returns the content of a damaged page as it is.

import { crc32 } from "node:zlib";

/** A value that SQLite can store in a column. */
export type SqlValue = null | number | bigint | string | Uint8Array;

/**
 * The CRC-32 of a row's values in column order. The table name is part of it, so rows of two tables cannot be
 * exchanged.
 */
export function rowSum(table: string, values: readonly SqlValue[]): number {
  let text = table;
  for (const value of values) {
    text += "\n";
    if (value instanceof Uint8Array) text += `${value.length} ${crc32(value)}`;
    // The tab keeps NULL distinct from the text "null".
    else text += value === null ? "\t" : String(value);
  }
  return crc32(text);
}

/** The number of rows and the sum of their checksums modulo 2^32. It reveals a missing row. */
export interface Count {
  readonly rows: number;
  readonly sum: number;
}

/** Whether these are the checksums of all counted rows. */
export function isCountOf({ rows, sum }: Count, sums: readonly number[]): boolean {
  const total = sums.reduce((all, one) => (all + one) >>> 0, 0);
  return rows === sums.length && sum === total;
}
