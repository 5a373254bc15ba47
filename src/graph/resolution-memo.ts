import { BoundedCache } from "./bounded-cache.ts";

/** Answers that were found so far down a chain may lack what lies beyond the steps that are followed. */
const MAX_MEMO_STEPS = 4;

/**
 * What names and expressions were found to mean. Answers are kept when they are there, never while they are
 * being worked out: one that needs itself would wait for ever.
 */
export class ResolutionMemo {
  readonly #entries: BoundedCache<{ readonly value: unknown }>;

  constructor(maxEntries: number) {
    this.#entries = new BoundedCache(maxEntries);
  }

  /** `key` stands for one kind of answer. */
  async getOrResolve<T>(key: string, steps: number, resolve: () => Promise<T>): Promise<T> {
    const known = this.#entries.peek(key);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what was found under the same key
    if (known !== undefined) return known.value as T;
    const value = await resolve();
    if (steps < MAX_MEMO_STEPS) this.#entries.get(key, () => ({ value }));
    return value;
  }
}
