// Answers that are given again while nothing they rest on has changed.

import type { Grounds } from "./grounds.ts";

/** Interface, section 8. */
const LIFETIME_MS = 5 * 60_000;
const MOST_BYTES = 16 * 2 ** 20;
/** How often those that are too old are let go, so that a server that nobody asks anything holds none. */
const SWEEP_MS = 60_000;
/** No single answer takes the room of all others. */
const MOST_OF_ONE = 1 / 8;
/** What an entry takes beside its texts and files. */
const ENTRY_BYTES = 500;

export interface KeptAnswersOptions {
  /** Milliseconds that never go back; `performance.now` by default. */
  readonly clock?: (() => number) | undefined;
  readonly mostBytes?: number | undefined;
}

interface Entry {
  /** Of the index. */
  readonly version: string;
  readonly grounds: Grounds;
  /**
   * JSON: the texts of an answer are often parts of whole files, which would be kept in memory with them; and
   * whoever gets an answer again may do with it as he likes.
   */
  readonly json: string;
  readonly until: number;
  readonly bytes: number;
}

export class KeptAnswers {
  readonly #clock: () => number;
  readonly #mostBytes: number;
  /** The one that was used last comes last. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;
  #sweep: NodeJS.Timeout | undefined;

  constructor({ clock, mostBytes = MOST_BYTES }: KeptAnswersOptions = {}) {
    this.#clock = clock ?? ((): number => performance.now());
    this.#mostBytes = mostBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** `holds` says whether the files are as they were. Undefined where there is none, or not any more. */
  find(key: string, version: string, holds: (grounds: Grounds) => boolean): unknown {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (entry.version !== version || entry.until <= this.#clock() || !holds(entry.grounds)) {
      this.#bytes -= entry.bytes;
      return undefined;
    }
    this.#entries.set(key, entry);
    return JSON.parse(entry.json);
  }

  /** In place of what was kept for the question. False for an answer that cannot be given again, or is too large. */
  keep(key: string, version: string, { answer, grounds }: Kept): boolean {
    this.#remove(key);
    if (!grounds.isFirm) return false;
    const json = JSON.stringify(answer);
    const bytes = 2 * (key.length + json.length) + grounds.bytes + ENTRY_BYTES;
    if (bytes > this.#mostBytes * MOST_OF_ONE) return false;
    const until = this.#clock() + LIFETIME_MS;
    this.#entries.set(key, { version, grounds, json, until, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#mostBytes) break;
      this.#remove(oldest);
    }
    this.#sweep ??= setTimeout(() => this.#removeOld(), SWEEP_MS).unref();
    return true;
  }

  clear(): void {
    clearTimeout(this.#sweep);
    this.#sweep = undefined;
    this.#entries.clear();
    this.#bytes = 0;
  }

  #removeOld(): void {
    this.#sweep = undefined;
    const now = this.#clock();
    for (const [key, { until }] of this.#entries) if (until <= now) this.#remove(key);
    if (this.#entries.size > 0) {
      this.#sweep = setTimeout(() => this.#removeOld(), SWEEP_MS).unref();
    }
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }
}

interface Kept {
  readonly answer: object;
  readonly grounds: Grounds;
}
