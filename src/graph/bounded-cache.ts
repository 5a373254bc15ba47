/** What was worked out lately: when it is full, the older half is forgotten. */
export class BoundedCache<Value> {
  readonly #maxEntries: number;
  readonly #values = new Map<string, Value>();

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  peek(key: string): Value | undefined {
    return this.#values.get(key);
  }

  get(key: string, make: () => Value): Value {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (this.#values.size >= this.#maxEntries) this.#forget();
    this.#values.set(key, made);
    return made;
  }

  #forget(): void {
    let left = this.#values.size / 2;
    for (const key of this.#values.keys()) {
      if (left <= 0) return;
      this.#values.delete(key);
      left -= 1;
    }
  }
}
