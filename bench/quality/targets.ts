// The targets of the suites' figures.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Summary } from "./rows.ts";

/** The target for one figure of a suite: at least `floor`, with `aim` as the goal; or up to `most`. */
export interface Target {
  /** `all`: the largest value of any suite. */
  readonly suite: string;
  readonly figure: "macro" | "hit3" | "span3" | "span10" | "tokensToFirst" | "largestReply";
  readonly floor?: number;
  readonly aim?: number;
  readonly most?: number;
}

export type Verdict = "met" | "floor met" | "missed" | "not measured";

export interface Judged {
  readonly target: Target;
  /** Undefined if the figure was not measured. */
  readonly value: number | undefined;
  readonly verdict: Verdict;
}

const ALL_SUITES = "all";

export function readTargets(): readonly Target[] {
  const targets: readonly Target[] = JSON.parse(
    readFileSync(join(import.meta.dirname, "targets.json"), "utf8"),
  );
  return targets;
}

/** The suites that have targets, each once. */
export function targetSuites(targets: readonly Target[]): readonly string[] {
  return [...new Set(targets.map(({ suite }) => suite))].filter((suite) => suite !== ALL_SUITES);
}

export function judge(target: Target, summaries: Readonly<Record<string, Summary>>): Judged {
  const value = valueOf(target, summaries);
  return { target, value, verdict: verdictOn(target, value) };
}

function valueOf(
  { suite, figure }: Target,
  summaries: Readonly<Record<string, Summary>>,
): number | undefined {
  const measured = suite === ALL_SUITES ? Object.values(summaries) : [summaries[suite]];
  const values = measured.flatMap((summary) => summary?.[figure] ?? []);
  const value = Math.max(...values);
  return Number.isFinite(value) ? value : undefined;
}

function verdictOn({ floor, aim, most }: Target, value: number | undefined): Verdict {
  if (value === undefined) return "not measured";
  if (most !== undefined) return value <= most ? "met" : "missed";
  if (aim !== undefined && value >= aim) return "met";
  return floor !== undefined && value >= floor ? "floor met" : "missed";
}
