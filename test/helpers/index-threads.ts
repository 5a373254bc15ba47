import { IndexThreadPool } from "../../src/engine/indexing/thread-pool.ts";
import type { JobRunner } from "../../src/engine/indexing/job-runner.ts";

let pool: IndexThreadPool | undefined;

/**
 * The indexing threads of all engines of this process. To start a thread takes a third of a second of processor time, most
 * of it to compile code that the last one had compiled too. They end with the process.
 */
export function indexThreads(): JobRunner {
  pool ??= new IndexThreadPool();
  const { run } = pool;
  return { run, close: async () => undefined };
}
