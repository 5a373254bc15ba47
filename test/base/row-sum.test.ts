import * as fc from "fast-check";
import { expect, test } from "vitest";

import { isCountOf, rowSum, type SqlValue } from "../../src/base/row-sum.ts";

test("rows that differ in a value, its type, its order or their table have other checksums", () => {
  const rows: readonly (readonly [string, readonly SqlValue[]])[] = [
    ["file", []],
    ["file", [null]],
    ["file", ["null"]],
    ["file", [""]],
    ["file", ["a", "b"]],
    ["file", ["b", "a"]],
    ["file", ["ab"]],
    ["file", [new Uint8Array([97, 98])]],
    ["file", [new Uint8Array([98, 97])]],
    ["file", [new Uint8Array()]],
    ["files", ["a", "b"]],
    ["file", [1, 2]],
    ["file", [12]],
  ];
  expect(new Set(rows.map(([table, values]) => rowSum(table, values))).size).toBe(rows.length);
  expect(rowSum("file", ["a", 7n])).toBe(rowSum("file", ["a", 7]));
});

test("a count recognizes the checksums of its rows in any order, and no others", () => {
  const sums = fc.array(fc.nat(2 ** 32 - 1), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(sums, fc.nat(), (all, at) => {
      const count = { rows: all.length, sum: all.reduce((sum, one) => (sum + one) >>> 0, 0) };
      expect(isCountOf(count, all.toReversed())).toBe(true);
      const changed = all.with(at % all.length, ((all[at % all.length] ?? 0) + 1) >>> 0);
      expect(isCountOf(count, changed)).toBe(false);
      expect(isCountOf(count, [...all, 0])).toBe(false);
      expect(isCountOf(count, all.slice(1))).toBe(false);
    }),
  );
});
