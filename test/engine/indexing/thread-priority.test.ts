import { once } from "node:events";
import { getPriority } from "node:os";
import { Worker } from "node:worker_threads";

import { expect, test } from "vitest";

import { lowerPriority } from "../../../src/engine/indexing/thread-priority.ts";

/** The nice values of a thread before and after it lowers its priority. */
async function call(): Promise<unknown> {
  const worker = new Worker(new URL("../fixtures/lower-priority.ts", import.meta.url));
  const [priority] = await once(worker, "message");
  await worker.terminate();
  return priority;
}

test("on Linux the priority of a thread is lowered; elsewhere nothing changes", async () => {
  const own = getPriority();
  const after = process.platform === "linux" ? 10 : own;
  expect(await call()).toEqual({ before: own, after });
  expect(await call()).toEqual({ before: own, after });
  expect(getPriority()).toBe(own);
});

test("the priority of the main thread does not change", () => {
  const own = getPriority();
  lowerPriority();
  expect(getPriority()).toBe(own);
});
