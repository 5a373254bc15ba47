/** A cache with a maximum number of entries. When it is full, it drops its older half. */
export class BoundedCache<Value> {
  readonly #maxEntries: number;
  readonly #values = new Map<string, Value>();

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  /** Returns the cached value, or undefined. */
  peek(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /** Returns the cached value. If there is none, computes and caches it. */
  get(key: string, compute: () => Value): Value {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const value = compute();
    if (this.#values.size >= this.#maxEntries) this.#evict();
    this.#values.set(key, value);
    return value;
  }

  #evict(): void {
    let remaining = this.#values.size / 2;
    for (const key of this.#values.keys()) {
      if (remaining <= 0) return;
      this.#values.delete(key);
      remaining -= 1;
    }
  }
}
