/** Times of questions, by the time when they arrived. */
export class Latencies {
  readonly #windowMs: number;
  /** A question that was refused or given up counts as infinitely long. */
  readonly #windows: number[][] = [];

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  add(askedMs: number, latencyMs: number): void {
    const at = Math.floor(askedMs / this.#windowMs);
    while (this.#windows.length <= at) this.#windows.push([]);
    this.#windows[at]?.push(latencyMs);
  }

  get count(): number {
    return this.#windows.reduce((sum, { length }) => sum + length, 0);
  }

  /** The quantile of the questions in a period; NaN if there were none. */
  quantile(share: number, fromMs = 0, endMs = Infinity): number {
    return quantileOf(this.#between(fromMs, endMs).flat(), share);
  }

  /** Share of the questions in a period that were refused or given up. */
  refusedShare(fromMs = 0, endMs = Infinity): number {
    const all = this.#between(fromMs, endMs).flat();
    return all.filter((latencyMs) => latencyMs === Infinity).length / Math.max(1, all.length);
  }

  /** The quantile of each window in a period, in order. */
  byWindow(share: number, fromMs = 0, endMs = Infinity): readonly number[] {
    return this.#between(fromMs, endMs).map((latencies) => quantileOf(latencies, share));
  }

  #between(fromMs: number, endMs: number): readonly (readonly number[])[] {
    return this.#windows.slice(
      Math.floor(fromMs / this.#windowMs),
      Math.ceil(endMs / this.#windowMs),
    );
  }
}

/** By the nearest rank; NaN for an empty list. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
