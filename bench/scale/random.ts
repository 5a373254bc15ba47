// Random numbers of the model. Each purpose has its own generator (`seededRandom`), so that a change in one part does
// not change the numbers of the others.
import type { Random } from "../quality/random.ts";

/**
 * The log-normal distribution, exp(X) with X normal: for sizes and times that are never negative and have a long tail.
 */
export interface LogNormal {
  readonly median: number;
  /** Standard deviation of the logarithm. */
  readonly sigma: number;
}

/** 95 % of the values of a standard normal distribution are below this. */
const NORMAL_P95 = 1.6449;

/** The distribution with these two quantiles. */
export function logNormalOf({
  p50,
  p95,
}: {
  readonly p50: number;
  readonly p95: number;
}): LogNormal {
  return { median: p50, sigma: Math.log(p95 / p50) / NORMAL_P95 };
}

export function meanOf({ median, sigma }: LogNormal): number {
  return median * Math.exp(sigma ** 2 / 2);
}

/** The same shape with another mean. */
export function withMean(mean: number, distribution: LogNormal): LogNormal {
  return { ...distribution, median: (distribution.median * mean) / meanOf(distribution) };
}

export function logNormal({ median, sigma }: LogNormal, random: Random): number {
  return median * Math.exp(sigma * standardNormal(random));
}

/** The time until the next of several independent events. */
export function exponential(mean: number, random: Random): number {
  return -mean * Math.log(1 - random());
}

/** The Box-Muller method. */
function standardNormal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  return radius * Math.cos(2 * Math.PI * random());
}

/** Ranks from 0, of which rank r is drawn with a probability in proportion to 1 / (r + 1) ** exponent. */
export class Zipf {
  /** The probability of a rank or a smaller one. */
  readonly #cumulative: Float64Array;

  constructor(count: number, exponent: number) {
    this.#cumulative = new Float64Array(count);
    let sum = 0;
    for (let rank = 0; rank < count; rank += 1) {
      sum += (rank + 1) ** -exponent;
      this.#cumulative[rank] = sum;
    }
    for (let rank = 0; rank < count; rank += 1) {
      this.#cumulative[rank] = (this.#cumulative[rank] ?? 0) / sum;
    }
  }

  share(rank: number): number {
    return (this.#cumulative[rank] ?? 0) - (this.#cumulative[rank - 1] ?? 0);
  }

  draw(random: Random): number {
    const at = random();
    let [low, high] = [0, this.#cumulative.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#cumulative[middle] ?? 1) > at) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
