import * as fc from "fast-check";
import { expect, test } from "vitest";

import { FreeList } from "../../src/embed/free-list.ts";

test("the first block that is large enough is used, and its rest stays free", () => {
  const list = new FreeList();
  list.free(100, 10);
  list.free(200, 30);
  list.free(300, 20);
  expect([list.allocate(20), list.allocate(10), list.allocate(11), list.allocate(20)]).toEqual([
    200,
    100,
    300,
    undefined,
  ]);
  expect([list.allocate(10), list.allocate(9), list.allocate(1)]).toEqual([220, 311, undefined]);
});

test("adjacent free blocks are joined", () => {
  const list = new FreeList();
  list.free(0, 10);
  list.free(20, 10);
  expect(list.allocate(30)).toBeUndefined();
  list.free(10, 10);
  expect(list.allocate(30)).toBe(0);
});

test("bytes before the end of the memory are counted only if they reach it", () => {
  const list = new FreeList();
  list.free(50, 50);
  expect([list.bytesBefore(100), list.bytesBefore(101)]).toEqual([50, 0]);
  expect(new FreeList().bytesBefore(0)).toBe(0);
});

const SIZE = 64;

test("after any allocations and releases, each byte is in one block or free", () => {
  const steps = fc.array(fc.record({ bytes: fc.integer({ min: 1, max: 16 }), release: fc.nat() }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(steps, (all) => {
      const list = new FreeList();
      list.free(0, SIZE);
      const blocks: { at: number; bytes: number }[] = [];
      for (const { bytes, release } of all) {
        const at = list.allocate(bytes);
        if (at !== undefined) blocks.push({ at, bytes });
        else
          for (const block of blocks.splice(release % (blocks.length + 1), 1))
            list.free(block.at, block.bytes);
        const used = new Set<number>();
        for (const block of blocks) {
          for (let byte = block.at; byte < block.at + block.bytes; byte += 1) {
            expect([byte, used.has(byte), byte < SIZE]).toEqual([byte, false, true]);
            used.add(byte);
          }
        }
      }
      for (const block of blocks) list.free(block.at, block.bytes);
      expect(list.allocate(SIZE)).toBe(0);
    }),
  );
});
