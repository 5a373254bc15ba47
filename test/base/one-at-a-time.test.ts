import { expect, test } from "vitest";

import { oneAtATime } from "../../src/base/one-at-a-time.ts";

test("work that has not ended is not started again", async () => {
  const ends: (() => void)[] = [];
  const start = oneAtATime(() => new Promise<void>((end) => void ends.push(end)));
  start();
  start();
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await expect
    .poll(() => {
      start();
      return ends.length;
    })
    .toBe(2);
});
