import { expect, test } from "vitest";

import { Fence, markAfter } from "../../src/index/fence.ts";

const REFUSED = "Another process has written to the index.";

test("a writer stores one mark, over that of the writers before it and over its own", () => {
  const first = new Fence(undefined);
  const mark = first.markOver(undefined);
  expect(first.markOver(mark)).toBe(mark);
  const second = new Fence(mark);
  expect([first.number, second.number]).toEqual([1, 2]);
  expect(second.markOver(mark)).not.toBe(mark);
});

test("a writer is refused once a later one has written", () => {
  const first = new Fence(undefined);
  const second = new Fence(first.markOver(undefined));
  const written = second.markOver(first.markOver(undefined));
  expect(() => first.markOver(written)).toThrow(REFUSED);
  expect(second.markOver(written)).toBe(written);
});

test("of two writers that were opened at the same mark, the first to write goes on", () => {
  const mark = new Fence(undefined).markOver(undefined);
  const [one, other] = [new Fence(mark), new Fence(mark)];
  const written = other.markOver(mark);
  expect(() => one.markOver(written)).toThrow(REFUSED);
  expect(other.markOver(written)).toBe(written);
});

test("a mark after the last one refuses every writer that was opened before", () => {
  const fence = new Fence(undefined);
  const mark = fence.markOver(undefined);
  expect(() => fence.markOver(markAfter(mark))).toThrow(REFUSED);
});
