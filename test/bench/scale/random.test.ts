import { expect, test } from "vitest";

import { seededRandom } from "../../../bench/quality/random.ts";
import {
  exponential,
  logNormal,
  logNormalOf,
  meanOf,
  withMean,
  Zipf,
} from "../../../bench/scale/random.ts";

const DRAWS = 100_000;

function sumOfShares(zipf: Zipf, count: number): number {
  const shares = Array.from({ length: count }, (_, rank) => zipf.share(rank));
  return shares.reduce((sum, share) => sum + share, 0);
}

test("a Zipf distribution draws each rank as often as its share says", () => {
  const zipf = new Zipf(1000, 0.9);
  const random = seededRandom("zipf");
  const counts = new Map<number, number>();
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const rank = zipf.draw(random);
    counts.set(rank, (counts.get(rank) ?? 0) + 1);
  }
  for (const rank of [0, 1, 2, 9]) {
    expect((counts.get(rank) ?? 0) / DRAWS / zipf.share(rank)).toBeCloseTo(1, 1);
  }
  expect(zipf.share(0) / zipf.share(9)).toBeCloseTo(10 ** 0.9, 9);
  const ranks = [...counts.keys()];
  expect([Math.min(...ranks), Math.max(...ranks) < 1000]).toEqual([0, true]);
});

test("the shares of a Zipf distribution add up to one, and with exponent 0 all are equal", () => {
  expect(sumOfShares(new Zipf(50, 0.9), 50)).toBeCloseTo(1, 12);
  expect(new Zipf(50, 0).share(37)).toBeCloseTo(1 / 50, 12);
});

test("a log-normal distribution has the quantiles that it was made from, and the mean that is computed", () => {
  const random = seededRandom("log-normal");
  const distribution = logNormalOf({ p50: 3, p95: 12 });
  const drawn = Array.from({ length: DRAWS }, () => logNormal(distribution, random)).toSorted(
    (one, other) => one - other,
  );
  expect(drawn[DRAWS * 0.5]).toBeCloseTo(3, 1);
  expect((drawn[DRAWS * 0.95] ?? 0) / 12).toBeCloseTo(1, 1);
  const mean = drawn.reduce((sum, one) => sum + one, 0) / DRAWS;
  expect(mean / meanOf(distribution)).toBeCloseTo(1, 1);
  expect(meanOf(withMean(7, distribution))).toBeCloseTo(7, 9);
});

test("an exponential distribution has its mean, and never a negative time", () => {
  const random = seededRandom("exponential");
  const drawn = Array.from({ length: DRAWS }, () => exponential(5, random));
  expect(drawn.reduce((sum, one) => sum + one, 0) / DRAWS).toBeCloseTo(5, 1);
  expect(drawn.every((one) => one >= 0)).toBe(true);
});
