import { expect, test } from "vitest";

import { forgetAll } from "../../src/base/at-rest.ts";
import { VersionCache } from "../../src/engine/version-cache.ts";

function counting(): () => Promise<number> {
  let computed = 0;
  return () => Promise.resolve((computed += 1));
}

test("a value is computed once for each version of an index", async () => {
  const cache = new VersionCache<number>();
  const create = counting();
  const version = { epoch: "e", at: 1 };
  const [one, other] = [cache.get("a", version, create), cache.get("a", version, create)];
  expect(await Promise.all([one, other])).toEqual([1, 1]);
  expect(await cache.get("a", { ...version, at: 2 }, create)).toBe(2);
  expect(await cache.get("b", version, create)).toBe(3);
});

test("a failure is not kept", async () => {
  const cache = new VersionCache<number>();
  const version = { epoch: "e", at: 1 };
  const failing = cache.get("a", version, () => Promise.reject(new Error("unreadable")));
  await expect(failing).rejects.toThrow("unreadable");
  expect(await cache.get("a", version, counting())).toBe(1);
});

test("at rest the values are forgotten, and computed again when they are needed", async () => {
  const cache = new VersionCache<number>();
  const create = counting();
  const version = { epoch: "e", at: 1 };
  expect(await cache.get("a", version, create)).toBe(1);
  forgetAll();
  expect(await cache.get("a", version, create)).toBe(2);
});
