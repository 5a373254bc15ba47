import { execFile } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";

import { expect, onTestFinished, test } from "vitest";

import { endThread, startThread, uninterrupted } from "../../src/base/thread.ts";

const MODULE = JSON.stringify(new URL("../../src/base/thread.ts", import.meta.url).href);

/** Runs the code in a thread, which has `parentPort` and the exports of thread.ts. */
function threadOf(code: string): Worker {
  const source = `const { parentPort } = require("node:worker_threads");
    void import(${MODULE}).then((thread) => { ${code} });`;
  const worker = startThread(source, { eval: true });
  onTestFinished(() => void worker.terminate());
  return worker;
}

test("a thread is ended whatever it is doing", async () => {
  const busy = threadOf('parentPort.postMessage("begun"); for (;;);');
  await once(busy, "message");
  const idle = threadOf('parentPort.on("message", () => {}); parentPort.postMessage("begun");');
  await once(idle, "message");
  const ended = [busy, idle].map((worker) => once(worker, "exit"));
  await Promise.all([endThread(busy), endThread(idle)]);
  expect((await Promise.all(ended)).map(([code]) => Number(code))).toEqual([1, 1]);
  // A second call does nothing, and a thread that was started in another way ends as well.
  await endThread(idle);
  const other = new Worker("for (;;);", { eval: true });
  await endThread(other);
  // A thread that ended in the middle of its work does not keep its caller waiting.
  const gone = threadOf("thread.uninterrupted(() => { process.exit(); for (;;); });");
  await once(gone, "exit");
  await endThread(gone);
});

test("work is done to its end before the thread is ended, and none begins after that", async () => {
  const done = new Int32Array(new SharedArrayBuffer(12));
  const worker = threadOf(`parentPort.once("message", (done) => {
    thread.uninterrupted(() => {
      parentPort.postMessage("begun");
      Atomics.wait(done, 0, 0);
      Atomics.store(done, 1, 1);
    });
    for (;;) thread.uninterrupted(() => Atomics.add(done, 2, 1));
  });`);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage(done);
  await once(worker, "message");
  const ended = endThread(worker);
  Atomics.store(done, 0, 1);
  Atomics.notify(done, 0);
  await ended;
  expect([...done]).toEqual([1, 1, 0]);
});

test("the main thread and threads without shared memory do the work at once", async () => {
  expect(uninterrupted(() => 7)).toBe(7);
  expect(() => uninterrupted(() => JSON.parse("{"))).toThrow(SyntaxError);
  const source = `void import(${MODULE}).then(({ uninterrupted }) =>
    require("node:worker_threads").parentPort.postMessage(uninterrupted(() => 7)));`;
  const worker = new Worker(source, { eval: true });
  expect(await once(worker, "message")).toEqual([7]);
  await worker.terminate();
});

test("threads that compress can be ended at any time, and the process goes on", async () => {
  // Without `uninterrupted`, one in twenty ends aborts the process.
  const program = join(import.meta.dirname, "fixtures/end-compressing-threads.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [program, "80"]);
  expect(stdout).toBe("still here\n");
}, 60_000);
