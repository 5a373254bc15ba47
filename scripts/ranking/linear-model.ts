// A linear model that predicts the right one of several candidates: softmax over the candidates of a query, with the
// cross entropy to the wanted shares as loss (ListNet: Cao et al., "Learning to rank: from pairwise
// approach to listwise approach", 2007), Adam as the optimizer.

/** The candidates of one question. */
export interface Group {
  /** Features of all candidates, one candidate after the other. */
  readonly features: Float32Array;
  /** The wanted share of each candidate; the sum is 1. */
  readonly shares: Float64Array;
  /** The weight of the question. */
  readonly weight: number;
}

export interface FitOptions {
  /** Expected weights: the examples change them only where they have evidence. */
  readonly expected: readonly number[];
  /** The cost of a deviation from the expected weight (Gaussian prior, in units of the features). */
  readonly rigidity: number;
  readonly epochs: number;
  /** The sign that each weight must have, 0 for any: evidence for an answer must not count against it. */
  readonly signs?: readonly number[] | undefined;
  /** Whether a weight keeps its expected value. */
  readonly isFixed?: readonly boolean[] | undefined;
}

const STEP = 0.08;
/** Steps are smaller after this share of the epochs. */
const SMALL_STEP_SHARE = 0.6;
const SMALL_STEP = 0.3;

/** Weights for the features. */
export function fit(
  groups: readonly Group[],
  { expected, rigidity, epochs, signs = [], isFixed = [] }: FitOptions,
): readonly number[] {
  const size = expected.length;
  const scales = deviations(groups, size);
  // Features are scaled by their standard deviation, so that one step size fits all.
  const weights = expected.map((value, at) => value * (scales[at] ?? 1));
  const adam = new Adam(size);
  const total = groups.reduce((sum, { weight }) => sum + weight, 0);
  for (let epoch = 1; epoch <= epochs; epoch += 1) {
    const raw = weights.map((weight, at) => weight / (scales[at] ?? 1));
    const gradient = gradientOf(groups, raw, total);
    const step = STEP * (epoch > epochs * SMALL_STEP_SHARE ? SMALL_STEP : 1);
    for (const [at, weight] of raw.entries()) {
      if (isFixed[at] === true) continue;
      const pull = rigidity * (weight - (expected[at] ?? 0));
      const slope = ((gradient[at] ?? 0) + pull) / (scales[at] ?? 1);
      const next = (weights[at] ?? 0) - step * adam.direction(at, slope, epoch);
      weights[at] = next * (signs[at] ?? 0) < 0 ? 0 : next;
    }
  }
  return weights.map((weight, at) => weight / (scales[at] ?? 1));
}

/** Kingma and Ba, "Adam: a method for stochastic optimization", 2015, with the constants given there. */
class Adam {
  readonly #first: Float64Array;
  readonly #second: Float64Array;

  constructor(size: number) {
    this.#first = new Float64Array(size);
    this.#second = new Float64Array(size);
  }

  /** The direction of a weight, and the size of a step at rate 1. Epochs begin at 1. */
  direction(at: number, slope: number, epoch: number): number {
    const first = 0.9 * (this.#first[at] ?? 0) + 0.1 * slope;
    const second = 0.999 * (this.#second[at] ?? 0) + 0.001 * slope * slope;
    this.#first[at] = first;
    this.#second[at] = second;
    return first / (1 - 0.9 ** epoch) / (Math.sqrt(second / (1 - 0.999 ** epoch)) + 1e-9);
  }
}

/** The gradient of the mean loss of the groups, by weight. `total`: the sum of their weights. */
export function gradientOf(
  groups: readonly Group[],
  weights: readonly number[],
  total: number,
): Float64Array {
  const size = weights.length;
  const gradient = new Float64Array(size);
  for (const { features, shares, weight } of groups) {
    const chances = softmax(scoresOf(features, weights));
    for (let candidate = 0; candidate < shares.length; candidate += 1) {
      const error = (((chances[candidate] ?? 0) - (shares[candidate] ?? 0)) * weight) / total;
      const start = candidate * size;
      for (let at = 0; at < size; at += 1) {
        gradient[at] = (gradient[at] ?? 0) + error * (features[start + at] ?? 0);
      }
    }
  }
  return gradient;
}

/** The score of each candidate. */
export function scoresOf(features: Float32Array, weights: readonly number[]): Float64Array {
  const size = weights.length;
  const scores = new Float64Array(features.length / size);
  for (let candidate = 0; candidate < scores.length; candidate += 1) {
    let score = 0;
    for (let at = 0; at < size; at += 1) {
      score += (weights[at] ?? 0) * (features[candidate * size + at] ?? 0);
    }
    scores[candidate] = score;
  }
  return scores;
}

function softmax(scores: Float64Array): Float64Array {
  const maximum = scores.reduce((one, other) => Math.max(one, other), -Infinity);
  const powers = scores.map((score) => Math.exp(score - maximum));
  const sum = powers.reduce((one, other) => one + other, 0);
  return powers.map((power) => power / sum);
}

/** The standard deviation of each feature; 1 if it never changes. */
function deviations(groups: readonly Group[], size: number): readonly number[] {
  const sums = new Float64Array(size);
  const squares = new Float64Array(size);
  let count = 0;
  for (const { features } of groups) {
    for (let at = 0; at < features.length; at += 1) {
      const value = features[at] ?? 0;
      sums[at % size] = (sums[at % size] ?? 0) + value;
      squares[at % size] = (squares[at % size] ?? 0) + value * value;
    }
    count += features.length / size;
  }
  return Array.from(sums, (sum, at) => {
    const variance = (squares[at] ?? 0) / count - (sum / count) ** 2;
    return variance > 1e-12 ? Math.sqrt(variance) : 1;
  });
}
