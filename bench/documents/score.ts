// The figures of answers: whether, and where, the right place comes.
import { share, table } from "../quality/table.ts";
import { GROUPS, type Group } from "./manifest.ts";

export interface AnsweredQuestion {
  readonly group: Group;
  readonly set: "develop" | "judge";
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

/** The least share of the questions of a group with a right place among the first three. */
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

/** For each group, then for both sets of questions, and for all. */
export function figuresByGroup(
  answers: readonly AnsweredQuestion[],
): Readonly<Record<string, Figures>> {
  const rows: Record<string, readonly AnsweredQuestion[]> = {};
  for (const group of GROUPS) rows[group] = answers.filter((answer) => answer.group === group);
  for (const set of ["develop", "judge"] as const) {
    rows[set] = answers.filter((answer) => answer.set === set);
  }
  rows["all"] = answers;
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
