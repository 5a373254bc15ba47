/** Numbers texts in the order in which they are added. */
export class DistinctTexts {
  readonly #numbers = new Map<string, number>();

  constructor(texts: readonly string[] = []) {
    for (const text of texts) this.add(text);
  }

  get texts(): readonly string[] {
    return [...this.#numbers.keys()];
  }

  /** Returns the number of a text, from 0 on. */
  add(text: string): number {
    const known = this.#numbers.get(text.toWellFormed());
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    // It may be a slice of its file's text, which it would keep in memory. UTF-8 has no halves of surrogate pairs.
    this.#numbers.set(Buffer.from(text).toString(), number);
    return number;
  }
}
