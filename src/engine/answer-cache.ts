// Answers that are given again while nothing they rest on has changed.

import type { ReadDependencies } from "./read-dependencies.ts";

/** Interface, section 8. */
const MAX_AGE_MS = 5 * 60_000;
const MAX_BYTES = 16 * 2 ** 20;
/** How often those that are too old are let go, so that a server that nobody asks anything holds none. */
const SWEEP_MS = 60_000;
/** No single answer takes the room of all others. */
const MAX_ENTRY_SHARE = 1 / 8;
/** What an entry takes beside its texts and files. */
const ENTRY_BYTES = 500;

export interface AnswerCacheOptions {
  /** Milliseconds that never go back; `performance.now` by default. */
  readonly clock?: (() => number) | undefined;
  readonly maxBytes?: number | undefined;
}

interface CacheEntry {
  /** Of the index. */
  readonly version: string;
  readonly dependencies: ReadDependencies;
  /**
   * JSON: the texts of an answer are often parts of whole files, which would be kept in memory with them; and
   * whoever gets an answer again may do with it as he likes.
   */
  readonly json: string;
  readonly expiresAt: number;
  readonly bytes: number;
}

export class AnswerCache {
  readonly #clock: () => number;
  readonly #maxBytes: number;
  /** The one that was used last comes last. */
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

  /** `isValid` says whether the files are as they were. Undefined where there is none, or not any more. */
  get(key: string, version: string, isValid: (dependencies: ReadDependencies) => boolean): unknown {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (
      entry.version !== version ||
      entry.expiresAt <= this.#clock() ||
      !isValid(entry.dependencies)
    ) {
      this.#bytes -= entry.bytes;
      return undefined;
    }
    this.#entries.set(key, entry);
    return JSON.parse(entry.json);
  }

  /** In place of what was kept for the question. False for an answer that cannot be given again, or is too large. */
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
