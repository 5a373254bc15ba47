import { errorRow, type SvcError, toSvcError } from "../base/errors.ts";
import type { Principal } from "../sources/principal.ts";

interface RightsWatcherOptions {
  /** Returns a number that changes when any process changes a credential; undefined without a store. Cheap. */
  readonly revision: () => Promise<number | undefined>;
  /** Polling interval in milliseconds while any credential is watched; 1000 by default. */
  readonly intervalMs?: number;
}

/** A credential to watch, and the callbacks. */
export interface WatchedCredential {
  /** Verifies the credential again, without recording a use. */
  readonly verify: () => Promise<Principal & { readonly expiresAt?: number | undefined }>;
  /** Called with the current rights, which may be unchanged. */
  readonly onVerified: (principal: Principal) => void;
  /** Called when the credential is no longer accepted. */
  readonly onRefused?: (error: SvcError) => void;
}

interface Entry extends WatchedCredential {
  /** Time of the next check in milliseconds since 1970. */
  dueAt: number;
  isVerifying: boolean;
}

const INTERVAL_MS = 1000;
const UNAUTHORIZED = 401;

/**
 * Notices that a credential got other rights, was revoked or has expired while its owner only listens. One timer
 * serves all credentials. While the store is unchanged, a check costs one read of its revision, however many are
 * watched.
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

  /** Starts watching. Call the returned function to stop. */
  add(watched: WatchedCredential): () => void {
    // Due at once: the store may have changed since the owner was authenticated.
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
    // An unreadable revision counts as a change: verifying the credential then reports the error.
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
    // A change of the store in the meantime sets it back to 0.
    entry.dueAt = Infinity;
    try {
      const principal = await entry.verify();
      entry.dueAt = Math.min(entry.dueAt, principal.expiresAt ?? Infinity);
      if (this.#entries.has(entry)) entry.onVerified(principal);
    } catch (thrown) {
      const error = toSvcError(thrown);
      // A refused credential stays refused until the store changes. A store that failed may work the next time.
      if (errorRow(error).http !== UNAUTHORIZED) entry.dueAt = 0;
      if (this.#entries.has(entry)) entry.onRefused?.(error);
    } finally {
      entry.isVerifying = false;
    }
  }
}
