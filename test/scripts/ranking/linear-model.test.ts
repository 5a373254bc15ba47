import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { seededRandom } from "../../../bench/quality/random.ts";
import { fit, gradientOf, scoresOf, type Group } from "../../../scripts/ranking/linear-model.ts";

/** Shares by the model: the higher a candidate's score, the larger its share of the answer. */
function softmax(scores: readonly number[]): readonly number[] {
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const sum = powers.reduce((one, other) => one + other, 0);
  return powers.map((power) => power / sum);
}

function scored(candidate: readonly number[], weights: readonly number[]): number {
  return weights.reduce((sum, weight, at) => sum + weight * (candidate[at] ?? 0), 0);
}

function group(
  candidates: readonly (readonly number[])[],
  shares: readonly number[],
  weight = 1,
): Group {
  return {
    features: Float32Array.from(candidates.flat()),
    shares: Float64Array.from(shares),
    weight,
  };
}

/** Cross entropy of the wanted shares and those of the model, the mean over the groups by weight. */
function loss(groups: readonly Group[], weights: readonly number[]): number {
  const total = groups.reduce((sum, { weight }) => sum + weight, 0);
  return groups.reduce((sum, { features, shares, weight }) => {
    const chances = softmax([...scoresOf(features, weights)]);
    const entropy = shares.reduce((all, share, at) => all - share * Math.log(chances[at] ?? 0), 0);
    return sum + (entropy * weight) / total;
  }, 0);
}

/** Candidates with features as large as `scales`, and the shares that `planted` gives them. */
function plantedGroups(planted: readonly number[], scales: readonly number[]): readonly Group[] {
  const random = seededRandom("planted");
  return Array.from({ length: 150 }, () => {
    const candidates = Array.from({ length: 8 }, () => scales.map((scale) => random() * scale));
    const shares = softmax(candidates.map((candidate) => scored(candidate, planted)));
    return group(candidates, shares);
  });
}

const NO_PRIOR = { rigidity: 0, epochs: 600 };

describe("planted weights are found", () => {
  test.each<[string, number[], number[]]>([
    ["of features of one size", [2, -1, 0.5, 0], [1, 1, 1, 1]],
    ["of features of different sizes", [3, -0.02, 0.4], [1, 100, 10]],
  ])("%s", (_, planted, scales) => {
    const found = fit(plantedGroups(planted, scales), {
      ...NO_PRIOR,
      expected: planted.map(() => 0),
    });
    for (const [at, weight] of planted.entries()) {
      const scale = scales[at] ?? 1;
      expect(Math.abs((found[at] ?? 0) - weight) * scale).toBeLessThan(0.05);
    }
  });

  test("from wherever one begins", () => {
    const planted = [2, -1, 0.5, 0];
    const groups = plantedGroups(planted, [1, 1, 1, 1]);
    const found = fit(groups, { ...NO_PRIOR, expected: [-3, 3, 0, 1] });
    for (const [at, weight] of planted.entries()) expect(found[at]).toBeCloseTo(weight, 1);
  });
});

test("a fixed weight keeps its expected value, and the others make up for it", () => {
  const groups = plantedGroups([2, -1], [1, 1]);
  const expected = [0.5, 0];
  const found = fit(groups, { ...NO_PRIOR, expected, isFixed: [true, false] });
  expect(found[0]).toBe(0.5);
  expect(found[1]).toBeLessThan(-0.3);
});

const feature = fc.double({ min: -3, max: 3, noNaN: true });
const GROUPS = fc.array(
  fc
    .record({
      candidates: fc.array(fc.tuple(feature, feature, feature), { minLength: 2, maxLength: 5 }),
      wanted: fc.array(feature, { minLength: 5, maxLength: 5 }),
      weight: fc.double({ min: 0.1, max: 3, noNaN: true }),
    })
    .map(({ candidates, wanted, weight }) =>
      group(candidates, softmax(wanted.slice(0, candidates.length)), weight),
    ),
  { minLength: 1, maxLength: 4 },
);

test("the gradient is that of the cross entropy", () => {
  fc.assert(
    fc.property(GROUPS, fc.tuple(feature, feature, feature), (groups, weights) => {
      const total = groups.reduce((sum, { weight }) => sum + weight, 0);
      const gradient = gradientOf(groups, weights, total);
      const step = 1e-4;
      for (const at of weights.keys()) {
        const moved = (by: number): readonly number[] =>
          weights.map((weight, other) => weight + (other === at ? by : 0));
        const slope = (loss(groups, moved(step)) - loss(groups, moved(-step))) / (2 * step);
        expect(Math.abs((gradient[at] ?? Number.NaN) - slope)).toBeLessThan(1e-5);
      }
    }),
  );
});

test("at the planted weights the gradient is 0", () => {
  const planted = [1.5, -2];
  for (const slope of gradientOf(plantedGroups(planted, [1, 1]), planted, 150)) {
    expect(Math.abs(slope)).toBeLessThan(1e-6);
  }
});

describe("expected weights stay", () => {
  const random = seededRandom("expected");
  const groups = Array.from({ length: 40 }, (_, question) => {
    // Predicts the answer; is the same everywhere; is the same within a query; is 0 everywhere.
    const candidates = Array.from({ length: 5 }, () => [random(), 1, question, 0]);
    const best = candidates.map(([value = 0]) => value);
    return group(candidates, softmax(best.map((value) => 4 * value)));
  });
  const expected = [0, -4, 1.5, 2];

  test.each([0, 1e-3, 0.1])(
    "where a feature never varies within a query, at rigidity %d",
    (rigidity) => {
      const found = fit(groups, { expected, rigidity, epochs: 200 });
      expect(found.slice(1)).toEqual(expected.slice(1).map((weight) => expect.closeTo(weight, 4)));
      expect(found[0]).toBeGreaterThan(0.5);
    },
  );

  test("without examples", () => {
    expect(fit([], { expected, rigidity: 1e-3, epochs: 50 })).toEqual(
      expected.map((weight) => expect.closeTo(weight, 9)),
    );
  });

  test("the more, the more rigid it is", () => {
    const weights = [1e-3, 0.1, 10].map(
      (rigidity) => fit(groups, { expected, rigidity, epochs: 300 })[0] ?? 0,
    );
    expect(weights).toEqual(weights.toSorted((one, other) => other - one));
    expect(weights.at(-1)).toBeLessThan(0.1);
  });
});

test("a question counts as much as its weight", () => {
  const first = group([[1], [0]], [1, 0], 3);
  const second = group([[1], [0]], [0, 1], 1);
  const [weight = 0] = fit([first, second], { expected: [0], rigidity: 0, epochs: 600 });
  // Three of four prefer the first: the logarithm of 3 to 1.
  expect(weight).toBeCloseTo(Math.log(3), 2);
});

test("scores are features times weights, a candidate after the other", () => {
  expect([...scoresOf(Float32Array.of(1, 2, 3, 4), [10, -1])]).toEqual([8, 26]);
  expect([...scoresOf(new Float32Array(0), [1, 2])]).toEqual([]);
});

test("a weight never takes a forbidden sign", () => {
  const against = group([[1], [0]], [0, 1], 1);
  const options = { expected: [0.5], rigidity: 0, epochs: 300 };
  expect(fit([against], options)[0]).toBeLessThan(-1);
  expect(fit([against], { ...options, signs: [1] })).toEqual([0]);
});
