// node bench/scale.ts [--write] [--measure]: models a team of 10,000, 100,000 and a million repositories in its busiest
// hour: nodes, database, a lost node, a cold start, and the part that reaches its limit first. It simulates each
// question and push, with measured costs (bench/scale/constants.ts) and assumptions about the team
// (bench/scale/assumptions.ts), and fails if it does not agree with real nodes. Each run takes less than half a minute
// and gives the same figures.
// --write writes the pictures docs/images/scale-*.svg. --measure measures the costs again, and models nothing: it needs
// dist/svc and takes some minutes.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { publish, type Report } from "./report.ts";
import { answersTable, balancersTable, comparisonTable, partsTable } from "./scale/answers.ts";
import { measureCosts } from "./scale/measure-costs.ts";
import { scalePlots } from "./scale/plots.ts";
import { compareWithReal, errorOf, type Comparison } from "./scale/real-nodes.ts";
import { runModel } from "./scale/results.ts";

const SEED = "scale";
/** How far the model may be from the real nodes. */
const MAX_ERROR = 0.2;
const IMAGES = join(import.meta.dirname, "../docs/images");

const { values } = parseArgs({
  options: {
    write: { type: "boolean", default: false },
    measure: { type: "boolean", default: false },
  },
});
if (values.measure) console.log(await measureCosts());
else model(values.write);

function model(isWritten: boolean): void {
  const comparisons = compareWithReal(SEED);
  const breaches = publish(reportOf(comparisons));
  const results = runModel(SEED);
  const tables = [
    comparisonTable(comparisons),
    answersTable(results),
    partsTable(results),
    balancersTable(results),
  ];
  console.log(`\n${tables.join("\n\n")}\n`);
  for (const breach of breaches) console.log(breach);
  if (breaches.length > 0) process.exitCode = 1;
  if (!isWritten) return;
  for (const [name, picture] of Object.entries(scalePlots(results))) {
    writeFileSync(join(IMAGES, name), picture);
  }
}

function reportOf(comparisons: readonly Comparison[]): Report {
  return {
    bench: "scale",
    corpus: "a model; real nodes: webpack, one machine with two cores (bench/team-scale.ts)",
    rows: comparisons.map(({ what, unit, measured, modelled }) => ({
      name: what,
      unit,
      samples: [modelled],
      ratio: { value: modelled / measured, to: `${measured} measured` },
    })),
    facts: comparisons.map((one) => ({
      text: `${one.what}: ${one.modelled.toFixed(1)} ${one.unit} modelled, ${one.measured} measured`,
      holds: Math.abs(errorOf(one)) <= MAX_ERROR,
    })),
  };
}
