import { setTimeout as wait } from "node:timers/promises";

import { expect, test } from "vitest";

import { watchRemoval } from "../../../src/engine/indexing/removal-watch.ts";

/** Calls of the two functions, in order. */
function recorded(answers: readonly (() => Promise<boolean>)[]): {
  readonly calls: readonly string[];
  readonly stop: () => void;
} {
  const calls: string[] = [];
  let asked = 0;
  const isRemoved = (): Promise<boolean> => {
    calls.push("asked");
    const answer = answers[asked] ?? (async () => false);
    asked += 1;
    return answer();
  };
  const stop = watchRemoval(isRemoved, () => void calls.push("removed"), 1);
  return { calls, stop };
}

test("a removal is reported once, and a failed question counts as no", async () => {
  const { calls, stop } = recorded([
    async () => false,
    () => Promise.reject(new Error("the registry cannot be read")),
    async () => true,
    async () => true,
  ]);
  await expect.poll(() => calls.at(-1)).toBe("removed");
  await wait(20);
  expect(calls).toEqual(["asked", "asked", "asked", "removed"]);
  stop();
});

test("a removal that is found after the end of the run is not reported", async () => {
  const { promise: answer, resolve } = Promise.withResolvers<boolean>();
  const { calls, stop } = recorded([() => answer]);
  await expect.poll(() => calls.length).toBeGreaterThan(0);
  stop();
  const before = calls.length;
  resolve(true);
  await wait(20);
  expect(calls.slice(before)).toEqual([]);
});
