// svc's answers for single uses whose definition is known.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Certainty } from "../../src/graph/reference-graph.ts";
import { share, table } from "../quality/table.ts";
import { isDefinitionAt, symbolsFor, type DefinitionPlace, type Project } from "./project.ts";

/** A corpus of single uses; the commits are those of samples/README.md. */
export interface SampledRepository {
  /** Name of the language, and of the file of its sample. */
  readonly name: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly commit: string;
}

export interface SampledUse {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly name: string;
  /** `path:line` of the name of the right definition. */
  readonly target: string;
  /** The same of further declarations of it: overloads, other assignments of an attribute. */
  readonly also?: readonly string[];
}

/** "wrong": an exact reference to another definition. "unknown": svc has no symbol for the target. */
const OUTCOMES = ["exact", "name", "wrong", "missed", "unknown"] as const;
type Outcome = (typeof OUTCOMES)[number];

export interface JudgedUse {
  readonly use: SampledUse;
  readonly outcome: Outcome;
}

export interface SampleScores {
  readonly uses: number;
  readonly exactPrecision: number;
  readonly exactRecall: number;
  /** Including references by name only. */
  readonly allRecall: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
}

export const SAMPLED: readonly SampledRepository[] = [
  {
    name: "python",
    repository: "pallets/click",
    commit: "2c8cd3ac958a7eb316d67f2d316c27086c4c0369",
  },
  { name: "go", repository: "cli/cli", commit: "44ee17760709bedf1cad7e452e61751489b81a33" },
  { name: "java", repository: "google/gson", commit: "9835b6f90192f79cdf5300c528fc6212455fb6c1" },
  {
    name: "rust",
    repository: "BurntSushi/ripgrep",
    commit: "3fce3b5bb0236da2df6d99672afb8a719642eca7",
  },
];

const SAMPLES = join(import.meta.dirname, "samples");

/** Throws if there is none of that name. */
export function readSample(name: string): readonly SampledUse[] {
  return readFileSync(join(SAMPLES, `${name}.jsonl`), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): SampledUse => JSON.parse(line));
}

export async function judgeUses(
  project: Project,
  uses: readonly SampledUse[],
): Promise<readonly JudgedUse[]> {
  const judged: JudgedUse[] = [];
  for (const use of uses) {
    // oxlint-disable-next-line no-await-in-loop -- one query after the other
    judged.push(await judge(project, use));
  }
  return judged;
}

async function judge(project: Project, use: SampledUse): Promise<JudgedUse> {
  const { path, line, name } = use;
  const places = [use.target, ...(use.also ?? [])].map((text) => placeOf(text, name));
  const meanings = await project.graph.definitionsAt(path, line, name);
  const isMeant = async (certainty: Certainty): Promise<boolean> => {
    const hits = meanings
      .filter((one) => one.certainty === certainty)
      .flatMap((one) => one.targets);
    const found = hits.flatMap((hit) => places.map((place) => isDefinitionAt(project, hit, place)));
    return (await Promise.all(found)).includes(true);
  };
  const wanted = (await Promise.all(places.map((place) => symbolsFor(project, place)))).flat();
  const lists = await Promise.all(wanted.map((symbol) => project.graph.referencesTo(symbol)));
  const listed = lists.flat().filter((one) => one.path === path && one.line === line);
  if (listed.some(({ certainty }) => certainty === "exact")) return { use, outcome: "exact" };
  if (await isMeant("exact")) return { use, outcome: "exact" };
  if (meanings.some(({ certainty }) => certainty === "exact")) return { use, outcome: "wrong" };
  if (wanted.length === 0) return { use, outcome: "unknown" };
  const isNamed = listed.length > 0 || (await isMeant("name"));
  return { use, outcome: isNamed ? "name" : "missed" };
}

/** Of `path:line`. */
export function placeOf(text: string, name: string): DefinitionPlace {
  const at = text.lastIndexOf(":");
  return { path: text.slice(0, at), line: Number(text.slice(at + 1)), name };
}

export function sampleScores(judged: readonly JudgedUse[]): SampleScores {
  const count = (outcome: Outcome) => judged.filter((one) => one.outcome === outcome).length;
  const exact = count("exact");
  return {
    uses: judged.length,
    exactPrecision: exact / (exact + count("wrong")),
    exactRecall: exact / judged.length,
    allRecall: (exact + count("name")) / judged.length,
    outcomes: {
      exact,
      name: count("name"),
      wrong: count("wrong"),
      missed: count("missed"),
      unknown: count("unknown"),
    },
  };
}

export function sampleTable(scores: Readonly<Record<string, SampleScores>>): string {
  const headings = ["language", "uses", "precision", "recall", "with names", ...OUTCOMES];
  const rows = Object.entries(scores).map(([name, of]) => [
    name,
    of.uses,
    ...[of.exactPrecision, of.exactRecall, of.allRecall].map(share),
    ...OUTCOMES.map((outcome) => of.outcomes[outcome]),
  ]);
  return table(headings, rows);
}

/** The references that are not exact, the wrong ones first. */
export function sampleFailures(judged: readonly JudgedUse[], count: number): string {
  const order: readonly Outcome[] = ["wrong", "missed", "unknown", "name"];
  return order
    .flatMap((outcome) => judged.filter((one) => one.outcome === outcome))
    .slice(0, count)
    .map(({ use, outcome }) => `  ${outcome}: ${use.name} ${use.path}:${use.line} -> ${use.target}`)
    .join("\n");
}
