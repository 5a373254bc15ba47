// Metrics of lists of files, for comparison.
import { intervalOf } from "../quality/bootstrap.ts";
import { mean } from "../quality/statistics.ts";

/** Number of answers that count. */
export const FIRST = 10;

/** The metrics of one list: shares from 0 to 1. */
export interface Score {
  /** 1 when at least one of the wanted files is among the first ten. */
  readonly hit: number;
  /** The share of the wanted files that are in the list. */
  readonly recall: number;
}

/** For lists with at least one wanted file. */
export function scoreOf(answers: readonly string[], wanted: readonly string[]): Score {
  const first = new Set(answers.slice(0, FIRST));
  const found = wanted.filter((path) => first.has(path)).length;
  return { hit: found > 0 ? 1 : 0, recall: found / wanted.length };
}

/** NaN without scores. */
export function meanScore(scores: readonly Score[]): Score {
  return {
    hit: mean(scores.map(({ hit }) => hit)),
    recall: mean(scores.map(({ recall }) => recall)),
  };
}

/** A mean difference, and the interval that holds 95 % of the differences for commits drawn with replacement. */
export interface Difference {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** Compares the lists of two rankers for the same commits, in the same order. */
export function differenceOf(
  ours: readonly Score[],
  theirs: readonly Score[],
  figure: keyof Score,
): Difference {
  const pairs = ours.map((score, at): [number, number] => [
    theirs[at]?.[figure] ?? Number.NaN,
    score[figure],
  ]);
  return {
    mean: mean(pairs.map(([before, after]) => after - before)),
    ...intervalOf(pairs),
  };
}
