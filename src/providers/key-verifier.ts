import { createHmac, randomBytes } from "node:crypto";

import { untilAborted } from "../base/deadline.ts";
import { SvcError } from "../base/errors.ts";
import { Semaphore } from "../base/semaphore.ts";

/** Asks the provider what a key can use. Throws UNAUTHENTICATED for a key that it refuses. */
type ListModels = (key: string, signal: AbortSignal) => Promise<readonly string[]>;

interface KeyVerifierOptions {
  readonly listModels: ListModels;
  /** Milliseconds of a clock that is never set back. */
  readonly now?: () => number;
  /** How many keys are remembered; the one checked longest ago is forgotten first. */
  readonly maxKeys?: number;
}

interface CheckedKey {
  readonly models: readonly string[];
  readonly expiresAt: number;
}

/** How long a key that was accepted is taken for good. */
const CACHE_TTL_MS = 5 * 60_000;
/** Questions to the provider at a time, and how long one waits for its turn. */
const MAX_CONCURRENT_CHECKS = 8;
const QUEUE_TIMEOUT_MS = 5000;

/**
 * Which keys the provider accepts, and the models they can use. No key is kept: each is known by its
 * HMAC under a secret that ends with the process. Refusals are not remembered: who tries keys is
 * stopped by `requireAllowed`, and who mends one is let in.
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
  /** No key of anybody's. */
  readonly #invalidKey = `sk-${randomBytes(24).toString("hex")}`;
  /** Until when it is known that the provider refuses what is made up. */
  #rejectsInvalidUntil = -Infinity;

  constructor({ listModels, now = () => performance.now(), maxKeys = 1000 }: KeyVerifierOptions) {
    this.#listModels = listModels;
    this.#now = now;
    this.#maxKeys = maxKeys;
  }

  /**
   * The models that a key can use. `requireAllowed` throws when the provider must not be asked for this client. Throws
   * UNAUTHENTICATED, PROVIDER_ERROR.
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
      // Not with the client's own signal: others may come to wait for the same answer.
      pending = this.#fetchModels(key, requireAllowed).finally(() => this.#pending.delete(id));
      this.#pending.set(id, pending);
    }
    return untilAborted(pending, signal);
  }

  /**
   * Throws UNAUTHENTICATED where the provider accepts a key that was made up: then a key says nothing
   * about who sends it. Looked at again every five minutes. `requireAllowed` as for `models`.
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
    throw new SvcError("UNAUTHENTICATED", "The model provider accepts any key, so none lets in.", {
      hint: "Send an access token of svc as Authorization: Bearer TOKEN, and the key as X-Provider-Key.",
    });
  }

  /** After the provider refused it: the next request has it checked. */
  forget(key: string): void {
    this.#checked.delete(this.#idOf(key));
  }

  close(): void {
    this.#closing.abort();
  }

  async #fetchModels(key: string, requireAllowed: () => void): Promise<readonly string[]> {
    await this.#acquireSlot();
    try {
      // Now, not on arrival: many wrong keys at once have become failures meanwhile.
      requireAllowed();
      const models = await this.#listModels(key, this.#closing.signal);
      this.#remember(this.#idOf(key), { models, expiresAt: this.#now() + CACHE_TTL_MS });
      return models;
    } finally {
      this.#semaphore.release();
    }
  }

  /** Waits, but not for as long as a crowd of strangers would like it to. */
  async #acquireSlot(): Promise<void> {
    const late = AbortSignal.timeout(QUEUE_TIMEOUT_MS);
    try {
      await this.#semaphore.acquire(AbortSignal.any([this.#closing.signal, late]));
    } catch (thrown) {
      if (!late.aborted) throw thrown;
      throw new SvcError("OVERLOADED", "Too many keys wait to be checked at the model provider.", {
        hint: "Try again in a second.",
        retryAfter: 1,
      });
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
