// Threads that can be ended at any time.
//
// Node aborts the whole process if a thread is terminated between the creation and the initialization of an object of
// node:zlib ("close before init", Node 24.21). Two cells of shared memory keep the two apart: the thread says that it is
// busy with such an object, and `endThread` says that it is about to end the thread, and waits until it is not busy.

import type { Worker, WorkerOptions } from "node:worker_threads";

const KEY = "svc-thread";
/** Cells of the shared memory; 1 is true. */
const BUSY = 0;
const ENDING = 1;

/** `threadId` of a thread that has ended. */
const ENDED = -1;

const cells = new WeakMap<Worker, Int32Array<SharedArrayBuffer>>();
let ownCells: Int32Array<SharedArrayBuffer> | undefined;

/** Starts a thread. End it with `endThread`. */
export function startThread(source: string | URL, options: WorkerOptions): Worker {
  const { setEnvironmentData, Worker: Thread } = workerThreads();
  const shared = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
  // The new thread gets what is set while it is created.
  setEnvironmentData(KEY, shared);
  try {
    const worker = new Thread(source, options);
    cells.set(worker, new Int32Array(shared));
    return worker;
  } finally {
    setEnvironmentData(KEY, undefined);
  }
}

/** Ends a thread of `startThread`, whatever it is doing. Resolves when it has ended. */
export async function endThread(worker: Worker): Promise<void> {
  const shared = cells.get(worker);
  if (shared !== undefined) {
    Atomics.store(shared, ENDING, 1);
    // One that has ended in the middle of such work leaves its cell as it was.
    while (Atomics.load(shared, BUSY) === 1 && worker.threadId !== ENDED) {
      // Not Atomics.waitAsync: it would let the process end meanwhile, and with it the thread.
      // oxlint-disable-next-line no-await-in-loop -- for some milliseconds at most
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
  await worker.terminate();
}

/** Runs work that creates objects of node:zlib. Nobody ends this thread meanwhile. */
export function uninterrupted<T>(work: () => T): T {
  const shared = (ownCells ??= cellsOfThisThread());
  if (shared === undefined) return work();
  Atomics.store(shared, BUSY, 1);
  if (Atomics.load(shared, ENDING) === 1) {
    Atomics.store(shared, BUSY, 0);
    // Until it is terminated.
    Atomics.wait(shared, ENDING, 1);
  }
  try {
    return work();
  } finally {
    Atomics.store(shared, BUSY, 0);
  }
}

/** Undefined in the main thread, which nobody ends. */
function cellsOfThisThread(): Int32Array<SharedArrayBuffer> | undefined {
  const { getEnvironmentData, isMainThread } = workerThreads();
  const shared = isMainThread ? undefined : getEnvironmentData(KEY);
  return shared instanceof SharedArrayBuffer ? new Int32Array(shared) : undefined;
}

/** Not imported: the code that starts the program is part of this, and needs no threads. */
function workerThreads() {
  return process.getBuiltinModule("node:worker_threads");
}
