import { errorRow, type SvcError, toSvcError } from "../base/errors.ts";
import type { Principal } from "../sources/principal.ts";

interface RightsWatcherOptions {
  /** Another number when any credential was changed, by whichever process; undefined without a store. Cheap. */
  readonly revision: () => Promise<number | undefined>;
  /** How often it is asked for while somebody is watched. */
  readonly intervalMs?: number;
}

export interface WatchedCredential {
  /** Verifies the credential anew, without noting a use of it. */
  readonly verify: () => Promise<Principal & { readonly expiresAt?: number | undefined }>;
  /** Told of the rights that hold now, which may be those that held before. */
  readonly onVerified: (principal: Principal) => void;
  /** Told that the credential no longer lets its owner in. */
  readonly onRefused?: (error: SvcError) => void;
}

interface Entry extends WatchedCredential {
  /** Milliseconds since 1970. */
  dueAt: number;
  isVerifying: boolean;
}

const INTERVAL_MS = 1000;
const UNAUTHORIZED = 401;

/**
 * Notices that a credential has other rights, was revoked or has expired while its owner only listens.
 * One timer serves all; while the store is as it was, a look costs one reading of its revision, however
 * many are watched.
 */
export class RightsWatcher {
  readonly #options: RightsWatcherOptions;
  readonly #entries = new Set<Entry>();
  #timer: NodeJS.Timeout | undefined;
  #isChecking = false;
  #revision: number | undefined;

  constructor(options: RightsWatcherOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Until what is returned is called. */
  add(watched: WatchedCredential): () => void {
    // Due at once: the store may have changed since the owner was let in.
    const entry = { ...watched, dueAt: 0, isVerifying: false };
    this.#entries.add(entry);
    const { intervalMs = INTERVAL_MS } = this.#options;
    this.#timer ??= setInterval(() => void this.#check(), intervalMs).unref();
    return () => {
      this.#entries.delete(entry);
      if (this.#entries.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const revision = await this.#options.revision().catch(() => undefined);
    this.#isChecking = false;
    // What cannot be told counts as a change: whoever asks then is told what is wrong.
    const isSame = revision !== undefined && revision === this.#revision;
    this.#revision = revision;
    const now = Date.now();
    for (const entry of this.#entries) {
      if (!isSame) entry.dueAt = 0;
      if (entry.dueAt <= now && !entry.isVerifying) void this.#verify(entry);
    }
  }

  async #verify(entry: Entry): Promise<void> {
    entry.isVerifying = true;
    // A change in the meantime sets it back to 0.
    entry.dueAt = Infinity;
    try {
      const principal = await entry.verify();
      entry.dueAt = Math.min(entry.dueAt, principal.expiresAt ?? Infinity);
      if (this.#entries.has(entry)) entry.onVerified(principal);
    } catch (thrown) {
      const error = toSvcError(thrown);
      // Who is refused stays so until the store changes; a store that fails may work the next time.
      if (errorRow(error).http !== UNAUTHORIZED) entry.dueAt = 0;
      if (this.#entries.has(entry)) entry.onRefused?.(error);
    } finally {
      entry.isVerifying = false;
    }
  }
}
