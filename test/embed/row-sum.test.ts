import * as fc from "fast-check";
import { expect, test } from "vitest";
import { BATCH, scalarRowSum, simdRowSum, type RowSum } from "../../src/embed/row-sum.ts";
import { matrices } from "./arbitraries.ts";

test("the kernel and JavaScript compute the same sums of rows, bit by bit", () => {
  const weight = fc.float({ noNaN: true, min: -1000, max: 1000 });
  const property = fc.property(
    matrices.chain((matrix) =>
      fc.record({
        matrix: fc.constant(matrix),
        rows: fc.array(fc.tuple(fc.nat(matrix.rows - 1), weight), { maxLength: 40 }),
      }),
    ),
    ({ matrix, rows }) => {
      const simd = simdRowSum(matrix);
      if (simd === undefined) throw new Error("no kernel");
      expect(sumOf(simd, rows)).toEqual(sumOf(scalarRowSum(matrix), rows));
    },
  );
  fc.assert(property);
});

/** Adds in two steps, so that the second starts from the result of the first. */
function sumOf(sum: RowSum, rows: readonly (readonly [number, number])[]): Float32Array {
  for (const part of [rows.slice(0, 3), rows.slice(3)]) {
    for (const [index, [row, weight]] of part.entries()) {
      sum.rows[index] = row;
      sum.weights[index] = weight;
    }
    sum.add(part.length);
  }
  return sum.sums.slice();
}

test("a full batch of rows is summed", () => {
  const matrix = {
    rows: 1,
    dimensions: 16,
    bits: 8,
    bytes: new Uint8Array(16).fill(2),
    scales: Float32Array.of(1),
  } as const;
  for (const sum of [scalarRowSum(matrix), simdRowSum(matrix)]) {
    sum?.weights.fill(0.5);
    sum?.add(BATCH);
    expect(sum?.sums).toEqual(new Float32Array(16).fill(BATCH));
  }
});
