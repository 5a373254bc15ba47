import { readFileSync } from "node:fs";
import path from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";

import { kernelModuleFile } from "../../scripts/assemble-kernel.ts";
import { assemble } from "../../scripts/kernel/assemble.ts";
import { loadKernel, type Kernel } from "../../src/embed/kernel.ts";
import { BATCH, scalarRowSum, simdRowSum, type RowSum } from "../../src/embed/row-sum.ts";
import { scalarScanner, simdScanner, type VectorScanner } from "../../src/embed/vector-scanner.ts";
import { vectorBytes } from "../../src/embed/quantize.ts";
import { components, matrices, scans } from "./helpers.ts";

function kernel(): Kernel {
  const loaded = loadKernel();
  if (loaded === undefined) throw new Error("this Node has no WebAssembly with SIMD");
  return loaded;
}

test("the committed module is the assembled kernel.wat", () => {
  const file = path.join(import.meta.dirname, "../../src/embed/kernel-module.ts");
  expect(readFileSync(file, "utf8")).toBe(kernelModuleFile());
});

test.each([
  ["an instruction", "(i32.shr_q (local.get $a))", "unknown instruction i32.shr_q"],
  ["a local", "(local.set $b (i32.const 0))", "unknown name $b"],
  ["a label", "(br $out)", "unknown name $out"],
  ["a missing lane", "(i32x4.extract_lane (local.get $a))", "i32x4.extract_lane takes 1 lanes"],
  ["a parenthesis", "(loop $a", "a parenthesis is not closed"],
])("the assembler names the mistake: %s", (_what, body, message) => {
  const text = `(module (memory (export "memory") 1) (func (export "f") (param $a i32) ${body}))`;
  expect(() => assemble(text)).toThrow(message);
});

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

/** Returns the dot products with all vectors, and with those of the given rows. */
function scan(
  scanner: VectorScanner,
  { query, vectors, rows }: { query: Int8Array; vectors: Uint8Array; rows: Uint32Array },
): { readonly all: Int32Array; readonly some: Int32Array } {
  const at = scanner.start;
  scanner.grow(at + vectors.length);
  scanner.view(at, vectors.length).set(vectors);
  const all = new Int32Array(vectors.length / vectorBytes(query.length));
  const some = new Int32Array(rows.length);
  scanner.dots(query, at, all);
  scanner.dotsOf(query, at, rows, some);
  return { all, some };
}

test("the kernel and JavaScript compute the expected dot products", () => {
  const property = fc.property(scans, ({ dimensions, count, query, vectors }) => {
    const rows = Uint32Array.from({ length: count }, (_, at) => (at * 5) % count);
    const parts = { query, vectors, rows };
    const wanted = Array.from({ length: count }, (_, row) =>
      components(vectors, dimensions, row).reduce(
        (sum, value, at) => sum + value * (query[at] ?? 0),
        0,
      ),
    );
    for (const scanner of [simdScanner(dimensions, kernel()), scalarScanner(dimensions)]) {
      const { all, some } = scan(scanner, parts);
      expect([...all]).toEqual(wanted);
      expect([...some]).toEqual(Array.from(rows, (row) => wanted[row]));
    }
  });
  fc.assert(property);
});

test.each([-128, 127])("the largest components do not overflow with a query of %i", (largest) => {
  const dimensions = 1024;
  const query = new Int8Array(dimensions).fill(largest);
  // The first half is -8, the second half 7.
  const vectors = new Uint8Array(dimensions).fill(0x88, 0, dimensions / 2).fill(0x77, 512);
  const rows = Uint32Array.of(1);
  const wanted = {
    all: Int32Array.of(-8 * largest * dimensions, 7 * largest * dimensions),
    some: Int32Array.of(7 * largest * dimensions),
  };
  for (const scanner of [simdScanner(dimensions, kernel()), scalarScanner(dimensions)]) {
    expect(scan(scanner, { query, vectors, rows })).toEqual(wanted);
  }
});

test("a query does not affect the next one", () => {
  const scanner = simdScanner(48, kernel());
  const vectors = new Uint8Array(vectorBytes(48)).fill(0x11);
  const rows = Uint32Array.of(0);
  const full = new Int8Array(48).fill(100);
  expect(scan(scanner, { query: full, vectors, rows }).all).toEqual(Int32Array.of(4800));
  const one = new Int8Array(48).fill(3, 47);
  expect(scan(scanner, { query: one, vectors, rows }).all).toEqual(Int32Array.of(3));
});

test("more vectors than one call of the kernel handles are all compared", () => {
  const count = 10_000;
  const vectors = new Uint8Array(count * 16);
  for (let row = 0; row < count; row += 1) vectors.fill((row % 7) * 17, row * 16, row * 16 + 16);
  const query = new Int8Array(32).fill(-1);
  const rows = Uint32Array.from({ length: count }, (_, row) => row);
  const wanted = Int32Array.from({ length: count }, (_, row) => -32 * (row % 7));
  for (const scanner of [simdScanner(32, kernel()), scalarScanner(32)]) {
    expect(scan(scanner, { query, vectors, rows })).toEqual({ all: wanted, some: wanted });
  }
});

test("growing beyond 32-bit addresses is refused", () => {
  expect(() => simdScanner(16, kernel()).grow(2 ** 32)).toThrow(
    expect.objectContaining({ code: "INDEX_UNAVAILABLE" }),
  );
});
