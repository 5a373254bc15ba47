// A function that is called often is compiled again by V8's optimizing compiler, in other threads. In a run of seconds,
// that takes more processor time than the optimized code saves: with webpack's 12 MB, a sixth of the run. Most functions do
// well with the code that V8 makes before.

import { setFlagsFromString } from "node:v8";

/** A longer run has time to make use of optimized code: with 60 MB, it takes 4 % less. */
const MAX_SHORT_RUN_BYTES = 24 << 20;
const CALLS_FLAG = "--invocation-count-for-turbofan";
/** V8's own number of calls after which it optimizes a function (13.6). */
const DEFAULT_CALLS = 3000;
const CALLS_IN_SHORT_RUNS = 60_000;

/** Runs something that reads so many bytes of files. V8 optimizes less in the whole process while a short run goes on. */
export async function optimizingLess<T>(bytes: number, run: () => Promise<T>): Promise<T> {
  if (bytes > MAX_SHORT_RUN_BYTES) return run();
  setFlagsFromString(`${CALLS_FLAG}=${CALLS_IN_SHORT_RUNS}`);
  try {
    return await run();
  } finally {
    // Another run that goes on meanwhile only optimizes more from now on.
    setFlagsFromString(`${CALLS_FLAG}=${DEFAULT_CALLS}`);
  }
}
