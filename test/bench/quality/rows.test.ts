import { expect, test } from "vitest";

import { macro, summaries, type Row } from "../../../bench/quality/rows.ts";
import { mean, median, quantile } from "../../../bench/quality/statistics.ts";

function row(repo: string, lang: string, ndcg10: number, more: Partial<Row> = {}): Row {
  return {
    id: `${repo}/${ndcg10}`,
    suite: "s",
    corpus: repo,
    repo,
    lang,
    type: "t",
    ms: 10,
    ndcg10,
    ndcg10Raw: 0,
    recall5: 0,
    recall10: 0,
    reciprocalRank: 0,
    hit1: 0,
    hit3: 0,
    tokensOfReply: 100,
    ...more,
  };
}

const ROWS = [
  row("a/a", "go", 1, { tokensToFirst: 10, span10: 1 }),
  row("a/a", "go", 0, { tokensOfReply: 300, ms: 30 }),
  row("b/b", "go", 0.1, { tokensToFirst: 30, span10: 0 }),
  row("c/c", "rust", 0.7, { tokensToFirst: 20, error: "no reply" }),
];

test("macro is the mean over languages of the mean over repositories", () => {
  expect(macro(ROWS, ({ ndcg10 }) => ndcg10)).toBeCloseTo(((0.5 + 0.1) / 2 + 0.7) / 2, 12);
});

test("a suite's figures come from its rows; times only where they mean something", () => {
  const { s, other } = summaries([...ROWS, row("a/a", "go", 1, { suite: "other" })], true);
  expect(s).toMatchObject({
    questions: 4,
    ndcg10: 0.45,
    span10: 0.5,
    tokensToFirst: 20,
    tokensOfReply: 100,
    largestReply: 300,
    p50Ms: 10,
    p95Ms: 30,
    errors: 1,
  });
  expect(other).toMatchObject({ questions: 1, macro: 1 });
  expect(summaries(ROWS, false)["s"]?.p50Ms).toBeUndefined();
});

test("quantiles are values at the nearest rank", () => {
  const values = [5, 1, 4, 2, 3];
  expect([0, 0.1, 0.5, 0.9, 1].map((share) => quantile(values, share))).toEqual([1, 1, 3, 5, 5]);
  expect(median([2, 1])).toBe(2);
  expect([mean([]), median([])]).toEqual([Number.NaN, Number.NaN]);
});
