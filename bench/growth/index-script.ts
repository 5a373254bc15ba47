// node index-script.ts JSON: indexes a folder in this process and reports the cost of each stage, which
// the executable does not. The index is complete at the end, even without syntax: files with a grammar are then still
// read a second time, and cut by line patterns.
import type { IndexStage } from "../../src/engine/api/index-report.ts";
import { packedGrammars } from "../../src/engine/packed-grammars.ts";
import type { Grammars } from "../../src/parse/syntax.ts";
import { runIndex } from "../../test/helpers/run-index.ts";
import { sourcesOf } from "./tree.ts";

export interface IndexInput {
  readonly dataDirectory: string;
  readonly root: string;
  readonly hasSyntax: boolean;
}

/** Milliseconds from the beginning of the run to the end of each stage that ran. */
export type StageTimes = Readonly<
  Partial<Record<IndexStage | "everything", { readonly cpuMs: number; readonly wallMs: number }>>
>;

const NO_GRAMMARS: Grammars = { parse: () => undefined, isBroken: () => false };

const text = process.argv[2];
if (text !== undefined) console.log(JSON.stringify(await indexed(JSON.parse(text))));

async function indexed({ dataDirectory, root, hasSyntax }: IndexInput): Promise<StageTimes> {
  const times: Partial<Record<keyof StageTimes, { cpuMs: number; wallMs: number }>> = {};
  const place = await sourcesOf(dataDirectory, root);
  const job = { dataDirectory, ...place, rebuild: false, waitMs: 0 };
  const before = process.cpuUsage();
  const from = performance.now();
  const note = (stage: keyof StageTimes): void => {
    const { user, system } = process.cpuUsage(before);
    times[stage] = { cpuMs: (user + system) / 1000, wallMs: performance.now() - from };
  };
  await runIndex(job, {
    grammars: hasSyntax ? packedGrammars : () => Promise.resolve(NO_GRAMMARS),
    onProgress: ({ stage, done, total }) => {
      if (done === total) note(stage);
    },
  });
  note("everything");
  return times;
}
