import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import {
  deflateRaw,
  inflateRaw,
  zstdCompress,
  zstdDecompress,
} from "../../src/base/compression.ts";

const SOURCES = join(import.meta.dirname, "../../src");

test("what was compressed is the same afterwards, and damage is an error", () => {
  const bytes = Buffer.from("words ".repeat(1000));
  for (const [compress, decompress] of [
    [zstdCompress, zstdDecompress],
    [deflateRaw, inflateRaw],
  ] as const) {
    const compressed = compress(bytes);
    expect(compressed.length).toBeLessThan(200);
    expect(decompress(compressed)).toEqual(bytes);
    compressed.fill(0xff, 0, 8);
    expect(() => decompress(compressed)).toThrow(/header|magic|invalid|unknown|descriptor/i);
  }
});

test("no other module compresses by itself: it would end the process if its thread were ended meanwhile", () => {
  const others = globSync("**/*.ts", { cwd: SOURCES }).filter((path) => {
    const code = readFileSync(join(SOURCES, path), "utf8");
    return /(?:zstd|brotli|inflate|deflate|zip)\w*Sync\b|\.terminate\(\)/i.test(code);
  });
  expect(others.toSorted()).toEqual(["base/compression.ts", "base/thread.ts"]);
});
