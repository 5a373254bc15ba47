import { expect, test } from "vitest";

import { memoryUpdates } from "../../../src/backend/updates/memory-updates.ts";
import { SvcError } from "../../../src/base/errors.ts";
import {
  failureResult,
  followUpdate,
  progressOf,
} from "../../../src/engine/indexing/follow-update.ts";

const REPORT = { outcome: "done", generation: 7, added: 2, warnings: [] };

async function requested() {
  const queue = memoryUpdates();
  await queue.announce("node");
  const request = await queue.request({ namespace: "zoo" });
  let failures = 0;
  const onFailure = async (): Promise<void> => void (failures += 1);
  return {
    queue,
    follow: () => followUpdate(queue, { namespace: "zoo", request, onFailure }),
    failures: () => failures,
  };
}

test("the progress and the report of the node are those of the run", async () => {
  const { queue, follow, failures } = await requested();
  const job = follow();
  expect(job.progress()).toEqual({ stage: "fetch", done: 0, total: 0 });
  const taken = await queue.take();
  await taken?.keep({ stage: "words", done: 3, total: 9 });
  await expect.poll(() => job.progress()).toEqual({ stage: "words", done: 3, total: 9 });
  await taken?.end({ report: REPORT });
  expect(await job.finished).toEqual(REPORT);
  expect(failures()).toBe(0);
});

test("a failure has its code, its message and its remedy", async () => {
  const { queue, follow, failures } = await requested();
  const job = follow();
  const thrown = new SvcError("FETCH_FAILED", "No such host.", { hint: "Check the URL." });
  await (await queue.take())?.end(failureResult(thrown));
  await expect(job.finished).rejects.toMatchObject({
    code: "FETCH_FAILED",
    message: "No such host.",
    hint: "Check the URL.",
  });
  expect(failures()).toBe(1);
});

test("a result of another version of svc is not taken for a report", async () => {
  const { queue, follow } = await requested();
  await (await queue.take())?.end({ report: { files: 3 } });
  await expect(follow().finished).rejects.toMatchObject({ hint: "Update svc on all machines." });
  await queue.request({ namespace: "zoo" });
  await (await queue.take())?.end({ problem: { code: "NEW_CODE", message: "Odd." } });
  await expect(follow().finished).rejects.toMatchObject({
    code: "INTERNAL_ERROR",
    message: "Odd.",
  });
});

test("to cancel it ends the following and not the update", async () => {
  const { queue, follow } = await requested();
  const job = follow();
  await job.cancel();
  expect(job.isCancelled()).toBe(true);
  await expect(job.finished).rejects.toBeDefined();
  expect(await queue.take()).toMatchObject({ namespace: "zoo" });
});

test("a namespace that is removed meanwhile, and a team without nodes, end the waiting", async () => {
  const { queue, follow } = await requested();
  await queue.retire();
  await expect(follow().finished).rejects.toMatchObject({ code: "INDEX_UNAVAILABLE" });
  await queue.forget("zoo");
  await expect(follow().finished).rejects.toMatchObject({ code: "NAMESPACE_NOT_FOUND" });
});

test("what is no progress is that of a run which has not begun", () => {
  expect(progressOf(undefined)).toEqual({ stage: "fetch", done: 0, total: 0 });
  expect(progressOf({})).toEqual({ stage: "fetch", done: 0, total: 0 });
});
