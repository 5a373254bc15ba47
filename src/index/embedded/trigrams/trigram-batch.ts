import { KEY_COUNT } from "./trigram-format.ts";
import type { TrigramPool } from "./trigram-pool.ts";

/** Number of entries sorted at once, chosen to fit the caches. */
const CAPACITY = 1 << 20;
/** Fewer entries are added faster without sorting. */
const MIN_SORTED_ENTRIES = 1 << 15;

/** Sorts up to `CAPACITY` entries by key: a counting sort. */
class EntrySorter {
  readonly #sorted = new Uint32Array(CAPACITY);
  /** Zero between calls. */
  readonly #ends = new Uint32Array(KEY_COUNT);
  /** The keys that occur: a pass over all keys takes longer than a small batch. */
  readonly #distinct = new Uint32Array(CAPACITY);

  /**
   * Visits each key in order, with its files in theirs: those of `files` from `from` up to, not including, `to`.
   */
  // oxlint-disable-next-line max-params -- parallel arrays, as the batch holds them
  eachKey(
    keys: Uint32Array,
    files: Uint32Array,
    length: number,
    visit: (key: number, files: Uint32Array, from: number, to: number) => void,
  ): void {
    const ascending = this.#countKeys(keys, length);
    const ends = this.#ends;
    for (let at = 0; at < length; at += 1) {
      const key = keys[at] ?? 0;
      const to = ends[key] ?? 0;
      this.#sorted[to] = files[at] ?? 0;
      ends[key] = to + 1;
    }
    let start = 0;
    for (const key of ascending) {
      const end = ends[key] ?? 0;
      visit(key, this.#sorted, start, end);
      ends[key] = 0;
      start = end;
    }
  }

  /** Returns the keys in order; where the files of each begin is then in `#ends`. */
  #countKeys(keys: Uint32Array, length: number): Uint32Array {
    const ends = this.#ends;
    const distinct = this.#distinct;
    let count = 0;
    for (let at = 0; at < length; at += 1) {
      const key = keys[at] ?? 0;
      const entries = ends[key] ?? 0;
      if (entries === 0) distinct[count++] = key;
      ends[key] = entries + 1;
    }
    const ascending = distinct.subarray(0, count).toSorted();
    let sum = 0;
    for (const key of ascending) {
      const entries = ends[key] ?? 0;
      ends[key] = sum;
      sum += entries;
    }
    return ascending;
  }
}

/**
 * Buffers the entries of many files and adds them to the pool key by key. Added one by one, each would touch
 * two cold cache lines, which takes three times as long as sorting them (a counting sort) and adding them in
 * runs.
 */
export class TrigramBatch {
  readonly #pool: TrigramPool;
  // Small at first: a saved file fills a hundredth of the capacity, and V8 collects garbage early where much memory
  // is in use.
  #keys = new Uint32Array(MIN_SORTED_ENTRIES);
  #files = new Uint32Array(MIN_SORTED_ENTRIES);
  #sorter: EntrySorter | undefined;
  #length = 0;

  constructor(pool: TrigramPool) {
    this.#pool = pool;
  }

  /** Adds a file with the first `count` of `keys`, which are distinct. Files must come in ascending order. */
  add(file: number, keys: Int32Array, count: number): void {
    for (let from = 0; from < count;) {
      if (this.#length === CAPACITY) this.flush();
      this.#reserve(Math.min(CAPACITY, this.#length + count - from));
      const to = Math.min(count, from + CAPACITY - this.#length);
      this.#keys.set(keys.subarray(from, to), this.#length);
      this.#files.fill(file, this.#length, this.#length + to - from);
      this.#length += to - from;
      from = to;
    }
  }

  #reserve(entries: number): void {
    if (entries <= this.#keys.length) return;
    const capacity = Math.min(CAPACITY, Math.max(entries, this.#keys.length * 2));
    this.#keys = grown(this.#keys, capacity);
    this.#files = grown(this.#files, capacity);
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
    this.#sorter ??= new EntrySorter();
    this.#sorter.eachKey(this.#keys, this.#files, this.#length, (key, files, from, to) =>
      this.#pool.add(key, files, from, to),
    );
  }
}

function grown(array: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(length);
  longer.set(array);
  return longer;
}
