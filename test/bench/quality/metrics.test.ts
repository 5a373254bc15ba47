import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { scoreQuery } from "../../../bench/quality/metrics.ts";
import type { Gold } from "../../../bench/quality/questions.ts";
import type { Mention } from "../../../bench/quality/reply-text.ts";

/** Results of 100 characters each. `a:3-9` is the file a with lines. */
function mentions(...places: readonly string[]): readonly Mention[] {
  return places.map((place, at) => {
    const [path = "", lines] = place.split(":");
    const [start, end] = lines?.split("-").map(Number) ?? [];
    return { path, start, end, from: at * 100, to: (at + 1) * 100 };
  });
}

function score(gold: readonly Gold[], ...places: readonly string[]) {
  return scoreQuery(gold, { mentions: mentions(...places), characters: places.length * 100 });
}

describe("ndcg10", () => {
  test("one relevant file at rank 2 gains 1 / log2(3)", () => {
    expect(score([{ path: "b" }], "a", "b", "c").ndcg10).toBeCloseTo(1 / Math.log2(3), 12);
  });

  test("grades are gains, and the ideal order has the best first", () => {
    const gold = [
      { path: "a", grade: 1 },
      { path: "b", grade: 3 },
    ];
    const ideal = 3 + 1 / Math.log2(3);
    expect(score(gold, "a", "x", "b").ndcg10).toBeCloseTo((1 + 3 / 2) / ideal, 12);
  });

  test("a file that comes again does not push others down", () => {
    expect(score([{ path: "b" }], "a", "a", "a", "b").ndcg10).toBeCloseTo(1 / Math.log2(3), 12);
  });

  test("the eleventh file counts no more, and a gold file named twice counts once", () => {
    const ten = Array.from({ length: 10 }, (_file, at) => `x${at}`);
    expect(score([{ path: "a" }], ...ten, "a").ndcg10).toBe(0);
    expect(score([{ path: "a" }, { path: "a" }], "a").ndcg10).toBe(1);
  });

  test("is 1 for the ideal order, and between 0 and 1 for any", () => {
    const grades = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 15 });
    fc.assert(
      fc.property(grades, fc.infiniteStream(fc.nat()), (all, random) => {
        const gold = all.map((grade, at) => ({ path: `f${at}`, grade }));
        const ideal = gold.toSorted((one, other) => other.grade - one.grade);
        expect(score(gold, ...ideal.map(({ path }) => path)).ndcg10).toBeCloseTo(1, 12);
        const keys = new Map(gold.map(({ path }) => [path, random.next().value ?? 0]));
        const shuffled = [...keys].toSorted(([, one], [, other]) => one - other);
        const { ndcg10 } = score(gold, ...shuffled.map(([path]) => path));
        expect(ndcg10).toBeGreaterThan(0);
        expect(ndcg10).toBeLessThan(1 + 1e-12);
      }),
    );
  });
});

describe("ndcg10Raw", () => {
  test("files count as often as they come", () => {
    expect(score([{ path: "b" }], "a", "a", "b").ndcg10Raw).toBeCloseTo(1 / 2, 12);
  });

  test("a target with lines is met by a result that overlaps them, or has none", () => {
    const gold = [{ path: "a", start: 10, end: 20 }];
    expect(score(gold, "a:1-9", "a:20-30").ndcg10Raw).toBeCloseTo(1 / Math.log2(3), 12);
    expect(score(gold, "a").ndcg10Raw).toBe(1);
  });

  test("a result meets one target only", () => {
    const gold = [
      { path: "a", start: 1, end: 5 },
      { path: "a", start: 6, end: 9 },
    ];
    expect(score(gold, "a:1-9").ndcg10Raw).toBeCloseTo(1 / (1 + 1 / Math.log2(3)), 12);
  });
});

test("recall, reciprocal rank and the first hit", () => {
  const gold = [{ path: "a" }, { path: "b" }, { path: "c" }, { path: "d" }];
  const found = score(gold, "x", "a", "y", "b", "z", "c");
  expect(found).toMatchObject({ recall5: 0.5, recall10: 0.75, reciprocalRank: 0.5, hit1: 0 });
  expect(score(gold, "d")).toMatchObject({ recall5: 0.25, reciprocalRank: 1, hit1: 1 });
});

test("span10 is a hit of gold lines by lines of the first ten results", () => {
  const gold = [{ path: "a", start: 10, end: 20 }];
  expect(score(gold, "b", "a:20-22").span10).toBe(1);
  expect(score(gold, "a", "a:21-22", "b:10-20").span10).toBe(0);
  expect(score([{ path: "a" }], "a:1-2").span10).toBeUndefined();
});

test("hit3 and span3 count the first three results", () => {
  const gold = [{ path: "a", start: 20, end: 30 }];
  expect(score(gold, "b", "c", "a:25-26")).toMatchObject({ hit3: 1, span3: 1 });
  expect(score(gold, "b", "c", "d", "a:25-26")).toMatchObject({ hit3: 0, span3: 0, span10: 1 });
  expect(score(gold, "b", "a:1-2", "c")).toMatchObject({ hit3: 1, span3: 0 });
});

test("tokens are a quarter of the characters, to the end of the first relevant result", () => {
  const found = score([{ path: "b" }], "a", "b", "b", "c");
  expect(found).toMatchObject({ tokensToFirst: 50, tokensOfReply: 100 });
});

test("nothing found is nothing scored", () => {
  expect(score([{ path: "a", start: 1, end: 2 }])).toEqual({
    ndcg10: 0,
    ndcg10Raw: 0,
    recall5: 0,
    recall10: 0,
    reciprocalRank: 0,
    hit1: 0,
    hit3: 0,
    span3: 0,
    span10: 0,
    tokensToFirst: undefined,
    tokensOfReply: 0,
  });
});
