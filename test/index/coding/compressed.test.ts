import * as fc from "fast-check";
import { expect, test } from "vitest";

import {
  bytesOfNumbers,
  compressSection,
  decompress,
  decompressSection,
  differences,
  summed,
} from "../../../src/index/coding/compressed.ts";

test("a section is read back, and begins where numbers may", () => {
  const parts = [Uint8Array.from([1, 2, 3]), Buffer.from("größe".repeat(1000))];
  const read = decompressSection("files", compressSection(parts));
  expect(read).toEqual(Buffer.concat(parts));
  expect(read.byteOffset % 4).toBe(0);
  expect(read.buffer.byteLength).toBeLessThan(2 * read.length);
});

test("other bytes, and more than are expected, are damage of the section", () => {
  const refused = { code: "INDEX_UNAVAILABLE", message: expect.stringContaining("files section") };
  const bytes = compressSection([new Uint8Array(10_000)]);
  const limits = { chunkSize: 64, maxOutputLength: 9999 };
  for (const call of [
    () => decompressSection("files", Buffer.from("no frame")),
    () => decompressSection("files", bytes.subarray(0, bytes.length - 3)),
    () => decompress("files", bytes, limits),
  ]) {
    expect(call).toThrow(expect.objectContaining(refused));
  }
});

test("differences of any numbers add up to them", () => {
  fc.assert(
    fc.property(fc.uint32Array(), (numbers) => {
      expect(summed(differences(numbers))).toEqual(numbers);
    }),
  );
  expect([...bytesOfNumbers(Uint32Array.of(0x0403_0201))]).toEqual([1, 2, 3, 4]);
});
