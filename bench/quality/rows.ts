// One row for each query, and the summary of the rows of a suite.
import type { Answer } from "./reply.ts";
import { scoreQuery, type Score } from "./metrics.ts";
import { mean, median, quantile } from "./statistics.ts";
import type { Task } from "./suites.ts";

export interface Row extends Score {
  /** Id of the question; unique within a suite. */
  readonly id: string;
  readonly suite: string;
  readonly corpus: string;
  /** `owner/name`. */
  readonly repo: string;
  readonly lang: string;
  readonly type: string;
  /** Milliseconds from the request to its reply. */
  readonly ms: number;
  /** The reason for a missing answer. */
  readonly error?: string | undefined;
}

/** Means over the queries of a suite, unless noted. */
export interface Summary {
  readonly questions: number;
  /** ndcg10: mean over languages of the mean over repositories. The figure of a suite. */
  readonly macro: number;
  readonly ndcg10: number;
  readonly ndcg10Raw: number;
  readonly recall5: number;
  readonly recall10: number;
  readonly reciprocalRank: number;
  readonly hit1: number;
  readonly hit3: number;
  /** Mean over the queries whose gold has lines. */
  readonly span3?: number | undefined;
  readonly span10?: number | undefined;
  /** Median over the queries whose reply has a relevant result. */
  readonly tokensToFirst: number;
  /** Median and maximum. */
  readonly tokensOfReply: number;
  readonly largestReply: number;
  /** Undefined if other work ran at the same time. */
  readonly p50Ms?: number | undefined;
  readonly p95Ms?: number | undefined;
  readonly errors: number;
}

export function rowOf({ suite, question, place }: Task, answer: Answer): Row {
  const { id, corpus, lang, type, gold } = question;
  return {
    id,
    suite,
    corpus,
    repo: place.corpus.github,
    lang,
    type,
    ms: answer.ms,
    ...scoreQuery(gold, answer),
    error: answer.error,
  };
}

/** Suites in the order of the rows. `isTimed`: the times of the rows are meaningful. */
export function summaries(
  rows: readonly Row[],
  isTimed: boolean,
): Readonly<Record<string, Summary>> {
  const bySuite = Map.groupBy(rows, ({ suite }) => suite);
  return Object.fromEntries(
    Array.from(bySuite, ([suite, group]) => [suite, summaryOf(group, isTimed)]),
  );
}

function summaryOf(rows: readonly Row[], isTimed: boolean): Summary {
  const over = (value: (row: Row) => number): number => mean(rows.map(value));
  const overLines = (value: (row: Row) => number | undefined): number | undefined => {
    const known = rows.map(value).filter((one) => one !== undefined);
    return known.length === 0 ? undefined : mean(known);
  };
  const times = rows.map(({ ms }) => ms);
  const tokens = rows.map(({ tokensOfReply }) => tokensOfReply);
  return {
    questions: rows.length,
    macro: macro(rows, ({ ndcg10 }) => ndcg10),
    ndcg10: over(({ ndcg10 }) => ndcg10),
    ndcg10Raw: over(({ ndcg10Raw }) => ndcg10Raw),
    recall5: over(({ recall5 }) => recall5),
    recall10: over(({ recall10 }) => recall10),
    reciprocalRank: over(({ reciprocalRank }) => reciprocalRank),
    hit1: over(({ hit1 }) => hit1),
    hit3: over(({ hit3 }) => hit3),
    span3: overLines(({ span3 }) => span3),
    span10: overLines(({ span10 }) => span10),
    tokensToFirst: median(rows.flatMap(({ tokensToFirst }) => tokensToFirst ?? [])),
    tokensOfReply: median(tokens),
    largestReply: Math.max(...tokens),
    p50Ms: isTimed ? median(times) : undefined,
    p95Ms: isTimed ? quantile(times, 0.95) : undefined,
    errors: rows.filter(({ error }) => error !== undefined).length,
  };
}

/** Mean over languages of the mean over repositories, so that no large one outweighs the others. */
export function macro<T extends Pick<Row, "lang" | "repo">>(
  rows: readonly T[],
  value: (row: T) => number,
): number {
  const languages = [...Map.groupBy(rows, ({ lang }) => lang).values()];
  return mean(
    languages.map((language) => {
      const repositories = [...Map.groupBy(language, ({ repo }) => repo).values()];
      return mean(repositories.map((group) => mean(group.map(value))));
    }),
  );
}
