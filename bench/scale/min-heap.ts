/** Values in the order of their keys; values with equal keys come in the order in which they were added. */
export class MinHeap<Value> {
  readonly #entries: Entry<Value>[] = [];
  #added = 0;

  get size(): number {
    return this.#entries.length;
  }

  /** Undefined if the heap is empty. */
  get minKey(): number | undefined {
    return this.#entries[0]?.key;
  }

  add(key: number, value: Value): void {
    const entry = { key, order: (this.#added += 1), value };
    const entries = this.#entries;
    let at = entries.length;
    entries.push(entry);
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = entries[above];
      if (parent === undefined || !isBefore(entry, parent)) break;
      entries[at] = parent;
      at = above;
    }
    entries[at] = entry;
  }

  /** Removes and returns the value with the smallest key; undefined if the heap is empty. */
  take(): Value | undefined {
    const [first] = this.#entries;
    const last = this.#entries.pop();
    if (first === undefined || last === undefined) return undefined;
    if (this.#entries.length > 0) this.#sink(last);
    return first.value;
  }

  /** Replaces the first entry. */
  #sink(entry: Entry<Value>): void {
    const entries = this.#entries;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const [one, other] = [entries[left], entries[left + 1]];
      if (one === undefined) break;
      const isOther = other !== undefined && isBefore(other, one);
      const smaller = isOther ? other : one;
      if (!isBefore(smaller, entry)) break;
      entries[at] = smaller;
      at = isOther ? left + 1 : left;
    }
    entries[at] = entry;
  }
}

interface Entry<Value> {
  readonly key: number;
  readonly order: number;
  readonly value: Value;
}

function isBefore<Value>(one: Entry<Value>, other: Entry<Value>): boolean {
  return one.key < other.key || (one.key === other.key && one.order < other.order);
}
