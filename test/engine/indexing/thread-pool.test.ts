import { expect, onTestFinished, test } from "vitest";

import type { JobRunner } from "../../../src/engine/indexing/job-runner.ts";
import { IndexThreadPool } from "../../../src/engine/indexing/thread-pool.ts";
import { createProject, request } from "../../helpers/project.ts";

test("a run that begins when an idle thread has just been ended gets another thread", async () => {
  const maxIdleMs = 50;
  const pool = new IndexThreadPool({ maxIdleMs });
  const runs: Parameters<JobRunner["run"]>[] = [];
  const jobRunner: JobRunner = {
    run: (...run) => {
      runs.push(run);
      return pool.run(...run);
    },
    close: pool.close,
  };
  const project = createProject({ "a.md": "# Lamp\n" }, { onDisk: true, jobRunner });
  onTestFinished(project.dispose);
  await project.engine.index({ ...request(), rebuild: false });
  const [run] = runs;
  if (run === undefined) throw new Error("nothing was indexed");

  const again = Promise.withResolvers<unknown>();
  setTimeout(() => again.resolve(pool.run(...run)), maxIdleMs + 10);
  // Both timers are due: the thread is ended, and the run begins at once.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, maxIdleMs * 4);
  expect(await again.promise).toMatchObject({ outcome: "done" });
});
