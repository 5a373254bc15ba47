import { expect, test } from "vitest";

import { columnOf, PositionEncoding } from "../../src/scip/positions.ts";

const LINE = "const ø = '😀', x = 1;";
const AT = LINE.indexOf("x");

test.each([
  ["UTF-8", PositionEncoding.utf8, Buffer.byteLength(LINE.slice(0, AT))],
  ["UTF-16", PositionEncoding.utf16, AT],
  ["UTF-32", PositionEncoding.utf32, Array.from(LINE.slice(0, AT)).length],
  ["none", PositionEncoding.unspecified, AT],
])("an offset in %s units", (_, encoding, offset) => {
  expect(columnOf(LINE, offset, encoding)).toBe(AT);
});

test("an offset inside of a character or after the line has no column", () => {
  const inside = Buffer.byteLength("const ") + 1;
  expect(columnOf(LINE, inside, PositionEncoding.utf8)).toBeUndefined();
  expect(columnOf(LINE, 1000, PositionEncoding.utf8)).toBeUndefined();
  expect(columnOf("abc", 4, PositionEncoding.utf16)).toBeUndefined();
  expect(columnOf("abc", 3, PositionEncoding.utf8)).toBe(3);
});
