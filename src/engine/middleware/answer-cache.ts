// Cache of answers. An entry is valid while the index and the files that its query read are unchanged.

import type { ReadDependencies } from "./read-dependencies.ts";

/** Interface, section 8. */
const MAX_AGE_MS = 5 * 60_000;
const MAX_BYTES = 16 * 2 ** 20;
/** How often expired entries are removed, so that an idle server keeps none in memory. */
const SWEEP_MS = 60_000;
/** Maximum share of the cache for one entry. */
const MAX_ENTRY_SHARE = 1 / 8;
/** Memory of an entry without its key, its JSON and its dependencies. */
const ENTRY_BYTES = 500;

export interface AnswerCacheOptions {
  /** Milliseconds that never go back; `performance.now` by default. */
  readonly clock?: (() => number) | undefined;
  readonly maxBytes?: number | undefined;
}

interface CacheEntry {
  /** Version of the index. */
  readonly version: string;
  readonly dependencies: ReadDependencies;
  /**
   * The answer as JSON. Its texts are often slices of whole files, which would stay in memory with them. Each
   * caller also gets a copy, which it may change.
   */
  readonly json: string;
  readonly expiresAt: number;
  readonly bytes: number;
}

export class AnswerCache {
  readonly #clock: () => number;
  readonly #maxBytes: number;
  /** In order of use, the most recent last. */
  readonly #entries = new Map<string, CacheEntry>();
  #bytes = 0;
  #sweep: NodeJS.Timeout | undefined;

  constructor({ clock, maxBytes = MAX_BYTES }: AnswerCacheOptions = {}) {
    this.#clock = clock ?? ((): number => performance.now());
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The answer for `key`. Undefined when there is none, it has expired, or `isValid` rejects its dependencies. */
  async get(
    key: string,
    version: string,
    isValid: (dependencies: ReadDependencies) => Promise<boolean>,
  ): Promise<unknown> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const isCurrent = entry.version === version && entry.expiresAt > this.#clock();
    if (!isCurrent || !(await isValid(entry.dependencies))) {
      // Another call may have replaced it meanwhile.
      if (this.#entries.get(key) === entry) this.#remove(key);
      return undefined;
    }
    if (this.#entries.get(key) === entry) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
    return JSON.parse(entry.json);
  }

  /** Replaces the entry of `key`. Returns false when the answer is not cacheable or too large. */
  set(key: string, version: string, { answer, dependencies }: CacheableAnswer): boolean {
    this.#remove(key);
    if (!dependencies.isCacheable) return false;
    const json = JSON.stringify(answer);
    const bytes = 2 * (key.length + json.length) + dependencies.bytes + ENTRY_BYTES;
    if (bytes > this.#maxBytes * MAX_ENTRY_SHARE) return false;
    const expiresAt = this.#clock() + MAX_AGE_MS;
    this.#entries.set(key, { version, dependencies, json, expiresAt, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#remove(oldest);
    }
    this.#sweep ??= setTimeout(() => this.#removeExpired(), SWEEP_MS).unref();
    return true;
  }

  clear(): void {
    clearTimeout(this.#sweep);
    this.#sweep = undefined;
    this.#entries.clear();
    this.#bytes = 0;
  }

  #removeExpired(): void {
    this.#sweep = undefined;
    const now = this.#clock();
    for (const [key, { expiresAt }] of this.#entries) if (expiresAt <= now) this.#remove(key);
    if (this.#entries.size > 0) {
      this.#sweep = setTimeout(() => this.#removeExpired(), SWEEP_MS).unref();
    }
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }
}

interface CacheableAnswer {
  readonly answer: object;
  readonly dependencies: ReadDependencies;
}
