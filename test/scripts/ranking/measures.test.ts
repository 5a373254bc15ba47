import { describe, expect, test } from "vitest";

import type { Example } from "../../../scripts/ranking/example.ts";
import { macros, ndcg, type ScoredExample } from "../../../scripts/ranking/measures.ts";

function example(more: Partial<Example> = {}): Example {
  return {
    id: "q",
    suite: "suite",
    language: "typescript",
    repository: "own/name",
    query: "where",
    asksHow: false,
    grades: [1],
    hasLines: false,
    candidates: [],
    ...more,
  };
}

describe("ndcg", () => {
  test.each<[string, readonly number[], readonly number[], number]>([
    ["the answer first", [1], [1, 0, 0], 1],
    ["the answer second", [1], [0, 1, 0], 1 / Math.log2(3)],
    ["the answer tenth", [1], [...Array<number>(9).fill(0), 1], 1 / Math.log2(11)],
    ["the answer eleventh", [1], [...Array<number>(10).fill(0), 1], 0],
    ["no answer", [1], [0, 0, 0], 0],
    ["nothing", [1], [], 0],
    ["both answers first", [1, 1], [1, 1], 1],
    ["one of two answers", [1, 1], [1, 0], 1 / (1 + 1 / Math.log2(3))],
    ["the better one second", [2, 1], [1, 2], (1 + 2 / Math.log2(3)) / (2 + 1 / Math.log2(3))],
    ["grades in whatever order", [1, 2], [2, 1], 1],
    ["more answers than are looked at", Array<number>(12).fill(1), Array<number>(12).fill(1), 1],
  ])("of %s", (_, grades, gains, expected) => {
    expect(ndcg(example({ grades }), gains)).toBeCloseTo(expected, 9);
  });
});

function judged(value: number, more: Partial<Example>, hasLines?: boolean): ScoredExample {
  return { example: example(more), ndcg: value, hasLines };
}

describe("means", () => {
  test("are of repositories, then of languages, so that many questions of one do not count more", () => {
    const all = [
      judged(1, { repository: "a/a" }),
      judged(1, { repository: "a/a" }),
      judged(1, { repository: "a/a" }),
      judged(0, { repository: "b/b" }),
      judged(0, { repository: "c/c", language: "python" }),
    ];
    // typescript: mean of 1 and 0; python: 0.
    expect(macros(all, ({ ndcg: value }) => value)).toEqual(new Map([["suite", 0.25]]));
  });

  test("are computed for each suite separately", () => {
    const all = [judged(0.5, { suite: "one" }), judged(0.25, { suite: "two" })];
    expect(macros(all, ({ ndcg: value }) => value)).toEqual(
      new Map([
        ["one", 0.5],
        ["two", 0.25],
      ]),
    );
  });

  test("omit unknown values, and suites without any", () => {
    const all = [
      judged(0, { suite: "one" }, true),
      judged(0, { suite: "one" }, false),
      judged(0, { suite: "one" }),
      judged(0, { suite: "two" }),
    ];
    const lines = macros(all, ({ hasLines }) =>
      hasLines === undefined ? undefined : Number(hasLines),
    );
    expect(lines).toEqual(new Map([["one", 0.5]]));
  });
});
