import { expect, test } from "vitest";

import { fixedShards, growingShards } from "../../../src/index/shards/shard-count.ts";

test("the number of shards doubles with the chunks, and never gets smaller", () => {
  const count = growingShards();
  const chunks = [0, 2_500_000, 2_500_001, 5_000_000, 10_000_000, 10_000_001];
  expect(chunks.map((number) => count(number, 1))).toEqual([1, 1, 2, 2, 4, 8]);
  expect(count(0, 4)).toBe(4);
  expect(growingShards(10)(31, 3)).toBe(6);
  expect([fixedShards(3)(0, 1), fixedShards(3)(0, 4)]).toEqual([3, 4]);
});
