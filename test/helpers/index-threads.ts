import { IndexThreadPool } from "../../src/engine/indexing/thread-pool.ts";
import type { JobRunner } from "../../src/engine/indexing/job-runner.ts";

const pools = new Map<string, IndexThreadPool>();

/**
 * The indexing threads of all engines of this process. Starting a thread takes a third of a second of processor time,
 * most of it for compiling code that the previous thread had compiled too. They end with the process. A pool keeps one
 * idle thread:
 * engines that index at the same time are faster with a pool each, by the name of the engine.
 */
export function indexThreads(engine = ""): JobRunner {
  const pool = pools.get(engine) ?? new IndexThreadPool();
  pools.set(engine, pool);
  const { run } = pool;
  return { run, close: async () => undefined };
}
