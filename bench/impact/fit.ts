// node bench/impact/fit.ts FILE…
// Prints the weight of each piece of evidence for src/engine/impact/likely-changes.ts, from files that `run.ts --evidence`
// wrote. Uses only the half of the commits that is not reserved for evaluation.
import { readFileSync } from "node:fs";

import type { Evidence } from "../../src/engine/impact/likely-evidence.ts";
import { table } from "../quality/table.ts";
import type { Outcome } from "./ask.ts";
import { fitWeights, type Question } from "./weights.ts";

const KINDS = [
  "share",
  "times",
  "user",
  "test",
  "used",
  "name",
  "recent",
  "otherSide",
] as const satisfies readonly (keyof Evidence)[];

const questions = process.argv.slice(2).flatMap((file): readonly Question[] => {
  const outcomes: readonly Outcome[] = JSON.parse(readFileSync(file, "utf8"));
  return outcomes
    .filter(({ half }) => half === "tuning")
    .map(({ candidates, others }) => ({
      files: (candidates ?? []).map(({ path, evidence }) => ({
        evidence: KINDS.map((kind) => evidence[kind]),
        isWanted: others.includes(path),
      })),
    }));
});
const weights = fitWeights(questions, KINDS.length);
console.log(`${questions.length} commits\n`);
console.log(
  table(
    ["evidence", "weight"],
    KINDS.map((kind, at) => [kind, weights[at]?.toFixed(2)]),
  ),
);
