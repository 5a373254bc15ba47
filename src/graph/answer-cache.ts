import { BoundedCache } from "./bounded-cache.ts";

/** Answers that were found so far down a chain may lack what lies beyond the steps that are followed. */
const SURE_STEPS = 4;

/**
 * What names and expressions were found to mean. Answers are kept when they are there, never while they are
 * being worked out: one that needs itself would wait for ever.
 */
export class AnswerCache {
  readonly #answers: BoundedCache<{ readonly value: unknown }>;

  constructor(most: number) {
    this.#answers = new BoundedCache(most);
  }

  /** `key` stands for one kind of answer. */
  async of<T>(key: string, steps: number, find: () => Promise<T>): Promise<T> {
    const known = this.#answers.peek(key);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what was found under the same key
    if (known !== undefined) return known.value as T;
    const value = await find();
    if (steps < SURE_STEPS) this.#answers.get(key, () => ({ value }));
    return value;
  }
}
