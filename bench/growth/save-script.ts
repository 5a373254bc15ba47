// node save-script.ts, with a channel to its parent: runs the indexing job that it receives, as the thread of a
// server does, and answers with the cost.
import { packedEmbeddings } from "../../src/engine/embeddings.ts";
import { packedGrammars } from "../../src/engine/packed-grammars.ts";
import { runIndexJob, type IndexJob } from "../../src/engine/indexing/indexer.ts";

export interface SaveReport {
  /** Processor time of the run. */
  readonly cpuMs: number;
}

process.on("message", (job: IndexJob) => void run(job));

async function run(job: IndexJob): Promise<void> {
  const before = process.cpuUsage();
  await runIndexJob(job, { grammars: packedGrammars, embeddings: packedEmbeddings });
  const { user, system } = process.cpuUsage(before);
  const report: SaveReport = { cpuMs: (user + system) / 1000 };
  process.send?.(report);
}
