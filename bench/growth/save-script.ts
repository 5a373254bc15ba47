// node save-script.ts, with a channel to its parent: runs the indexing job it is sent, as the thread of a
// server does, and answers with the processor time in milliseconds.
import { packedGrammars } from "../../src/engine/grammars.ts";
import { runIndexJob, type IndexJob } from "../../src/engine/indexer.ts";

process.on("message", (job: IndexJob) => void run(job));

async function run(job: IndexJob): Promise<void> {
  const before = process.cpuUsage();
  await runIndexJob(job, { grammars: packedGrammars });
  const { user, system } = process.cpuUsage(before);
  process.send?.((user + system) / 1000);
}
