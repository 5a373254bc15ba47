import { expect, test } from "vitest";

import { seededRandom } from "../../../bench/quality/random.ts";
import {
  fitLogistic,
  logitOf,
  type LabelledExample,
} from "../../../scripts/ranking/logistic-model.ts";

const TRUTH = { intercept: -1, weights: [2, -0.5, 0] };

function examples(count: number): readonly LabelledExample[] {
  const random = seededRandom("logistic");
  return Array.from({ length: count }, () => {
    const features = [random() * 4 - 2, random() * 10, random()];
    const chance = 1 / (1 + Math.exp(-logitOf(TRUTH, features)));
    return { features, label: Number(random() < chance), weight: 1 };
  });
}

test("the weights that made the examples are found again", () => {
  const { intercept, weights } = fitLogistic(examples(20_000), 0);
  expect(Math.abs(intercept - TRUTH.intercept)).toBeLessThan(0.2);
  for (const [at, weight] of weights.entries()) {
    expect(Math.abs(weight - (TRUTH.weights[at] ?? 0))).toBeLessThan(0.2);
  }
});

test("an example that counts twice is two examples", () => {
  const some = examples(200);
  const twice = some.map((one, at) => (at % 2 === 0 ? one : { ...one, weight: 2 }));
  const repeated = some.flatMap((one, at) => (at % 2 === 0 ? [one] : [one, one]));
  const [model, other] = [fitLogistic(twice, 1e-3), fitLogistic(repeated, 1e-3)];
  expect(model.intercept).toBeCloseTo(other.intercept, 6);
  for (const [at, weight] of model.weights.entries()) {
    expect(weight).toBeCloseTo(other.weights[at] ?? Number.NaN, 6);
  }
});

test("a ridge makes weights smaller, and a feature that never changes has none", () => {
  const some = examples(500).map((one) => ({ ...one, features: [...one.features, 7] }));
  const [loose, tight] = [fitLogistic(some, 1e-4), fitLogistic(some, 1)];
  expect(Math.abs(tight.weights[0] ?? 0)).toBeLessThan(Math.abs(loose.weights[0] ?? 0) / 2);
  expect(loose.weights[3]).toBeCloseTo(0);
});
