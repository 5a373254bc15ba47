// The figures of answers: the rank of the right place.
import { share, table } from "../quality/table.ts";
import { GROUPS, type Group } from "./manifest.ts";
import type { QuestionSet } from "./questions.ts";

export interface AnsweredQuestion {
  readonly group: Group;
  readonly set: QuestionSet;
  readonly document: string;
  readonly question: string;
  /** Rank of the first right place from 1; undefined if no result is at one. */
  readonly rank: number | undefined;
  readonly places: readonly string[];
  /** Why there was no answer. */
  readonly error?: string;
}

export interface Figures {
  readonly questions: number;
  /** Shares of the questions. */
  readonly first: number;
  readonly amongThree: number;
  /** Mean of 1 / rank. */
  readonly reciprocalRank: number;
}

/** The required share of questions in a group with a right place among the first three results. */
export const MIN_AMONG_THREE = 0.85;

export function figuresOf(answers: readonly Pick<AnsweredQuestion, "rank">[]): Figures {
  const mean = (value: (rank: number) => number): number =>
    answers.reduce((sum, { rank }) => sum + (rank === undefined ? 0 : value(rank)), 0) /
    answers.length;
  return {
    questions: answers.length,
    first: mean((rank) => (rank === 1 ? 1 : 0)),
    amongThree: mean((rank) => (rank <= 3 ? 1 : 0)),
    reciprocalRank: mean((rank) => 1 / rank),
  };
}

/** Figures for each group, for both sets of questions, for both sets together, and for the further questions. */
export function figuresByGroup(
  answers: readonly AnsweredQuestion[],
): Readonly<Record<string, Figures>> {
  const rows: Record<string, readonly AnsweredQuestion[]> = {};
  const further = answers.filter(({ set }) => set === "further");
  const main = answers.filter(({ set }) => set !== "further");
  for (const group of GROUPS) rows[group] = main.filter((answer) => answer.group === group);
  for (const set of ["develop", "judge"] as const) {
    rows[set] = main.filter((answer) => answer.set === set);
  }
  rows["all"] = main;
  for (const group of GROUPS) {
    rows[`further ${group}`] = further.filter((answer) => answer.group === group);
  }
  rows["further"] = further;
  return Object.fromEntries(
    Object.entries(rows)
      .filter(([, of]) => of.length > 0)
      .map(([name, of]) => [name, figuresOf(of)]),
  );
}

export function figuresTable(figures: Readonly<Record<string, Figures>>): string {
  return table(
    ["questions about", "number", "first", "first three", "mrr"],
    Object.entries(figures).map(([name, of]) => [
      name,
      of.questions,
      share(of.first),
      share(of.amongThree),
      share(of.reciprocalRank),
    ]),
  );
}
