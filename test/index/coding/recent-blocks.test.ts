import { expect, test } from "vitest";

import { forgetAll } from "../../../src/base/at-rest.ts";
import { RecentBlocks, reserveKeys } from "../../../src/index/coding/recent-blocks.ts";

function block(length: number): Uint8Array {
  return new Uint8Array(length);
}

test("the blocks used last are kept, up to twice the limit", () => {
  const blocks = new RecentBlocks(10);
  for (let key = 0; key < 3; key += 1) blocks.set(key, block(6));
  // The third block began the newer half. A used block returns to this half.
  expect(blocks.get(0)?.length).toBe(6);
  for (let key = 3; key < 5; key += 1) blocks.set(key, block(6));
  expect([1, 4, 3, 0].map((key) => blocks.get(key)?.length)).toEqual([undefined, 6, 6, 6]);
});

test("a program at rest keeps none", () => {
  const blocks = new RecentBlocks(10);
  blocks.set(1, block(1));
  blocks.set(2, block(1));
  forgetAll();
  expect([blocks.get(1), blocks.get(2)]).toEqual([undefined, undefined]);
});

test("reserved keys are not given twice", () => {
  const first = reserveKeys(5);
  expect(reserveKeys(1)).toBeGreaterThanOrEqual(first + 5);
});
