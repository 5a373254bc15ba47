import { expect, test } from "vitest";

import { BoundedCache } from "../../src/graph/bounded-cache.ts";

test("a value is computed once, while the cache holds it", () => {
  const cache = new BoundedCache<string>(4);
  const computed: string[] = [];
  const get = (key: string): string =>
    cache.get(key, () => {
      computed.push(key);
      return key.toUpperCase();
    });
  expect([get("a"), get("a"), cache.peek("a"), cache.peek("b")]).toEqual([
    "A",
    "A",
    "A",
    undefined,
  ]);
  for (const key of ["b", "c", "d"]) get(key);
  expect(computed).toEqual(["a", "b", "c", "d"]);
  // The fifth drops the older half.
  get("e");
  expect(["a", "b", "c", "d", "e"].map((key) => cache.peek(key))).toEqual([
    undefined,
    undefined,
    "C",
    "D",
    "E",
  ]);
  get("a");
  expect(computed).toEqual(["a", "b", "c", "d", "e", "a"]);
});
