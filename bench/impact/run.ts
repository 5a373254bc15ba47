// node bench/impact/run.ts --mirrors DIR [--cache DIR] [--only NAME,…] [--commits N] [--evidence FILE]
// For real commits, checks whether analyze_impact, given one changed file of a commit, names the others. Prints its hit
// rate next to those of two baselines, and stores it in bench/results/. --evidence writes the input of fit.ts.
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { keep } from "../quality/publish.ts";
import { askRepository, type Outcome } from "./ask.ts";
import { REPOSITORIES } from "./repositories.ts";
import { aheadTable, scoreTable, summarise, type Summary } from "./summary.ts";

const { values } = parseArgs({
  options: {
    mirrors: { type: "string", default: process.env["SVC_BENCH_MIRRORS"] ?? "" },
    cache: { type: "string", default: join(tmpdir(), "svc-bench-impact") },
    only: { type: "string", default: REPOSITORIES.map(({ name }) => name).join(",") },
    commits: { type: "string", default: "50" },
    evidence: { type: "string" },
  },
});
const only = values.only.split(",");
const options = {
  mirrors: values.mirrors,
  cache: values.cache,
  commits: Number(values.commits),
  withEvidence: values.evidence !== undefined,
};
const outcomes: Outcome[] = [];
for (const repository of REPOSITORIES) {
  if (!only.includes(repository.name)) continue;
  const started = performance.now();
  outcomes.push(...(await askRepository(repository, options)));
  console.log(`${repository.name}: ${Math.round((performance.now() - started) / 1000)} s`);
}

const judged = outcomes.filter(({ half }) => half === "judged");
const kept: Record<string, Record<string, Summary>> = {};
for (const kind of ["all", "tests"] as const) {
  const groups: Record<string, Summary> = {};
  for (const { name } of REPOSITORIES) {
    const own = judged.filter(({ repository }) => repository === name);
    if (own.length > 0) groups[name] = summarise(own, kind);
  }
  const overall = { judged: summarise(judged, kind), "all commits": summarise(outcomes, kind) };
  console.log(`\n${kind === "all" ? "the other files" : "only tests"}: hit@10 recall@10\n`);
  console.log(scoreTable({ ...groups, ...overall }));
  console.log(`\n${aheadTable(overall)}`);
  kept[kind] = { ...groups, ...overall };
}
if (values.evidence !== undefined) writeFileSync(values.evidence, JSON.stringify(outcomes));
const tips = REPOSITORIES.map(({ name, github, tip, language }) => ({
  name,
  github,
  tip,
  language,
}));
keep("impact", { repositories: tips, ...kept });
