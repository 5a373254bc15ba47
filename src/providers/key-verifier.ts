import { createHmac, randomBytes } from "node:crypto";

import { untilAborted } from "../base/deadline.ts";
import { SvcError } from "../base/errors.ts";
import { Semaphore } from "../base/semaphore.ts";

/**
 * Returns the models that a key can use, as the provider lists them. Throws UNAUTHENTICATED when it refuses the
 * key.
 */
type ListModels = (key: string, signal: AbortSignal) => Promise<readonly string[]>;

interface KeyVerifierOptions {
  readonly listModels: ListModels;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
  /** Maximum number of keys remembered; 1000 by default. The key checked longest ago is forgotten first. */
  readonly maxKeys?: number;
}

interface CheckedKey {
  readonly models: readonly string[];
  readonly expiresAt: number;
}

/** How long an accepted key is accepted without asking the provider again. */
const CACHE_TTL_MS = 5 * 60_000;
/** Maximum number of concurrent requests to the provider, and how long a check waits for its turn. */
const MAX_CONCURRENT_CHECKS = 8;
const QUEUE_TIMEOUT_MS = 5000;

/**
 * Caches which keys the provider accepts, and their models. No key is kept: each is identified by its HMAC under a
 * secret of this process. Refusals are not cached: `requireAllowed` stops clients that guess keys, and a corrected
 * key works at once.
 */
export class KeyVerifier {
  readonly #listModels: ListModels;
  readonly #now: () => number;
  readonly #maxKeys: number;
  readonly #secret = randomBytes(32);
  readonly #checked = new Map<string, CheckedKey>();
  readonly #pending = new Map<string, Promise<readonly string[]>>();
  readonly #semaphore = new Semaphore(MAX_CONCURRENT_CHECKS);
  readonly #closing = new AbortController();
  /** A random key that belongs to nobody. */
  readonly #invalidKey = `sk-${randomBytes(24).toString("hex")}`;
  /** Until this time the provider is known to refuse invalid keys. */
  #rejectsInvalidUntil = -Infinity;

  constructor({ listModels, now = () => performance.now(), maxKeys = 1000 }: KeyVerifierOptions) {
    this.#listModels = listModels;
    this.#now = now;
    this.#maxKeys = maxKeys;
  }

  /**
   * Returns the models that a key can use. `requireAllowed` throws when the provider must not be asked for this
   * client. Throws UNAUTHENTICATED and PROVIDER_ERROR.
   */
  async models(
    key: string,
    signal: AbortSignal,
    requireAllowed: () => void = () => {},
  ): Promise<readonly string[]> {
    const id = this.#idOf(key);
    const known = this.#checked.get(id);
    if (known !== undefined && known.expiresAt > this.#now()) return known.models;
    let pending = this.#pending.get(id);
    if (pending === undefined) {
      // Not with the client's own signal: other clients may wait for the same result.
      pending = this.#fetchModels(key, requireAllowed).finally(() => this.#pending.delete(id));
      this.#pending.set(id, pending);
    }
    return untilAborted(pending, signal);
  }

  /**
   * Throws UNAUTHENTICATED when the provider accepts an invalid key: then a key proves nothing about its sender.
   * Checked again every five minutes. `requireAllowed` as for `models`.
   */
  async requireRejectsInvalid(signal: AbortSignal, requireAllowed?: () => void): Promise<void> {
    if (this.#rejectsInvalidUntil > this.#now()) return;
    try {
      await this.models(this.#invalidKey, signal, requireAllowed);
    } catch (thrown) {
      if (!(thrown instanceof SvcError) || thrown.code !== "UNAUTHENTICATED") throw thrown;
      this.#rejectsInvalidUntil = this.#now() + CACHE_TTL_MS;
      return;
    }
    throw new SvcError(
      "UNAUTHENTICATED",
      "The model provider accepts any key, so a key proves nothing.",
      {
        hint: "Send an access token of svc as Authorization: Bearer TOKEN, and the key as X-Provider-Key.",
      },
    );
  }

  /** Call it after the provider refused the key: the next request checks it again. */
  forget(key: string): void {
    this.#checked.delete(this.#idOf(key));
  }

  close(): void {
    this.#closing.abort();
  }

  async #fetchModels(key: string, requireAllowed: () => void): Promise<readonly string[]> {
    await this.#acquireSlot();
    try {
      // Checked now, not on arrival: meanwhile other wrong keys of this client may have failed.
      requireAllowed();
      const models = await this.#listModels(key, this.#closing.signal);
      this.#remember(this.#idOf(key), { models, expiresAt: this.#now() + CACHE_TTL_MS });
      return models;
    } finally {
      this.#semaphore.release();
    }
  }

  /** Waits for a slot, but only for a limited time, even if many strangers send keys. */
  async #acquireSlot(): Promise<void> {
    const late = AbortSignal.timeout(QUEUE_TIMEOUT_MS);
    try {
      await this.#semaphore.acquire(AbortSignal.any([this.#closing.signal, late]));
    } catch (thrown) {
      if (!late.aborted) throw thrown;
      throw new SvcError(
        "OVERLOADED",
        "Too many keys are waiting to be checked by the model provider.",
        {
          hint: "Try again in a second.",
          retryAfter: 1,
        },
      );
    }
  }

  #remember(id: string, known: CheckedKey): void {
    this.#checked.delete(id);
    this.#checked.set(id, known);
    const [oldest] = this.#checked.keys();
    if (this.#checked.size > this.#maxKeys && oldest !== undefined) this.#checked.delete(oldest);
  }

  #idOf(key: string): string {
    return createHmac("sha256", this.#secret).update(key).digest("base64");
  }
}
