// The functions of the kernel in JavaScript, for the first vectors and for systems without WebAssembly. The
// results are the same to the last bit, so it never matters which of the two ran.

import type { RowMatrix } from "./embedding-table.ts";
import { vectorBytes } from "./quantize.ts";

/** Adds the first `count` rows of `rows`, each times its weight, to `sums`. */
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

// oxlint-disable-next-line max-params -- called once per row
function addRow8(matrix: RowMatrix, row: number, weight: number, sums: Float32Array): void {
  const { bytes, dimensions } = matrix;
  const start = row * dimensions;
  for (let at = 0; at < dimensions; at += 1) {
    const value = ((bytes[start + at] ?? 0) << 24) >> 24;
    // The product is rounded before the addition, as SIMD does it.
    sums[at] = (sums[at] ?? 0) + Math.fround(weight * value);
  }
}

// oxlint-disable-next-line max-params -- called once per row
function addRow4(matrix: RowMatrix, row: number, weight: number, sums: Float32Array): void {
  const { bytes, dimensions } = matrix;
  const start = (row * dimensions) >> 1;
  for (let at = 0; at < dimensions; at += 2) {
    const pair = bytes[start + (at >> 1)] ?? 0;
    sums[at] = (sums[at] ?? 0) + Math.fround(weight * ((pair & 15) - 8));
    sums[at + 1] = (sums[at + 1] ?? 0) + Math.fround(weight * ((pair >> 4) - 8));
  }
}

/**
 * Writes the dot product of the query with stored vector i of `vectors` to `to[i]`, for every element of
 * `to`.
 */
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
