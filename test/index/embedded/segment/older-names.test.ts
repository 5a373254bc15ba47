import { readFileSync } from "node:fs";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";

import { expect, test } from "vitest";

import { convertedNames } from "../../../../src/index/embedded/segment/older-names.ts";
import { tableOf } from "../../../../src/index/names/symbol-names.ts";

/** The section of a segment in format 13 with the names `open`, `größeÄndern` and `open` of `Größe`. */
const OLDER = readFileSync(join(import.meta.dirname, "fixtures/format-13.names"));

test("the names of format 13 are read", () => {
  const table = tableOf(convertedNames(OLDER));
  const names = Array.from({ length: table.size }, (_, at) => [
    table.name(at),
    ...table.symbolsOf(at),
  ]);
  expect(names).toEqual([
    ["größeÄndern", 1],
    ["open", 0, 2],
  ]);
  expect(table.ownerText(table.ownerOf(2))).toBe("Größe.");
  expect(table.namesWith("ändern").length).toBe(1);
});

test("a table that is too long or too short is damage", () => {
  const bytes = zstdDecompressSync(OLDER);
  for (const damaged of [Buffer.concat([bytes, Buffer.from([0])]), bytes.subarray(0, -1)]) {
    expect(() => convertedNames(zstdCompressSync(damaged))).toThrow(
      "The names section of the index is damaged.",
    );
  }
});
