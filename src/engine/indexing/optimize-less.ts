// A function that is called often is compiled again by V8's optimizing compiler, in other threads. For most functions of an
// index run, that takes more processor time than the optimized code saves: they do as well with the code that V8 makes
// before. With webpack's 12 MB it takes a sixth of the run, with the 60 MB of spring-framework a tenth.

import { setFlagsFromString } from "node:v8";

const CALLS_FLAG = "--invocation-count-for-turbofan";
/** V8's own number of calls after which it optimizes a function (13.6). */
const DEFAULT_CALLS = 3000;
/** In a long run, the functions that take most of the time are soon called as often. Loops are optimized as always. */
const CALLS_WHILE_INDEXING = 60_000;

/** Runs something during which V8 optimizes less in the whole process. */
export async function optimizingLess<T>(run: () => Promise<T>): Promise<T> {
  setFlagsFromString(`${CALLS_FLAG}=${CALLS_WHILE_INDEXING}`);
  try {
    return await run();
  } finally {
    // Another run that goes on meanwhile only optimizes more from now on.
    setFlagsFromString(`${CALLS_FLAG}=${DEFAULT_CALLS}`);
  }
}
