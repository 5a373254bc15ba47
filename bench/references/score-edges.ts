// node bench/references/score-edges.ts --language NAME --mirrors DIR [--cache DIR] [--judged FILE] [--count N] [--show N]
// Compares random exact edges of svc in a repository of samples/ with a compiler or an analyser for the
// same names: FILE is the output of an oracle of oracles/ for the names that sample-uses.ts lists. Without it the
// edges are printed, to be checked by reading. The selection is the same in every run.
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import type { SymbolHit } from "../../src/index/port.ts";
import { openTree } from "./open-tree.ts";
import { isDefinitionAt, type Project } from "./project.ts";
import { shuffled } from "./sample.ts";
import { placeOf, SAMPLED } from "./score-samples.ts";

interface Edge {
  readonly path: string;
  readonly line: number;
  readonly name: string;
  readonly targets: readonly SymbolHit[];
}

interface Judged {
  readonly path: string;
  readonly line: number;
  readonly name: string;
  /** Null if the oracle knows no definition of the project. */
  readonly target: string | null;
  readonly others?: readonly string[];
}

/** "open": the oracle does not know the place, or no definition of the project. */
type Verdict = "right" | "wrong" | "open";

const { values } = parseArgs({
  options: {
    language: { type: "string", default: "python" },
    mirrors: { type: "string", default: process.env["SVC_BENCH_MIRRORS"] ?? "" },
    cache: { type: "string", default: join(tmpdir(), "svc-bench-references") },
    judged: { type: "string" },
    count: { type: "string", default: "100" },
    show: { type: "string", default: "20" },
  },
});
const repository = SAMPLED.find(({ name }) => name === values.language);
if (repository === undefined) throw new Error(`there is no repository for ${values.language}`);
const project = await openTree(repository, values);
const edges = await exactEdges(project, values.language);
const judged = values.judged === undefined ? undefined : readJudged(values.judged);
const known = judged === undefined ? edges : edges.filter((edge) => judged.has(keyOf(edge)));
const sample = shuffled(known, `edges-1\0${values.language}`).slice(0, Number(values.count));
const verdicts: { readonly edge: Edge; readonly verdict: Verdict; readonly says: string }[] = [];
for (const edge of sample) {
  const says = judged?.get(keyOf(edge));
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  const verdict = says === undefined ? "open" : await verdictOf(edge, says);
  verdicts.push({ edge, verdict, says: says?.target ?? "nothing" });
}
project.close();
const count = (of: Verdict) => verdicts.filter(({ verdict }) => verdict === of).length;
console.log(
  `${values.language}: ${edges.length} exact edges, ${sample.length} of them: ${count("right")} right, ${count("wrong")} wrong, ${count("open")} open`,
);
for (const { edge, verdict, says } of verdicts
  .filter((one) => one.verdict !== "right")
  .slice(0, Number(values.show))) {
  const targets = edge.targets.map(({ path, nameLine }) => `${path}:${nameLine}`).join(", ");
  console.log(
    `  ${verdict}: ${edge.name} ${edge.path}:${edge.line} -> ${targets}; oracle: ${says}`,
  );
}

async function exactEdges({ reader, graph }: Project, language: string): Promise<readonly Edge[]> {
  const found: Edge[] = [];
  for await (const file of reader.textCandidates({ kind: "all" }, {})) {
    if (file.language !== language) continue;
    const uses = await graph.usesFromFile(file.path);
    for (const { name, line, targets, certainty } of uses) {
      if (certainty === "exact") found.push({ path: file.path, line, name, targets });
    }
  }
  return found;
}

async function verdictOf({ targets, name }: Edge, says: Judged): Promise<Verdict> {
  if (says.target === null) return "open";
  const places = [says.target, ...(says.others ?? [])].map((text) => placeOf(text, name));
  const isRight = await Promise.all(
    targets.flatMap((target) => places.map((place) => isDefinitionAt(project, target, place))),
  );
  return isRight.includes(true) ? "right" : "wrong";
}

function readJudged(file: string): ReadonlyMap<string, Judged> {
  const lines = readFileSync(file, "utf8").split("\n");
  return new Map(
    lines
      .filter((line) => line !== "")
      .map((line): Judged => JSON.parse(line))
      .map((one) => [keyOf(one), one]),
  );
}

function keyOf({ path, line, name }: Pick<Judged, "path" | "line" | "name">): string {
  return `${path}:${line}:${name}`;
}
