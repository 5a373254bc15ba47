// Tests whether a difference between two runs is significant: a paired bootstrap (Efron and Tibshirani, "An
// Introduction to the Bootstrap", 1993): repositories are drawn with replacement, since questions about one
// repository go up and down together.
import type { Row } from "./rows.ts";
import { seededRandom } from "./random.ts";
import { mean, quantile } from "./statistics.ts";

export type ComparedRow = Pick<Row, "id" | "suite" | "repo" | "ndcg10">;

/** Compares the means over clusters of their mean ndcg10. */
export interface Comparison {
  readonly suite: string;
  /** The queries that both runs have. */
  readonly questions: number;
  /** Clusters: repositories, or queries if there are only one or two repositories. */
  readonly clusters: number;
  readonly before: number;
  readonly after: number;
  readonly difference: number;
  /** The bounds of the interval that holds 95 % of the drawn differences. */
  readonly low: number;
  readonly high: number;
}

type Pair = readonly [before: number, after: number];

const DRAWS = 2000;
const TAIL = 0.025;

/** One comparison for each suite that both runs have, by suite name. */
export function compareRows(
  before: readonly ComparedRow[],
  after: readonly ComparedRow[],
): readonly Comparison[] {
  const later = new Map(after.map((row) => [keyOf(row), row.ndcg10]));
  const paired = before.filter((row) => later.has(keyOf(row)));
  const suites = [...Map.groupBy(paired, ({ suite }) => suite)].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return suites.map(([suite, rows]) => {
    const repositories = [...Map.groupBy(rows, ({ repo }) => repo).values()];
    const clusters = repositories.length > 2 ? repositories : rows.map((row) => [row]);
    const pairs = clusters.map((cluster): Pair => [
      mean(cluster.map((row) => row.ndcg10)),
      mean(cluster.map((row) => later.get(keyOf(row)) ?? Number.NaN)),
    ]);
    const [from, to] = [mean(pairs.map(([value]) => value)), mean(pairs.map(([, value]) => value))];
    const counts = { suite, questions: rows.length, clusters: clusters.length };
    return { ...counts, before: from, after: to, difference: to - from, ...intervalOf(pairs) };
  });
}

/** The 95 % interval of the mean difference; the same in every run. */
export function intervalOf(pairs: readonly Pair[]): Pick<Comparison, "low" | "high"> {
  const random = seededRandom("bootstrap");
  const differences = pairs.map(([before, after]) => after - before);
  const drawn = Array.from({ length: DRAWS }, () =>
    mean(differences.map(() => differences[Math.floor(random() * differences.length)] ?? 0)),
  );
  return { low: quantile(drawn, TAIL), high: quantile(drawn, 1 - TAIL) };
}

function keyOf({ suite, id }: ComparedRow): string {
  return `${suite}\0${id}`;
}
