import { expect, test } from "vitest";

import { newSegmentName, segmentShard } from "../../../src/index/embedded/segment-name.ts";

test("the name of a segment tells its shard", () => {
  for (const shard of [
    { shard: 0, of: 3 },
    { shard: 11, of: 16 },
  ]) {
    expect(segmentShard(newSegmentName(shard))).toEqual(shard);
  }
});

test("without shards names are as they have always been", () => {
  const name = newSegmentName({ shard: 0, of: 1 });
  expect(name).toMatch(/^[a-z\d]+-[\da-f]{8}$/);
  expect(segmentShard(name)).toEqual({ shard: 0, of: 1 });
  expect(newSegmentName({ shard: 0, of: 1 })).not.toBe(name);
});
