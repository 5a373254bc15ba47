// Not in helpers.ts, because programs that tests kill would load fast-check each time.
import * as fc from "fast-check";

import type { RowMatrix } from "../../src/embed/embedding-table.ts";
import { vectorBytes } from "../../src/embed/quantize.ts";

const lengths = fc.integer({ min: 1, max: 20 }).map((blocks) => blocks * 16);

export const matrices: fc.Arbitrary<RowMatrix> = fc
  .record({
    dimensions: lengths,
    rows: fc.integer({ min: 1, max: 8 }),
    bits: fc.constantFrom<4 | 8>(4, 8),
  })
  .chain(({ dimensions: length, rows, bits }) =>
    fc.record({
      rows: fc.constant(rows),
      dimensions: fc.constant(length),
      bits: fc.constant(bits),
      bytes: byteArrays((rows * length * bits) / 8),
      scales: fc.constant(new Float32Array(rows).fill(1)),
    }),
  );

/** Arbitrary stored vectors and a query of the same dimensions. */
export const scans = lengths.chain((length) =>
  fc.integer({ min: 0, max: 12 }).chain((count) =>
    fc.record({
      dimensions: fc.constant(length),
      count: fc.constant(count),
      query: byteArrays(length).map((bytes) => new Int8Array(bytes.buffer)),
      vectors: byteArrays(vectorBytes(length) * count),
    }),
  ),
);

function byteArrays(length: number): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  return fc
    .uint8Array({ minLength: length, maxLength: length, size: "max" })
    .map((bytes) => new Uint8Array(bytes));
}
