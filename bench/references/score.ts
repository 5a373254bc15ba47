// node bench/references/score.ts --mirrors DIR [--cache DIR] [--only NAME,…] [--show N]
// The agreement of svc with known references. Prints precision and recall of its edges for each
// repository of truth/ and each language of samples/, and with --show the false and missed ones. Stored in
// bench/results/.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { keep } from "../quality/publish.ts";
import { share } from "../quality/table.ts";
import { agreement } from "./comparison.ts";
import { COMPILED_REPOSITORIES } from "./compiled-repositories.ts";
import { COMPONENT_REPOSITORIES } from "./component-repositories.ts";
import { openTree } from "./open-tree.ts";
import { judgeDefinitions, scoresOf, scoresTable, worstOf } from "./score-definitions.ts";
import {
  judgeUses,
  readSample,
  sampleFailures,
  SAMPLED,
  sampleScores,
  sampleTable,
  type SampleScores,
} from "./score-samples.ts";
import { lookedThrough, readTruth, TRUTH_FOLDER, truthNames } from "./truth.ts";
import { wordSearch } from "./word-search.ts";

const { values } = parseArgs({
  options: {
    mirrors: { type: "string", default: process.env["SVC_BENCH_MIRRORS"] ?? "" },
    cache: { type: "string", default: join(tmpdir(), "svc-bench-references") },
    truth: { type: "string", default: TRUTH_FOLDER },
    only: {
      type: "string",
      default: [...truthNames(TRUTH_FOLDER), ...SAMPLED.map(({ name }) => name)].join(","),
    },
    show: { type: "string", default: "0" },
  },
});
const only = values.only.split(",");
const show = Number(values.show);
const results: Record<string, unknown> = {};
/** Of these only the totals are looked at while svc is improved. */
const judges = new Set(
  [...COMPILED_REPOSITORIES, ...COMPONENT_REPOSITORIES].flatMap(({ name, isJudge }) =>
    isJudge === true ? [name] : [],
  ),
);
for (const name of truthNames(values.truth)) {
  if (!only.includes(name)) continue;
  const { manifest, truths } = readTruth(values.truth, name);
  const project = await openTree(manifest, values);
  const isCovered = lookedThrough(manifest);
  const judged = await judgeDefinitions(project, truths, isCovered);
  const texts = await project.texts(isCovered);
  project.close();
  const scores = scoresOf(judged);
  console.log(
    `\n${name}, ${manifest.repository} ${manifest.commit.slice(0, 10)}, ${manifest.tool}`,
  );
  console.log(`${scores.unknown} of ${judged.length} definitions are no symbols of svc\n`);
  console.log(`uses, without imports\n${scoresTable(scores.withoutImports)}\n`);
  console.log(`with imports\n${scoresTable(scores.withImports)}`);
  const words = agreement(truths.map((truth) => wordSearch(truth, texts)));
  console.log(
    `rg -w, with imports: precision ${share(words.exactPrecision)}, recall ${share(words.exactRecall)}`,
  );
  if (show > 0 && !judges.has(name)) console.log(`\n${worstOf(judged, show)}`);
  results[name] = { commit: manifest.commit, tool: manifest.tool, ...scores, words };
}
const samples: Record<string, SampleScores> = {};
for (const sampled of SAMPLED) {
  if (!only.includes(sampled.name)) continue;
  const project = await openTree(sampled, values);
  const judged = await judgeUses(project, readSample(sampled.name));
  project.close();
  samples[sampled.name] = sampleScores(judged);
  if (show > 0) console.log(`\n${sampled.name}\n${sampleFailures(judged, show)}`);
}
if (Object.keys(samples).length > 0) console.log(`\nsingle uses\n${sampleTable(samples)}`);
keep("references", { repositories: results, samples });
