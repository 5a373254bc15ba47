import { zstdCompressSync } from "node:zlib";

import { expect, test } from "vitest";

import { chunkSource, unpacked } from "../../src/base/chunk-source.ts";

test("a source is read whether or not it is compressed", () => {
  const text = "(function(exports){exports.a = 1;\n})";
  expect(chunkSource(Buffer.from(text))).toBe(text);
  expect(chunkSource(zstdCompressSync(text))).toBe(text);
  expect(chunkSource(Buffer.from(""))).toBe("");
});

test("a code cache is read whether or not it is compressed", () => {
  const cache = Buffer.from([0x89, 0x06, 0xde, 0xc0, 1, 2, 3]);
  expect(unpacked(cache)).toEqual(cache);
  expect(unpacked(zstdCompressSync(cache))).toEqual(cache);
  expect(unpacked(Buffer.alloc(0))).toHaveLength(0);
});
