import * as fc from "fast-check";
import { expect, test } from "vitest";

import { differenceOf, FIRST, meanScore, scoreOf } from "../../../bench/impact/metrics.ts";

const LETTER = fc.constantFrom(...Array.from("abcdefghijklmnopqrst"));
const WANTED = fc.uniqueArray(LETTER, { minLength: 1 });

test("the first ten answers count, and no more", () => {
  const answers = Array.from("abcdefghijk");
  expect(scoreOf(answers, ["j"])).toEqual({ hit: 1, recall: 1 });
  expect(scoreOf(answers, ["k"])).toEqual({ hit: 0, recall: 0 });
  expect(scoreOf(answers, ["a", "j", "k", "z"])).toEqual({ hit: 1, recall: 0.5 });
  expect(scoreOf([], ["a"])).toEqual({ hit: 0, recall: 0 });
});

test("a hit is a recall above 0, and the order of the first ten does not matter", () => {
  fc.assert(
    fc.property(fc.uniqueArray(LETTER), WANTED, (answers, wanted) => {
      const { hit, recall } = scoreOf(answers, wanted);
      expect(hit).toBe(recall > 0 ? 1 : 0);
      const turned = answers.slice(0, FIRST).toReversed();
      expect(scoreOf([...turned, ...answers.slice(FIRST)], wanted)).toEqual({ hit, recall });
    }),
  );
});

test("a difference is that of the means, within its interval", () => {
  const score = fc.integer({ min: 0, max: 4 }).map((found) => {
    return { hit: found > 0 ? 1 : 0, recall: found / 4 };
  });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(score, score), { minLength: 1, maxLength: 30 }),
      fc.constantFrom("hit" as const, "recall" as const),
      (pairs, figure) => {
        const ours = pairs.map(([one]) => one);
        const theirs = pairs.map(([, other]) => other);
        const { mean, low, high } = differenceOf(ours, theirs, figure);
        expect(mean).toBeCloseTo(meanScore(ours)[figure] - meanScore(theirs)[figure]);
        expect(low).toBeLessThanOrEqual(mean + 1e-9);
        expect(high).toBeGreaterThanOrEqual(mean - 1e-9);
      },
    ),
    { numRuns: 20 },
  );
});
