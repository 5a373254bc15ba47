// node save-script.ts, with a channel to its parent: runs the indexing job that it receives, like the thread of a
// server, and answers with the cost.
import { runIndex, type LocalRun } from "../../test/helpers/run-index.ts";

export interface SaveReport {
  /** Processor time of the run. */
  readonly cpuMs: number;
}

process.on("message", (job: LocalRun) => void run(job));

async function run(job: LocalRun): Promise<void> {
  const before = process.cpuUsage();
  await runIndex(job);
  const { user, system } = process.cpuUsage(before);
  const report: SaveReport = { cpuMs: (user + system) / 1000 };
  process.send?.(report);
}
