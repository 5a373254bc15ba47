import { zstdCompressSync, zstdDecompressSync } from "node:zlib";

import { expect, test } from "vitest";

import { decodeNames, encodeNames } from "../../../../src/index/embedded/segment/names-section.ts";
import { NameTableBuilder } from "../../../../src/index/names/name-table.ts";

const FACTS = { kind: "method", access: "private", startLine: 1, endLine: 1, nameLine: 1 } as const;

function tableOf(names: readonly string[]) {
  const builder = new NameTableBuilder();
  for (const name of names) builder.add([{ name, qualifiedName: `Größe.${name}`, ...FACTS }]);
  return builder.build();
}

test.each([
  ["no name", []],
  ["a few names", ["open", "openFile", "größeÄndern", "名前", "𝒳", "open"]],
  ["many names", Array.from({ length: 3000 }, (_, at) => `name${at}Of${at % 7}`)],
])("a table with %s is read back as it was written", (_, names) => {
  const table = tableOf(names);
  const read = decodeNames(encodeNames(table));
  const comparable = ({ text, traits, ...others }: typeof table) => {
    const parts = [text.slice(0), text.slice(1, 3), text.slice(2)];
    return { ...others, length: text.length, parts, traits: [...traits] };
  };
  expect(comparable(read)).toEqual(comparable(table));
});

test("a table holds no more memory than it needs", () => {
  for (const count of [1, 200, 3000]) {
    const table = tableOf(Array.from({ length: count }, (_, at) => `name${at}`));
    const { starts, masks } = decodeNames(encodeNames(table));
    expect(masks.buffer).toBe(starts.buffer);
    // Twelve numbers for each name, besides its text and its words.
    expect(starts.buffer.byteLength).toBeLessThan(2000 + count * 12 * 4 * 3);
  }
});

test("a table that is too long or too short is damage", () => {
  const bytes = zstdDecompressSync(encodeNames(tableOf(["open"])));
  const other = [Buffer.concat([bytes, Buffer.from([0])]), bytes.subarray(0, bytes.length - 1)];
  for (const damaged of other) {
    expect(() => decodeNames(zstdCompressSync(damaged))).toThrow(
      "The names section of the index is damaged.",
    );
  }
});
