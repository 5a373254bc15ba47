import { errorRow, type SvcError, toSvcError } from "../base/errors.ts";
import type { Caller } from "../sources/caller.ts";

interface RightsWatchOptions {
  /** Another number when any credential was changed, by whichever process; undefined without a store. Cheap. */
  readonly revision: () => Promise<number | undefined>;
  /** How often it is asked for while somebody is watched. */
  readonly intervalMs?: number;
}

export interface Watched {
  /** Verifies the credential anew, without noting a use of it. */
  readonly verify: () => Promise<Caller & { readonly expiresAt?: number | undefined }>;
  /** Told of the rights that hold now, which may be those that held before. */
  readonly onVerified: (caller: Caller) => void;
  /** Told that the credential no longer lets its owner in. */
  readonly onRefused?: (error: SvcError) => void;
}

interface Entry extends Watched {
  /** Milliseconds since 1970. */
  dueAt: number;
  isAsked: boolean;
}

const INTERVAL_MS = 1000;
const UNAUTHORIZED = 401;

/**
 * Notices that a credential has other rights, was revoked or has expired while its owner only listens.
 * One timer serves all; while the store is as it was, a look costs one reading of its revision, however
 * many are watched.
 */
export class RightsWatch {
  readonly #options: RightsWatchOptions;
  readonly #entries = new Set<Entry>();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #revision: number | undefined;

  constructor(options: RightsWatchOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Until what is returned is called. */
  add(watched: Watched): () => void {
    // Due at once: the store may have changed since the owner was let in.
    const entry = { ...watched, dueAt: 0, isAsked: false };
    this.#entries.add(entry);
    const { intervalMs = INTERVAL_MS } = this.#options;
    this.#timer ??= setInterval(() => void this.#look(), intervalMs).unref();
    return () => {
      this.#entries.delete(entry);
      if (this.#entries.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const revision = await this.#options.revision().catch(() => undefined);
    this.#isLooking = false;
    // What cannot be told counts as a change: whoever asks then is told what is wrong.
    const isSame = revision !== undefined && revision === this.#revision;
    this.#revision = revision;
    const now = Date.now();
    for (const entry of this.#entries) {
      if (!isSame) entry.dueAt = 0;
      if (entry.dueAt <= now && !entry.isAsked) void this.#ask(entry);
    }
  }

  async #ask(entry: Entry): Promise<void> {
    entry.isAsked = true;
    // A change in the meantime sets it back to 0.
    entry.dueAt = Infinity;
    try {
      const caller = await entry.verify();
      entry.dueAt = Math.min(entry.dueAt, caller.expiresAt ?? Infinity);
      if (this.#entries.has(entry)) entry.onVerified(caller);
    } catch (thrown) {
      const error = toSvcError(thrown);
      // Who is refused stays so until the store changes; a store that fails may work the next time.
      if (errorRow(error).http !== UNAUTHORIZED) entry.dueAt = 0;
      if (this.#entries.has(entry)) entry.onRefused?.(error);
    } finally {
      entry.isAsked = false;
    }
  }
}
