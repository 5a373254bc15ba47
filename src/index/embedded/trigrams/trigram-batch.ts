import { KEY_COUNT } from "./trigram-format.ts";
import type { TrigramPool } from "./trigram-pool.ts";

/** Number of entries sorted at once, chosen to fit the caches. */
const CAPACITY = 1 << 20;
/** Fewer entries are added faster without sorting. */
const MIN_SORTED_ENTRIES = 1 << 15;

/**
 * Buffers the entries of many files and adds them to the pool key by key. Added one by one, each would touch
 * two cold cache lines, which takes three times as long as sorting them (a counting sort) and adding them in
 * runs.
 */
export class TrigramBatch {
  readonly #pool: TrigramPool;
  readonly #keys = new Uint32Array(CAPACITY);
  readonly #files = new Uint32Array(CAPACITY);
  readonly #sorted = new Uint32Array(CAPACITY);
  readonly #ends = new Uint32Array(KEY_COUNT);
  /** The keys that occur: a pass over all keys takes longer than a small batch. */
  readonly #distinct = new Uint32Array(CAPACITY);
  #length = 0;

  constructor(pool: TrigramPool) {
    this.#pool = pool;
  }

  /** Adds a file with the first `count` of `keys`, which are distinct. Files must come in ascending order. */
  add(file: number, keys: Int32Array, count: number): void {
    for (let from = 0; from < count;) {
      if (this.#length === CAPACITY) this.flush();
      const to = Math.min(count, from + CAPACITY - this.#length);
      this.#keys.set(keys.subarray(from, to), this.#length);
      this.#files.fill(file, this.#length, this.#length + to - from);
      this.#length += to - from;
      from = to;
    }
  }

  /** Adds the buffered entries to the pool. */
  flush(): void {
    if (this.#length < MIN_SORTED_ENTRIES) this.#addEach();
    else this.#addSorted();
    this.#length = 0;
  }

  /** Drops the buffered entries. */
  clear(): void {
    this.#length = 0;
  }

  #addEach(): void {
    for (let at = 0; at < this.#length; at += 1) {
      this.#pool.add(this.#keys[at] ?? 0, this.#files, at, at + 1);
    }
  }

  #addSorted(): void {
    const ends = this.#ends;
    const keys = this.#keys;
    const distinct = this.#distinct;
    let count = 0;
    for (let at = 0; at < this.#length; at += 1) {
      const key = keys[at] ?? 0;
      const entries = ends[key] ?? 0;
      if (entries === 0) distinct[count++] = key;
      ends[key] = entries + 1;
    }
    const ascending = distinct.subarray(0, count).toSorted();
    let sum = 0;
    for (let at = 0; at < count; at += 1) {
      const key = ascending[at] ?? 0;
      const entries = ends[key] ?? 0;
      ends[key] = sum;
      sum += entries;
    }
    for (let at = 0; at < this.#length; at += 1) {
      const key = keys[at] ?? 0;
      const to = ends[key] ?? 0;
      this.#sorted[to] = this.#files[at] ?? 0;
      ends[key] = to + 1;
    }
    let start = 0;
    for (let at = 0; at < count; at += 1) {
      const key = ascending[at] ?? 0;
      const end = ends[key] ?? 0;
      this.#pool.add(key, this.#sorted, start, end);
      ends[key] = 0;
      start = end;
    }
  }
}
