/** Lists of whole numbers in one piece of memory: millions of small arrays would cost more than their content. */
export class NumberLists {
  #values = new Int32Array(1 << 16);
  /** The offset where each list begins, and where the last one ends. */
  readonly #starts: number[] = [0];

  get length(): number {
    return this.#starts.length - 1;
  }

  add(values: readonly number[]): void {
    const start = this.#starts.at(-1) ?? 0;
    if (start + values.length > this.#values.length) {
      const grown = new Int32Array(Math.max(start + values.length, this.#values.length * 2));
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values.set(values, start);
    this.#starts.push(start + values.length);
  }

  /** A view, valid until the next `add`. */
  at(index: number): Int32Array {
    return this.#values.subarray(this.#starts[index], this.#starts[index + 1]);
  }
}
