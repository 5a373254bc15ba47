import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";

import { expect, onTestFinished, test } from "vitest";

import { withPresentFlags } from "../../src/base/code-cache.ts";

let made = 0;

/** A script that V8 has not compiled before, because V8 caches compiled code, and its code cache. */
function madeScript(): { readonly source: string; readonly cache: Buffer } {
  made += 1;
  const source = `(function () { return ${made}; })`;
  return { source, cache: new Script(source).createCachedData() };
}

/** Whether V8 refuses the cache for the script. */
function isRefused(source: string, cachedData: Buffer): boolean | undefined {
  return new Script(source, { filename: "other.js", cachedData }).cachedDataRejected;
}

function withAnotherFlag(): void {
  setFlagsFromString("--no-use-osr");
  onTestFinished(() => setFlagsFromString("--use-osr"));
}

test("a cache made before the program set a flag is used after it", () => {
  const { source, cache } = madeScript();
  withAnotherFlag();
  expect(isRefused(source, cache)).toBe(true);
  expect(isRefused(source, withPresentFlags(cache))).toBe(false);
});

test("the code of such a cache runs", () => {
  const { source, cache } = madeScript();
  withAnotherFlag();
  const script = new Script(source, { cachedData: withPresentFlags(cache) });
  const run: () => number = script.runInThisContext();
  expect(run()).toBe(made);
});

test("the given bytes are not written: those of the executable cannot be", () => {
  const { cache } = madeScript();
  const before = Buffer.from(cache);
  withAnotherFlag();
  expect(withPresentFlags(cache)).not.toEqual(cache);
  expect(cache).toEqual(before);
});

test("a cache of the same flags is returned as it is", () => {
  const { cache } = madeScript();
  expect(withPresentFlags(cache)).toBe(cache);
});

test("a cache of another version of V8 stays refused", () => {
  const { source, cache } = madeScript();
  cache.writeUInt32LE(cache.readUInt32LE(4) + 1, 4);
  withAnotherFlag();
  expect(isRefused(source, withPresentFlags(cache))).toBe(true);
});

test("an empty cache, of a build for another platform, stays empty", () => {
  expect(withPresentFlags(Buffer.alloc(0))).toHaveLength(0);
});
