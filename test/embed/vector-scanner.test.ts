import * as fc from "fast-check";
import { expect, test } from "vitest";
import { loadKernel, type Kernel } from "../../src/embed/kernel.ts";
import { scalarScanner, simdScanner, type VectorScanner } from "../../src/embed/vector-scanner.ts";
import { vectorBytes } from "../../src/embed/quantize.ts";
import { scans } from "./arbitraries.ts";
import { components } from "./helpers.ts";

function kernel(): Kernel {
  const loaded = loadKernel();
  if (loaded === undefined) throw new Error("this Node has no WebAssembly with SIMD");
  return loaded;
}

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
