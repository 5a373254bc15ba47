import { mean } from "../../bench/quality/statistics.ts";
import type { Example } from "./example.ts";

const DEPTH = 10;

/** An example with the quality of an order of its candidates. */
export interface ScoredExample {
  readonly example: Example;
  readonly ndcg: number;
  /** Whether right lines are among the first chunks shown; undefined if unknown. */
  readonly hasLines: boolean | undefined;
}

export function ndcg({ grades }: Example, gains: readonly number[]): number {
  const ideal = grades.toSorted((one, other) => other - one);
  return gainOf(gains) / gainOf(ideal);
}

function gainOf(gains: readonly number[]): number {
  return gains.slice(0, DEPTH).reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);
}

/** Suite -> mean over languages of the mean over their repositories. */
export function macros(
  judged: readonly ScoredExample[],
  value: (one: ScoredExample) => number | undefined,
): ReadonlyMap<string, number> {
  const known = judged.filter((one) => value(one) !== undefined);
  const bySuite = Map.groupBy(known, ({ example }) => example.suite);
  return new Map(
    [...bySuite].map(([suite, rows]) => {
      const languages = [...Map.groupBy(rows, ({ example }) => example.language).values()];
      const means = languages.map((ofOne) => {
        const repositories = [...Map.groupBy(ofOne, ({ example }) => example.repository).values()];
        return mean(repositories.map((some) => mean(some.map((one) => value(one) ?? 0))));
      });
      return [suite, mean(means)];
    }),
  );
}
