import { BoundedCache } from "./bounded-cache.ts";

/** Results from deeper in a chain may be incomplete because of `MAX_STEPS`, so they are not cached. */
const MAX_MEMO_STEPS = 4;

/**
 * Caches resolved names and expressions. It caches finished results only, never promises: a resolution that
 * depends on itself would wait for itself.
 */
export class ResolutionMemo {
  readonly #entries: BoundedCache<{ readonly value: unknown }>;

  constructor(maxEntries: number) {
    this.#entries = new BoundedCache(maxEntries);
  }

  /**
   * Returns the cached value or resolves it. Each `key` must have one type of value. `steps` is the depth in
   * the chain.
   */
  async getOrResolve<T>(key: string, steps: number, resolve: () => Promise<T>): Promise<T> {
    const known = this.#entries.peek(key);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each key has one type of value
    if (known !== undefined) return known.value as T;
    const value = await resolve();
    if (steps < MAX_MEMO_STEPS) this.#entries.get(key, () => ({ value }));
    return value;
  }
}
