// The figures of docs/ranking.md about confidence, as tables in Markdown.
import { table } from "../../bench/quality/table.ts";
import { mean } from "../../bench/quality/statistics.ts";
import type { Asked, AskedKind } from "./asked.ts";

/** A run of a question, with the predictions of models that have not seen its repositories. */
export interface JudgedAsking {
  readonly asked: Asked;
  /** Whether one of the first ten files is right. */
  readonly isFound: boolean;
  /** Confidence of the answer, and of each result. */
  readonly confidence: number;
  readonly results: readonly number[];
  /** Its weight in the mix of questions for which the probabilities are calibrated. */
  readonly weight: number;
}

/** Thresholds below which an answer mentions its confidence. */
interface Thresholds {
  readonly noGoodMatch: number;
  readonly unsure: number;
}

const FALSE_ALARMS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3];
const COVERAGES = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4];
const BINS = 10;

/**
 * Returns the confidence below which this share of the answers lies; every suite has the same weight. Fails without
 * answers.
 */
export function confidenceAt(judged: readonly JudgedAsking[], share: number): number {
  if (judged.length === 0) throw new Error("no question of this kind has a right result");
  const suites = Map.groupBy(judged, ({ asked }) => asked.suite);
  const ordered = judged.toSorted((one, other) => one.confidence - other.confidence);
  let below = 0;
  for (const { asked, confidence } of ordered) {
    below += 1 / (suites.size * (suites.get(asked.suite)?.length ?? 1));
    if (below > share) return confidence;
  }
  return 1;
}

export function printReport(judged: readonly JudgedAsking[], thresholds: Thresholds): void {
  const { noGoodMatch, unsure } = thresholds;
  console.log(
    `no good match below ${noGoodMatch.toFixed(3)}, low confidence below ${unsure.toFixed(3)}`,
  );
  console.log(bySuite(judged, noGoodMatch));
  console.log(bySuite(judged, unsure));
  console.log(byFalseAlarms(judged));
  console.log(riskByCoverage(judged));
  console.log(reliability(judged));
}

/** The share of each kind that a threshold flags. */
function bySuite(judged: readonly JudgedAsking[], threshold: number): string {
  const suites = [...new Set(judged.map(({ asked }) => asked.suite))].toSorted();
  const rows = suites.map((suite) => [
    suite,
    ...flagged(
      judged.filter(({ asked }) => asked.suite === suite),
      threshold,
    ),
  ]);
  return table(
    [
      "suite",
      "right file found",
      "right project",
      "other language",
      "same language",
      "removed",
      "bench",
    ],
    [...rows, ["mean of suites", ...flagged(judged, threshold)]],
  );
}

const KINDS: readonly AskedKind[] = [
  "right",
  "wrong language",
  "wrong project",
  "removed",
  "wrong in the bench",
];

function flagged(judged: readonly JudgedAsking[], threshold: number): readonly string[] {
  const found = judged.filter(({ asked, isFound }) => asked.kind === "right" && isFound);
  const groups = [found, ...KINDS.map((kind) => judged.filter(({ asked }) => asked.kind === kind))];
  return groups.map((group) => (group.length === 0 ? "" : percent(shareBelow(group, threshold))));
}

/** Every suite has the same weight. */
function shareBelow(judged: readonly JudgedAsking[], threshold: number): number {
  const suites = Map.groupBy(judged, ({ asked }) => asked.suite);
  return mean(
    [...suites.values()].map((some) =>
      mean(some.map(({ confidence }) => Number(confidence < threshold))),
    ),
  );
}

function byFalseAlarms(judged: readonly JudgedAsking[]): string {
  const right = judged.filter(({ asked, isFound }) => asked.kind === "right" && isFound);
  const rows = FALSE_ALARMS.map((share) => {
    const threshold = confidenceAt(right, share);
    return [percent(share), threshold.toFixed(3), ...flagged(judged, threshold).slice(1)];
  });
  return table(
    [
      "false alarms",
      "below",
      "right project",
      "other language",
      "same language",
      "removed",
      "bench",
    ],
    rows,
  );
}

/** The error rate of the most confident answers: for questions to the right project, and for the mix. */
function riskByCoverage(judged: readonly JudgedAsking[]): string {
  const right = judged.filter(({ asked }) => asked.kind === "right");
  const rows = COVERAGES.map((coverage) => [
    percent(coverage),
    ...[right, judged].flatMap((some) => {
      const surest = mostSure(some, coverage);
      return [
        percent(1 - shareOf(surest, ({ isFound }) => isFound)),
        percent(1 - shareOf(surest, ({ asked }) => asked.right[0] === 1)),
      ];
    }),
  ]);
  return table(
    ["coverage", "none in ten", "first wrong", "mix: none in ten", "mix: first wrong"],
    rows,
  );
}

function mostSure(judged: readonly JudgedAsking[], coverage: number): readonly JudgedAsking[] {
  const total = judged.reduce((sum, { weight }) => sum + weight, 0);
  const ordered = judged.toSorted((one, other) => other.confidence - one.confidence);
  let covered = 0;
  return ordered.filter(({ weight }) => {
    covered += weight;
    return covered <= coverage * total + 1e-9;
  });
}

function shareOf(judged: readonly JudgedAsking[], is: (one: JudgedAsking) => boolean): number {
  const total = judged.reduce((sum, { weight }) => sum + weight, 0);
  return judged.reduce((sum, one) => sum + (is(one) ? one.weight : 0), 0) / total;
}

/** The calibration of the probabilities: how often answers and results of similar confidence are right. */
function reliability(judged: readonly JudgedAsking[]): string {
  const answers = judged.map(({ confidence, isFound, weight }) => ({
    confidence,
    isRight: isFound,
    weight,
  }));
  const results = judged.flatMap(({ results: all, asked, weight }) =>
    all.map((confidence, at) => ({ confidence, isRight: asked.right[at] === 1, weight })),
  );
  const rows = Array.from({ length: BINS }, (_, bin) => [
    `${(bin / BINS).toFixed(1)} to ${((bin + 1) / BINS).toFixed(1)}`,
    ...[answers, results].flatMap((some) => {
      const inBin = some.filter(
        ({ confidence }) => Math.min(BINS - 1, Math.floor(confidence * BINS)) === bin,
      );
      const total = inBin.reduce((sum, { weight }) => sum + weight, 0);
      const sure = inBin.reduce((sum, one) => sum + one.weight * one.confidence, 0);
      const right = inBin.reduce((sum, one) => sum + (one.isRight ? one.weight : 0), 0);
      return [inBin.length, (sure / total).toFixed(2), (right / total).toFixed(2)];
    }),
  ]);
  return table(["confidence", "answers", "mean", "right", "results", "mean", "right"], rows);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}
