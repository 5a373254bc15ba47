import type { RowMatrix } from "./embedding-table.ts";
import { loadKernel, WASM_PAGE_BYTES, type Kernel } from "./kernel.ts";
import { addRowsScalar } from "./scalar-kernel.ts";

/** Rows that are added at a time. */
export const BATCH = 1024;

/**
 * Sums rows of a matrix. The caller writes what to add into the first places of `rows` and `weights`, calls
 * `add`, and finds the result in `sums`, which it clears itself. Weights include the scales of the rows.
 */
export interface RowSum {
  /** `BATCH` places each. */
  readonly rows: Uint32Array;
  readonly weights: Float32Array;
  readonly sums: Float32Array;
  readonly add: (count: number) => void;
}

/** Sums in JavaScript, where the matrix lies: costs nothing to set up. */
export function scalarRowSum(matrix: RowMatrix): RowSum {
  const rows = new Uint32Array(BATCH);
  const weights = new Float32Array(BATCH);
  const sums = new Float32Array(matrix.dimensions);
  return { rows, weights, sums, add: (count) => addRowsScalar(matrix, rows, weights, count, sums) };
}

/** Sums in the kernel, from a copy of the matrix; undefined where there is no kernel or no memory for it. */
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
