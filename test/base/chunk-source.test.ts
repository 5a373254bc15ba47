import { zstdCompressSync } from "node:zlib";

import { expect, test } from "vitest";

import { chunkSource } from "../../src/base/chunk-source.ts";

test("a source is read whether or not it is compressed", () => {
  const text = "(function(exports){exports.a = 1;\n})";
  expect(chunkSource(Buffer.from(text))).toBe(text);
  expect(chunkSource(zstdCompressSync(text))).toBe(text);
  expect(chunkSource(Buffer.from(""))).toBe("");
});
