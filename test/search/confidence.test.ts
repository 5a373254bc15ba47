import { describe, expect, test } from "vitest";

import { CONFIDENCE_SIGNALS } from "../../src/search/confidence-signals.ts";
import { confidenceOf, crowdOf, toHundredths } from "../../src/search/confidence.ts";
import weights from "../../src/search/confidence-weights.json" with { type: "json" };
import { sharedIndexes, TOKENS } from "./searchable.ts";

const indexOfShared = sharedIndexes();

/** Signals of a usual answer, with changes. */
function signals(
  changes: Partial<Record<(typeof CONFIDENCE_SIGNALS)[number], number>>,
): readonly number[] {
  const usual = { similarity: 0.45, chunkCoverage: 0.5, score: 10, lead: 5, matchedWeight: 2 };
  const words = { words: 1.4, rarity: 9, typical: 4.5, files: 5, docsShare: 0.1 };
  const all: Partial<Record<string, number>> = { ...usual, ...words, ...changes };
  return CONFIDENCE_SIGNALS.map((name) => all[name] ?? 0);
}

const SCORES = [10, 8, 5];
const PLAIN = { hasVectors: true, isDefined: false, isCovered: false };

function valueOf(changes: Parameters<typeof signals>[0], hasVectors = true): number {
  return confidenceOf(signals(changes), SCORES, { ...PLAIN, hasVectors }).value;
}

describe("the confidence in an answer", () => {
  test("is a probability that falls with words that the index lacks and grows with similarity", () => {
    expect(valueOf({})).toBeGreaterThan(0.3);
    expect(valueOf({})).toBeLessThan(1);
    expect(valueOf({ unknown: 0.7, rarestUnknown: 12 })).toBeLessThan(valueOf({}) / 2);
    expect(valueOf({ similarity: 0.1 })).toBeLessThan(valueOf({}) * 0.8);
    expect(valueOf({ unknownIdentifiers: 1 })).toBeLessThan(valueOf({}));
    expect(valueOf({ lead: 9 })).toBeGreaterThan(valueOf({}));
  });

  test("decides whether the answer is weak or unsure", () => {
    const weak = confidenceOf(signals({ similarity: 0.05, unknown: 0.8 }), SCORES, PLAIN);
    expect(weak.value).toBeLessThan(weights.noGoodMatch);
    expect(weak).toMatchObject({ isWeak: true, isUnsure: true });
    const sure = confidenceOf(signals({ similarity: 0.7, chunkCoverage: 1 }), SCORES, PLAIN);
    expect(sure.value).toBeGreaterThan(weights.unsure);
    expect(sure).toMatchObject({ isWeak: false, isUnsure: false });
    expect(weights.noGoodMatch).toBeLessThan(weights.unsure);
  });

  test("is not weak with all words in one chunk, and better with the definition of the name", () => {
    const poor = signals({ similarity: 0.02, score: 0, lead: 0, typical: 1 });
    expect(confidenceOf(poor, SCORES, PLAIN).isWeak).toBe(true);
    const covered = confidenceOf(poor, SCORES, { ...PLAIN, isCovered: true });
    expect(covered).toMatchObject({ isWeak: false, isUnsure: false });
    const defined = confidenceOf(poor, SCORES, { ...PLAIN, isDefined: true });
    expect(defined).toMatchObject({ isWeak: false, isUnsure: false, value: 0.5 });
    expect(defined.ofResult(10)).toBeGreaterThan(covered.ofResult(10));
  });

  test("has weights of its own where only words count", () => {
    expect(valueOf({ similarity: 0 }, false)).toBeGreaterThan(valueOf({ similarity: 0 }, true));
    expect(valueOf({ unknown: 0.7 }, false)).toBeLessThan(valueOf({}, false));
  });
});

describe("the confidence in a result", () => {
  test("is a probability, is larger for a larger score and smaller in a crowd", () => {
    const { ofResult } = confidenceOf(signals({}), SCORES, PLAIN);
    const all = [-1000, 0, 5, 8, 9.9, 10].map(ofResult);
    expect(all).toEqual(all.toSorted((one, other) => one - other));
    expect(all[0]).toBeGreaterThanOrEqual(0);
    expect(all.at(-1)).toBeLessThanOrEqual(1);
    const inCrowd = confidenceOf(signals({}), [10, 10, 10, 9.9], PLAIN);
    expect(inCrowd.ofResult(10)).toBeLessThan(ofResult(10) / 2);
    expect(crowdOf([10, 10])).toBeCloseTo(Math.log(2));
    expect(crowdOf([10])).toBe(0);
    expect(crowdOf([])).toBe(0);
  });

  test("follows the confidence in the answer", () => {
    const weak = confidenceOf(signals({ similarity: 0.05, unknown: 0.8 }), SCORES, PLAIN);
    expect(weak.ofResult(10)).toBeLessThanOrEqual(weak.value);
    expect(weak.ofResult(10)).toBeLessThan(confidenceOf(signals({}), SCORES, PLAIN).ofResult(10));
  });
});

test("a result is surer if its copies are no results of their own", () => {
  const all = confidenceOf(signals({}), [10, 10, 10, 10, 5], PLAIN);
  const folded = all.withScores([10, 5]);
  expect(folded.ofResult(10)).toBeGreaterThan(all.ofResult(10));
  expect(folded).toMatchObject({ value: all.value, isWeak: all.isWeak, isUnsure: all.isUnsure });
  expect(folded.withScores([10, 10, 10, 10, 5]).ofResult(5)).toBe(all.ofResult(5));
});

test("neither depends on the limit, and the same question has the same numbers", async () => {
  const { ranking } = await indexOfShared(TOKENS);
  const numbers = async (limit: number): Promise<readonly number[]> => {
    const { confidence, files } = await ranking("revoke an access token", limit);
    return [confidence.value, confidence.ofResult(files[0]?.score ?? 0)];
  };
  const [one, ten, again] = [await numbers(1), await numbers(10), await numbers(10)];
  expect(one).toEqual(ten);
  expect(again).toEqual(ten);
});

test("numbers are shown with two digits", () => {
  expect([0.8749, 0.004, 1].map(toHundredths)).toEqual([0.87, 0, 1]);
});
