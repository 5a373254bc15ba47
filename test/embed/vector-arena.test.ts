import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { loadKernel } from "../../src/embed/kernel.ts";
import { scalarScanner, simdScanner, type VectorScanner } from "../../src/embed/vector-scanner.ts";
import { VectorArena, type VectorBlock } from "../../src/embed/vector-arena.ts";

const DIMENSIONS = 64;
const BYTES = 32;

const scanners: readonly (readonly [string, () => VectorScanner])[] = [
  ["WebAssembly", () => simdScanner(DIMENSIONS, loadKernel() ?? fail())],
  ["JavaScript", () => scalarScanner(DIMENSIONS)],
];

function fail(): never {
  throw new Error("this Node has no WebAssembly with SIMD");
}

/**
 * Fills a block with vectors whose dot product with a query of ones is 64 times `value`, which is up to 7.
 */
function fillWith(block: VectorBlock, value: number): void {
  block.fill((bytes) => bytes.fill(value * 17));
}

function ones(): Int8Array {
  return new Int8Array(DIMENSIONS).fill(1);
}

function dots(block: VectorBlock): readonly number[] {
  const to = new Int32Array(block.count);
  block.dots(ones(), to);
  return [...to];
}

const steps = fc.array(
  fc.oneof(fc.record({ take: fc.integer({ min: 0, max: 3000 }) }), fc.record({ free: fc.nat(20) })),
  { maxLength: 40 },
);

describe.each(scanners)("%s", (_name, create) => {
  test("blocks keep their content while others are allocated and freed, and freed memory is used again", () => {
    const property = fc.property(steps, (list) => {
      const arena = new VectorArena(DIMENSIONS, create());
      const blocks: { readonly block: VectorBlock; readonly value: number }[] = [];
      let value = 0;
      for (const step of list) {
        if ("take" in step) {
          value = (value + 1) % 8;
          const block = arena.vectors(step.take);
          fillWith(block, value);
          blocks.push({ block, value });
        } else {
          const [freed] = blocks.splice(step.free, 1);
          freed?.block.free();
        }
      }
      for (const { block, value: wanted } of blocks) {
        expect(dots(block)).toEqual(Array.from({ length: block.count }, () => wanted * 64));
      }
      // All blocks together fit again without growing, so no memory was lost.
      const size = arena.sizeBytes;
      for (const { block } of blocks) block.free();
      const maxVectors = Math.floor((size - create().start) / BYTES);
      arena.vectors(maxVectors);
      expect(arena.sizeBytes).toBe(size);
    });
    fc.assert(property, { numRuns: 30 });
  });

  test("the arena grows by the missing memory only", () => {
    const arena = new VectorArena(DIMENSIONS, create());
    arena.vectors(10_000).free();
    const size = arena.sizeBytes;
    expect(size).toBeLessThan(10_000 * BYTES + 2 * 65_536);
    arena.vectors(12_000);
    expect(arena.sizeBytes).toBeLessThan(12_000 * BYTES + 2 * 65_536);
    expect(arena.sizeBytes).toBeGreaterThan(size);
  });

  test("dot products can be computed for selected vectors", () => {
    const arena = new VectorArena(DIMENSIONS, create());
    const block = arena.vectors(100);
    block.fill((bytes) => {
      for (let row = 0; row < 100; row += 1) {
        bytes.fill((row % 8) * 17, row * BYTES, (row + 1) * BYTES);
      }
    });
    const to = new Int32Array(3);
    block.dotsOf(ones(), Uint32Array.of(99, 0, 7), to);
    expect([...to]).toEqual([3 * 64, 0, 7 * 64]);
    expect(() => block.dotsOf(ones(), Uint32Array.of(100), to)).toThrow("no vector 100");
  });

  test("a view that the caller keeps cannot access later blocks", () => {
    const arena = new VectorArena(DIMENSIONS, create());
    let keptView: Uint8Array = new Uint8Array();
    arena.vectors(10).fill((bytes) => {
      keptView = bytes;
    });
    const later = arena.vectors(100_000);
    fillWith(later, 3);
    expect(keptView).toHaveLength(0);
    expect(() => keptView.fill(9)).toThrow("detached");
    expect(new Set(dots(later))).toEqual(new Set([3 * 64]));
  });
});

test("allocating while a block is being filled throws, and the arena stays usable", () => {
  const arena = new VectorArena(DIMENSIONS);
  const block = arena.vectors(1);
  expect(() => block.fill(() => void arena.vectors(1))).toThrow(
    "while another one is being filled",
  );
  expect(arena.vectors(1).count).toBe(1);
});

test("wrong uses of blocks throw", () => {
  const arena = new VectorArena(DIMENSIONS);
  const block = arena.vectors(2);
  expect(() => block.dots(ones(), new Int32Array(1))).toThrow("1 elements cannot hold 2 results");
  expect(() => block.dots(new Int8Array(16), new Int32Array(2))).toThrow("16 dimensions, not 64");
  const rows = Uint32Array.of(0, 1);
  expect(() => block.dotsOf(ones(), rows, new Int32Array(1))).toThrow(
    "1 elements cannot hold 2 results",
  );
  expect(() => block.dotsOf(new Int8Array(16), rows, new Int32Array(2))).toThrow("not 64");
  block.free();
  expect(() => block.free()).toThrow("was freed");
  expect(() => block.dots(ones(), new Int32Array(2))).toThrow("was freed");
  expect(() => new VectorArena(40)).toThrow("does not support vectors of 40 dimensions");
});

test("an allocation beyond 32-bit addresses fails with a hint, and the arena stays usable", () => {
  const arena = new VectorArena(DIMENSIONS);
  expect(() => arena.vectors(2 ** 28)).toThrow(
    expect.objectContaining({ code: "INDEX_UNAVAILABLE", hint: expect.stringMatching(/./) }),
  );
  const block = arena.vectors(3);
  fillWith(block, 2);
  expect(dots(block)).toEqual([128, 128, 128]);
});
