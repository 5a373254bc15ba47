import { expect, test } from "vitest";

import { Semaphore } from "../../src/base/semaphore.ts";

const NEVER = new AbortController().signal;

/** Starts this many requests. Returns the numbers of those that run, in the order in which they began. */
function started(semaphore: Semaphore, count: number): number[] {
  const running: number[] = [];
  for (let at = 0; at < count; at += 1) {
    void semaphore.acquire(NEVER).then(() => running.push(at));
  }
  return running;
}

async function passed(): Promise<void> {
  await new Promise(setImmediate);
}

test("a fixed number of requests run; the others follow in order of arrival", async () => {
  const semaphore = new Semaphore(2);
  const running = started(semaphore, 5);
  await passed();
  expect(running).toEqual([0, 1]);
  semaphore.release();
  await passed();
  expect(running).toEqual([0, 1, 2]);
  semaphore.release();
  semaphore.release();
  await passed();
  expect(running).toEqual([0, 1, 2, 3, 4]);
});

test("an aborted request leaves the queue with the reason, and its place goes to the next", async () => {
  const semaphore = new Semaphore(1);
  await semaphore.acquire(NEVER);
  const controller = new AbortController();
  const aborted = semaphore.acquire(controller.signal);
  const running = started(semaphore, 1);
  controller.abort(new Error("cancelled"));
  await expect(aborted).rejects.toThrow("cancelled");
  semaphore.release();
  await passed();
  expect(running).toEqual([0]);
});

test("aborting a request that runs frees nothing", async () => {
  const semaphore = new Semaphore(1);
  const controller = new AbortController();
  await semaphore.acquire(controller.signal);
  controller.abort();
  const running = started(semaphore, 1);
  await passed();
  expect(running).toEqual([]);
});

test("while it is paused nothing begins, and afterwards all that may", async () => {
  const semaphore = new Semaphore(2);
  semaphore.pause();
  const running = started(semaphore, 3);
  semaphore.release();
  await passed();
  expect(running).toEqual([]);
  semaphore.resume();
  await passed();
  expect(running).toEqual([0, 1, 2]);
});
