import * as fc from "fast-check";
import { expect, test } from "vitest";

import { StringColumn, StringTable } from "../../../../src/index/embedded/segment/string-column.ts";
import { anyText } from "../../../helpers/any-text.ts";

function call(strings: readonly string[]): { order: readonly number[]; table: StringTable } {
  const column = new StringColumn();
  for (const text of strings) column.push(text);
  expect(column.length).toBe(strings.length);
  // A copy, as after reading from a segment.
  const bytes = new Uint8Array(column.finish());
  return { order: [...column.order()], table: new StringTable(bytes, strings.length) };
}

test("strings are read back by number", () => {
  fc.assert(
    fc.property(fc.array(anyText()), (strings) => {
      const { table } = call(strings);
      expect(strings.map((_, at) => table.get(at))).toEqual(strings);
      expect(table.all()).toEqual(strings);
    }),
  );
});

test("the order is code unit order, also beyond the basic plane", () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyText()), (strings) => {
      const { order } = call(strings);
      expect(order.map((at) => strings[at])).toEqual(strings.toSorted());
    }),
  );
  expect(call(["\uff5e", "😀", "b", "a/b", "a"]).order).toEqual([4, 3, 2, 1, 0]);
});

test("thousands of strings are unchanged when their memory grows", () => {
  const strings = Array.from({ length: 20_000 }, (_, at) => `src/folder${at % 100}/größe${at}.ts`);
  const { table } = call(strings);
  expect(strings.map((_, at) => table.get(at))).toEqual(strings);
  const ascii = strings.map((text) => text.replace("größe", "size"));
  expect(call(ascii).table.all()).toEqual(ascii);
});
