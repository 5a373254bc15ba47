// What the kernel does, in JavaScript: for the first vectors, and where there is no WebAssembly. Results
// are the same to the last bit, so nothing depends on which of the two has run.

import type { RowMatrix } from "./embedding-table.ts";
import { vectorBytes } from "./quantize.ts";

/** Adds rows of the matrix, each times its weight, to `sums`; the first `count` of both lists. */
// oxlint-disable-next-line max-params -- the signature of the kernel's function
export function addRowsScalar(
  matrix: RowMatrix,
  rows: Uint32Array,
  weights: Float32Array,
  count: number,
  sums: Float32Array,
): void {
  const add = matrix.bits === 4 ? addRow4 : addRow8;
  for (let at = 0; at < count; at += 1) add(matrix, rows[at] ?? 0, weights[at] ?? 0, sums);
}

// oxlint-disable-next-line max-params -- called once a row
function addRow8(matrix: RowMatrix, row: number, weight: number, sums: Float32Array): void {
  const { bytes, dimensions } = matrix;
  const start = row * dimensions;
  for (let at = 0; at < dimensions; at += 1) {
    const value = ((bytes[start + at] ?? 0) << 24) >> 24;
    // The product is rounded before it is added, as SIMD does.
    sums[at] = (sums[at] ?? 0) + Math.fround(weight * value);
  }
}

// oxlint-disable-next-line max-params -- called once a row
function addRow4(matrix: RowMatrix, row: number, weight: number, sums: Float32Array): void {
  const { bytes, dimensions } = matrix;
  const start = (row * dimensions) >> 1;
  for (let at = 0; at < dimensions; at += 2) {
    const pair = bytes[start + (at >> 1)] ?? 0;
    sums[at] = (sums[at] ?? 0) + Math.fround(weight * ((pair & 15) - 8));
    sums[at + 1] = (sums[at + 1] ?? 0) + Math.fround(weight * ((pair >> 4) - 8));
  }
}

/** `to[i]` becomes the dot product of the query with stored vector i of `vectors`. */
export function dotsScalar(query: Int8Array, vectors: Uint8Array, to: Int32Array): void {
  const width = vectorBytes(query.length);
  for (let row = 0; row < to.length; row += 1) {
    const start = row * width;
    let sum = 0;
    for (let at = 0; at < query.length; at += 2) {
      const pair = vectors[start + (at >> 1)] ?? 0;
      sum += (query[at] ?? 0) * ((pair << 28) >> 28) + (query[at + 1] ?? 0) * ((pair << 24) >> 28);
    }
    to[row] = sum;
  }
}
