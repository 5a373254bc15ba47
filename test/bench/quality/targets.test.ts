import { expect, test } from "vitest";

import { verdictTable } from "../../../bench/quality/publish.ts";
import type { Summary } from "../../../bench/quality/rows.ts";
import { judge, type Target } from "../../../bench/quality/targets.ts";

const SUMMARY: Summary = {
  questions: 3,
  macro: 0.85,
  ndcg10: 0.8,
  ndcg10Raw: 0.8,
  recall5: 1,
  recall10: 1,
  reciprocalRank: 1,
  hit1: 1,
  hit3: 1,
  tokensToFirst: 120,
  tokensOfReply: 500,
  largestReply: 1500,
  errors: 0,
};
const SUMMARIES = { a: SUMMARY, b: { ...SUMMARY, largestReply: 2100, tokensToFirst: Number.NaN } };

test.each<[Target, string]>([
  [{ suite: "a", figure: "macro", floor: 0.8, aim: 0.85 }, "met"],
  [{ suite: "a", figure: "macro", floor: 0.8, aim: 0.9 }, "floor met"],
  [{ suite: "a", figure: "macro", floor: 0.86, aim: 0.9 }, "missed"],
  [{ suite: "a", figure: "span10", floor: 0.8, aim: 0.9 }, "not measured"],
  [{ suite: "c", figure: "macro", floor: 0.8, aim: 0.9 }, "not measured"],
  [{ suite: "a", figure: "largestReply", most: 1500 }, "met"],
  [{ suite: "all", figure: "largestReply", most: 2000 }, "missed"],
  [{ suite: "b", figure: "tokensToFirst", most: 300 }, "not measured"],
])("%j is %s", (target, verdict) => {
  expect(judge(target, SUMMARIES).verdict).toBe(verdict);
});

test("nothing measured is nothing met", () => {
  expect(judge({ suite: "all", figure: "largestReply", most: 2000 }, {}).verdict).toBe(
    "not measured",
  );
});

test("the table tells how much of a suite was asked", () => {
  const targets: readonly Target[] = [
    { suite: "a", figure: "macro", floor: 0.8, aim: 0.9 },
    { suite: "c", figure: "macro", floor: 0.8, aim: 0.9 },
    { suite: "all", figure: "largestReply", most: 2000 },
  ];
  const judged = targets.map((target) => judge(target, SUMMARIES));
  expect(verdictTable(judged, SUMMARIES, () => 9).split("\n")).toEqual([
    "target                 figure  questions  value  floor      aim",
    "a                macro ndcg10     3 of 9  0.850   0.80     0.90     floor met",
    "c                macro ndcg10          -      -   0.80     0.90  not measured",
    "all     largest reply, tokens          -   2100      -  <= 2000        missed",
  ]);
});
