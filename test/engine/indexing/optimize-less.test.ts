import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { expect, test } from "vitest";

import { optimizingLess } from "../../../src/engine/indexing/optimize-less.ts";

const SOURCE = pathToFileURL(
  join(import.meta.dirname, "../../../src/engine/indexing/optimize-less.ts"),
).href;

/** Returns whether V8 has optimized a function by so many calls, within a run or after one. */
function isOptimized(
  ...runs: readonly { readonly calls: number; readonly isAfter?: true }[]
): readonly boolean[] {
  const script = `
    import { optimizingLess } from ${JSON.stringify(SOURCE)};
    const TURBOFANNED = 1 << 6;
    async function call(limit) {
      const add = new Function("x", "return (x ^ 5) + (x & 3) * 7 - (x | 9);");
      for (let calls = 0; calls < limit; calls += 1) {
        add(calls);
        if (calls % 500 !== 0) continue;
        if ((%GetOptimizationStatus(add) & TURBOFANNED) !== 0) return true;
        // The optimizing compiler runs in another thread, and its code is taken between two calls.
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return false;
    }
    const found = [];
    for (const { calls, isAfter } of ${JSON.stringify(runs)}) {
      if (isAfter) {
        await optimizingLess(async () => {});
        found.push(await call(calls));
      } else found.push(await optimizingLess(() => call(calls)));
    }
    console.log(JSON.stringify(found));`;
  const child = spawnSync(
    process.execPath,
    ["--allow-natives-syntax", "--input-type=module", "--eval", script],
    { encoding: "utf8" },
  );
  expect(child.stderr).toBe("");
  const found: readonly boolean[] = JSON.parse(child.stdout);
  return found;
}

test("V8 optimizes later in a run, and as usual afterwards", () => {
  const few = 50_000;
  const found = isOptimized({ calls: few }, { calls: 10 * few }, { calls: few, isAfter: true });
  expect(found).toEqual([false, true, true]);
});

test("what a run returns and throws is passed on", async () => {
  expect(await optimizingLess(() => Promise.resolve(7))).toBe(7);
  const failure = new Error("no");
  await expect(optimizingLess(() => Promise.reject(failure))).rejects.toBe(failure);
});
