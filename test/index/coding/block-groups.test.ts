import { randomBytes } from "node:crypto";

import { array, assert, infiniteStream, nat, oneof, property, uint8Array } from "fast-check";
import { expect, test } from "vitest";

import { forgetAll } from "../../../src/base/at-rest.ts";
import {
  BlockGroupReader,
  BlockGroupWriter,
  type BlockGroups,
} from "../../../src/index/coding/block-groups.ts";
import { IndexDamage } from "../../../src/index/damage.ts";

/** Writes blocks; also returns the start of each. */
function written(blocks: readonly Uint8Array[]): BlockGroups & { readonly starts: number[] } {
  const writer = new BlockGroupWriter();
  const starts = blocks.map((block) => {
    const start = writer.length;
    writer.add((to) => to.bytes(block));
    return start;
  });
  return { ...writer.finish(), starts };
}

function readerOf({ groups, places }: BlockGroups, onRead = (_length: number): void => undefined) {
  return new BlockGroupReader("blocks", places, (offset, length) => {
    onRead(length);
    return groups.subarray(offset, offset + length);
  });
}

const BLOCKS = array(
  oneof(
    uint8Array({ maxLength: 40 }),
    nat(60_000).map((length) => new Uint8Array(length).fill(length)),
  ),
  { maxLength: 60 },
);

test("every block is read as it was written, in any order", () => {
  assert(
    property(BLOCKS, infiniteStream(nat()), (blocks, order) => {
      const { starts, ...groups } = written(blocks);
      const reader = readerOf(groups);
      const numbers = [...blocks.keys(), ...order.take(20).map((at) => at % (blocks.length || 1))];
      for (const at of numbers) {
        const block = blocks[at];
        if (block === undefined) continue;
        const read = reader.block(starts[at] ?? 0, starts[at + 1]);
        expect(Buffer.compare(read, block)).toBe(0);
      }
    }),
  );
});

test("blocks that repeat each other take less space, and neighbours are read at once", () => {
  const text = randomBytes(300);
  const { starts, ...groups } = written(Array.from({ length: 100 }, () => text));
  expect(groups.groups.length).toBeLessThan(2000);
  const reads: number[] = [];
  const reader = readerOf(groups, (length) => reads.push(length));
  for (const at of starts.keys())
    expect([...reader.block(starts[at] ?? 0, starts[at + 1])]).toEqual([...text]);
  expect(reads.length).toBeLessThanOrEqual(2);
});

test("groups that were read long ago are read again, with the same result", () => {
  const blocks = Array.from({ length: 1500 }, (_, at) => Buffer.alloc(16_384, at));
  const { starts, ...groups } = written(blocks);
  let reads = 0;
  const reader = readerOf(groups, () => (reads += 1));
  for (const round of [1, 2]) {
    for (const at of starts.keys())
      expect(reader.block(starts[at] ?? 0, starts[at + 1])[0]).toBe(at % 256);
    expect(reads).toBe(1500 * round);
  }
  reader.block(starts[1499] ?? 0);
  expect(reads).toBe(3000);
});

test("two readers of equal places do not mix their groups", () => {
  const [one, other] = [written([Buffer.from("one")]), written([Buffer.from("two")])];
  const readers = [readerOf(one), readerOf(other)];
  expect(readers.map((reader) => Buffer.from(reader.block(0)).toString())).toEqual(["one", "two"]);
});

test("places that are in no group are damage", () => {
  const { starts: _, ...groups } = written([Buffer.from("one"), Buffer.from("two")]);
  const reader = readerOf(groups);
  for (const [from, to] of [
    [0, 7],
    [5, 2],
    [9, 12],
  ] as const)
    expect(() => reader.block(from, to)).toThrow(IndexDamage);
});

test("groups of another length than their places say are damage", () => {
  const { groups, places } = written([Buffer.from("some text")]);
  const shorter = places.map((place, at) => (at === 1 ? place - 1 : place));
  expect(() => readerOf({ groups, places: shorter }).block(0, 3)).toThrow(IndexDamage);
});

test("what was read is kept until the program rests", () => {
  const { starts, ...groups } = written([Buffer.from("one"), Buffer.from("two")]);
  const reads: number[] = [];
  const reader = readerOf(groups, (length) => reads.push(length));
  expect(Buffer.from(reader.block(starts[0] ?? 0, starts[1])).toString()).toBe("one");
  expect(Buffer.from(reader.block(starts[1] ?? 0)).toString()).toBe("two");
  expect(reads).toHaveLength(1);
  forgetAll();
  expect(Buffer.from(reader.block(starts[1] ?? 0)).toString()).toBe("two");
  expect(reads).toHaveLength(2);
});
