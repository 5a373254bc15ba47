import type { RowMatrix } from "./embedding-table.ts";
import { loadKernel, WASM_PAGE_BYTES, type Kernel } from "./kernel.ts";
import { addRowsScalar } from "./scalar-kernel.ts";

/** The maximum number of rows per call of `RowSum.add`. */
export const BATCH = 1024;

/**
 * Computes a weighted sum of matrix rows. The caller writes the rows to add and their weights into the first
 * elements of `rows` and `weights`, calls `add`, and reads the result from `sums`, which the caller also
 * clears. A weight includes the scale of its row.
 */
export interface RowSum {
  /** `BATCH` elements each. */
  readonly rows: Uint32Array;
  readonly weights: Float32Array;
  readonly sums: Float32Array;
  /** Adds the first `count` rows. */
  readonly add: (count: number) => void;
}

/** Computes the sum in JavaScript, without copying the matrix: no setup cost. */
export function scalarRowSum(matrix: RowMatrix): RowSum {
  const rows = new Uint32Array(BATCH);
  const weights = new Float32Array(BATCH);
  const sums = new Float32Array(matrix.dimensions);
  return { rows, weights, sums, add: (count) => addRowsScalar(matrix, rows, weights, count, sums) };
}

/**
 * Computes the sum in the kernel, from a copy of the matrix. Undefined if there is no kernel or no memory for
 * the copy.
 */
export function simdRowSum(matrix: RowMatrix): RowSum | undefined {
  const kernel = loadKernel();
  if (kernel === undefined) return undefined;
  const { bits, dimensions, bytes } = matrix;
  const weightsAt = 4 * BATCH;
  const sumsAt = 8 * BATCH;
  const matrixAt = sumsAt + 4 * dimensions;
  if (!growTo(kernel, matrixAt + bytes.length)) return undefined;
  const { buffer } = kernel.memory;
  new Uint8Array(buffer, matrixAt).set(bytes);
  const add = bits === 4 ? kernel.addRows4 : kernel.addRows8;
  return {
    rows: new Uint32Array(buffer, 0, BATCH),
    weights: new Float32Array(buffer, weightsAt, BATCH),
    sums: new Float32Array(buffer, sumsAt, dimensions),
    add: (count) => add(0, weightsAt, count, matrixAt, dimensions, sumsAt),
  };
}

function growTo({ memory }: Kernel, bytes: number): boolean {
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / WASM_PAGE_BYTES);
  try {
    if (missing > 0) memory.grow(missing);
    return true;
  } catch {
    return false;
  }
}
