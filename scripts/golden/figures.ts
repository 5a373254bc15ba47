import { mean } from "../../bench/quality/statistics.ts";
import { DEPTH, type GoldenRun } from "./run-questions.ts";

/** The quality of the answers to questions that have an answer. */
export interface GoldenFigures {
  /** Number of questions. */
  readonly count: number;
  /** Share of queries whose right answer comes first; among the first five. */
  readonly hitAt1: number;
  readonly hitAt5: number;
  /** Mean of 1 / rank of the first right answer, 0 if none is among the first `DEPTH`. */
  readonly mrr: number;
}

/** 1 is the first; undefined if no right answer was returned. */
export function rankOf({ answers }: Pick<GoldenRun, "answers">): number | undefined {
  const at = answers.slice(0, DEPTH).findIndex(({ isRight }) => isRight);
  return at < 0 ? undefined : at + 1;
}

export function figuresOf(runs: readonly GoldenRun[]): GoldenFigures {
  const answerable = runs.filter(({ question }) => question.right.length > 0);
  const ranks = answerable.map((one) => rankOf(one) ?? Infinity);
  return {
    count: answerable.length,
    hitAt1: mean(ranks.map((rank) => Number(rank <= 1))),
    hitAt5: mean(ranks.map((rank) => Number(rank <= 5))),
    mrr: mean(ranks.map((rank) => 1 / rank)),
  };
}
