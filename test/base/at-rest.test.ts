import { setImmediate as nextTurn } from "node:timers/promises";

import { expect, test } from "vitest";

import { forgetAll, forgetAtRest } from "../../src/base/at-rest.ts";
import { collectGarbage } from "../../src/base/small-heap.ts";

function registered(onForget: () => void): object {
  const object = { forget: onForget };
  forgetAtRest(object);
  return object;
}

test("every registered object forgets, each time", () => {
  let forgotten = 0;
  const objects = [registered(() => (forgotten += 1)), registered(() => (forgotten += 10))];
  forgetAll();
  forgetAll();
  expect(forgotten).toBe(22);
  expect(objects).toHaveLength(2);
});

test("what nobody uses any more is not kept for it", async () => {
  let forgotten = 0;
  registered(() => (forgotten += 1));
  const used = registered(() => (forgotten += 10));
  // A reference that was just made or read holds its object until the next turn.
  await nextTurn();
  collectGarbage();
  forgetAll();
  expect(forgotten).toBe(10);
  expect(used).toBeDefined();
});
