import { expect, test } from "vitest";

import { shardOf } from "../../../src/index/shards/shard-of.ts";

test("paths are divided evenly, and twice as many shards divide each in two", () => {
  const paths = Array.from({ length: 4000 }, (_, at) => `src/folder${at % 40}/file${at}.ts`);
  const counts = [0, 0, 0, 0];
  for (const path of paths) {
    const shard = shardOf(path, 4);
    counts[shard] = (counts[shard] ?? 0) + 1;
    expect(shard % 2).toBe(shardOf(path, 2));
  }
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(120);
});

test("the shard of a path never changes: other processes know it too", () => {
  const paths = ["", "a", "src/main.ts", "größe/\u{1F600}.md"];
  expect(paths.map((path) => shardOf(path, 1))).toEqual([0, 0, 0, 0]);
  expect(paths.map((path) => shardOf(path, 7))).toMatchInlineSnapshot(`
    [
      2,
      6,
      6,
      1,
    ]
  `);
});
