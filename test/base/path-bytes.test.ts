import { isUtf8 } from "node:buffer";

import * as fc from "fast-check";
import { expect, test } from "vitest";

import {
  hasEscapedBytes,
  isLossyName,
  pathFromBytes,
  pathToBytes,
  toFilePath,
} from "../../src/base/path-bytes.ts";

/** Bytes that names can have, often those that begin or end characters. */
const byte = fc.oneof(
  fc.integer({ min: 1, max: 255 }).filter((value) => value !== 0x2f),
  fc.constantFrom(0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbb, 0xbc, 0xbf),
  fc.constantFrom(0xc0, 0xc1, 0xc3, 0xe0, 0xe9, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff),
);
const character = fc
  .oneof(
    fc.constantFrom("a", "é", "\uFFFD", "€", "\u{1F600}"),
    fc.integer({ min: 0x10fe00, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
  )
  .map((text) => [...Buffer.from(text)]);
const name = fc
  .array(
    fc.oneof(
      byte.map((value) => [value]),
      character,
    ),
    { maxLength: 12 },
  )
  .map((parts) => Buffer.from(parts.flat()));

test("any bytes decode to one well-formed string, which encodes to the same bytes", () => {
  fc.assert(
    fc.property(name, (bytes) => {
      const path = pathFromBytes(bytes);
      expect(path.isWellFormed()).toBe(true);
      expect(pathToBytes(path)).toEqual(bytes);
      expect(hasEscapedBytes(path)).toBe(!Buffer.from(path).equals(bytes));
      expect(isLossyName(bytes.toString()) || path === bytes.toString()).toBe(true);
      const filePath = toFilePath(path);
      expect(typeof filePath).toBe(hasEscapedBytes(path) ? "object" : "string");
      expect(Buffer.from(filePath)).toEqual(bytes);
    }),
    { numRuns: 5000, seed: 20_261_121 },
  );
});

test("only bytes that are not UTF-8, and the characters that serve as escapes, are escaped", () => {
  fc.assert(
    fc.property(name, (bytes) => {
      const path = pathFromBytes(bytes);
      const text = Array.from(bytes.toString());
      const reserved = text.filter((one) => one >= "\u{10FF00}" && one <= "\u{10FFFF}").length;
      const escapes = Array.from(path).filter(hasEscapedBytes).length;
      expect(escapes > reserved * 4).toBe(!isUtf8(bytes));
    }),
    { numRuns: 5000, seed: 20_261_122 },
  );
});

test.each([
  ["plain.ts", [...Buffer.from("plain.ts")]],
  ["é\uFFFD", [...Buffer.from("é\uFFFD")]],
  ["caf\u{10FFE9}.ts", [...Buffer.from("caf"), 0xe9, ...Buffer.from(".ts")]],
  // Half a character, a surrogate, an overlong slash, and a character that is the escape of a byte.
  ["\u{10FFE2}\u{10FF82}", [0xe2, 0x82]],
  ["\u{10FFED}\u{10FFA0}\u{10FF80}", [0xed, 0xa0, 0x80]],
  ["\u{10FFC0}\u{10FFAF}", [0xc0, 0xaf]],
  ["\u{10FFF4}\u{10FF8F}\u{10FFBF}\u{10FFBF}", [...Buffer.from("\u{10FFFF}")]],
  ["\u{10FEFF}", [...Buffer.from("\u{10FEFF}")]],
])("%j has the bytes %j", (path, bytes) => {
  expect(pathFromBytes(Uint8Array.from(bytes))).toBe(path);
  expect([...pathToBytes(path)]).toEqual(bytes);
});

test("no string hides an ASCII byte", () => {
  for (let code = 0; code < 0x80; code++) {
    const path = String.fromCodePoint(0x10ff00 + code);
    expect(pathToBytes(path)).toEqual(Buffer.from(path));
    expect(hasEscapedBytes(path)).toBe(false);
  }
});

test("a part of a larger buffer is decoded from its own bytes", () => {
  expect(pathFromBytes(Buffer.from("a/é/b").subarray(2, 4))).toBe("é");
});
