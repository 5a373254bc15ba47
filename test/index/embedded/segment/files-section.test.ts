import { expect, test } from "vitest";

import { compressSection } from "../../../../src/index/coding/compressed.ts";
import { decodeFiles, encodeFiles } from "../../../../src/index/embedded/segment/files-section.ts";
import { StringColumn } from "../../../../src/index/embedded/segment/string-column.ts";

const COLUMNS = {
  firstChunk: Uint32Array.of(0, 2, 2),
  firstSymbol: Uint32Array.of(0, 0, 1),
  outline: Uint32Array.of(0, 70, 90),
  references: Uint32Array.of(0, 0, 5),
  length: Uint32Array.of(300, 4_294_967_295, 1),
  facts: Uint32Array.of(1 << 20, 0, 7),
  firstVector: Uint32Array.of(1, 0, 3),
  fingerprints: Uint32Array.of(0, 9, 9),
};

function written(paths: readonly string[]): Uint8Array {
  const column = new StringColumn();
  for (const path of paths) column.push(path);
  const lengths = [Uint8Array.of(1, 2, 3), Uint8Array.of(4, 5, 6)];
  return encodeFiles(COLUMNS, column, lengths);
}

test("files are read back as they were written", () => {
  const paths = ["src/z.ts", "größe/a.ts", "src/a.ts"];
  const read = decodeFiles(written(paths), 3, 3);
  expect(read.columns).toEqual(Object.values(COLUMNS));
  expect([...read.order]).toEqual([1, 2, 0]);
  expect(paths.map((_, at) => read.paths.get(at))).toEqual(paths);
  expect([...read.lengths]).toEqual([1, 2, 3, 4, 5, 6]);
});

test("a section that is too short for its files and chunks is damage", () => {
  const section = written(["a", "b", "c"]);
  for (const [files, chunks] of [
    [30, 3],
    [3, 300],
  ] as const) {
    expect(() => decodeFiles(section, files, chunks)).toThrow(
      "The files section of the index is damaged.",
    );
  }
  expect(() => decodeFiles(compressSection([]), 3, 3)).toThrow("damaged");
});
