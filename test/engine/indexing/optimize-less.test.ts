import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { expect, test } from "vitest";

import { optimizingLess } from "../../../src/engine/indexing/optimize-less.ts";

const SOURCE = pathToFileURL(
  join(import.meta.dirname, "../../../src/engine/indexing/optimize-less.ts"),
).href;

/**
 * Returns, for calls within runs of so many bytes, whether V8 has optimized a function by its 50,000th call. "after" is a
 * run of no bytes, and calls after it.
 */
function isOptimized(...runs: readonly (number | "after")[]): readonly boolean[] {
  const script = `
    import { optimizingLess } from ${JSON.stringify(SOURCE)};
    const TURBOFANNED = 1 << 6;
    async function call() {
      const add = new Function("x", "return (x ^ 5) + (x & 3) * 7 - (x | 9);");
      for (let calls = 0; calls < 50_000; calls += 1) {
        add(calls);
        if (calls % 500 !== 0) continue;
        if ((%GetOptimizationStatus(add) & TURBOFANNED) !== 0) return true;
        // The optimizing compiler runs in another thread, and its code is taken between two calls.
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return false;
    }
    const found = [];
    for (const bytes of ${JSON.stringify(runs)}) {
      if (bytes === "after") {
        await optimizingLess(0, async () => {});
        found.push(await call());
      } else found.push(await optimizingLess(bytes, call));
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

test("V8 optimizes less in a short run, and as usual in a long one and afterwards", () => {
  expect(isOptimized(1000, 100 << 20, "after")).toEqual([false, true, true]);
});

test("what a run returns and throws is passed on", async () => {
  expect(await optimizingLess(1, () => Promise.resolve(7))).toBe(7);
  const failure = new Error("no");
  await expect(optimizingLess(1, () => Promise.reject(failure))).rejects.toBe(failure);
});
