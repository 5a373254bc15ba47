import { createHmac, randomBytes } from "node:crypto";

import { untilAborted } from "../base/deadline.ts";
import { SvcError } from "../base/errors.ts";
import { Slots } from "../base/slots.ts";

/** Asks the provider what a key can use. Throws UNAUTHENTICATED for a key that it refuses. */
type Ask = (key: string, signal: AbortSignal) => Promise<readonly string[]>;

interface KeyChecksOptions {
  readonly ask: Ask;
  /** Milliseconds of a clock that is never set back. */
  readonly now?: () => number;
  /** How many keys are remembered; the one checked longest ago is forgotten first. */
  readonly keys?: number;
}

interface Known {
  readonly models: readonly string[];
  readonly until: number;
}

/** How long a key that was accepted is taken for good. */
const KEPT_MS = 5 * 60_000;
/** Questions to the provider at a time, and how long one waits for its turn. */
const AT_A_TIME = 8;
const PATIENCE_MS = 5000;

/**
 * Which keys the provider accepts, and the models they can use. No key is kept: each is known by its
 * HMAC under a secret that ends with the process. Refusals are not remembered: who tries keys is
 * stopped by `mayAsk`, and who mends one is let in.
 */
export class KeyChecks {
  readonly #ask: Ask;
  readonly #now: () => number;
  readonly #keys: number;
  readonly #secret = randomBytes(32);
  readonly #known = new Map<string, Known>();
  readonly #asking = new Map<string, Promise<readonly string[]>>();
  readonly #slots = new Slots(AT_A_TIME);
  readonly #closing = new AbortController();
  /** No key of anybody's. */
  readonly #madeUp = `sk-${randomBytes(24).toString("hex")}`;
  /** Until when it is known that the provider refuses what is made up. */
  #refusesUntil = -Infinity;

  constructor({ ask, now = () => performance.now(), keys = 1000 }: KeyChecksOptions) {
    this.#ask = ask;
    this.#now = now;
    this.#keys = keys;
  }

  /**
   * The models that a key can use. `mayAsk` throws when the provider must not be asked for this client. Throws
   * UNAUTHENTICATED, PROVIDER_ERROR.
   */
  async models(
    key: string,
    signal: AbortSignal,
    mayAsk: () => void = () => {},
  ): Promise<readonly string[]> {
    const id = this.#idOf(key);
    const known = this.#known.get(id);
    if (known !== undefined && known.until > this.#now()) return known.models;
    let asking = this.#asking.get(id);
    if (asking === undefined) {
      // Not with the client's own signal: others may come to wait for the same answer.
      asking = this.#askFor(key, mayAsk).finally(() => this.#asking.delete(id));
      this.#asking.set(id, asking);
    }
    return untilAborted(asking, signal);
  }

  /**
   * Throws UNAUTHENTICATED where the provider accepts a key that was made up: then a key says nothing
   * about who sends it. Looked at again every five minutes. `mayAsk` as for `models`.
   */
  async requireChecked(signal: AbortSignal, mayAsk?: () => void): Promise<void> {
    if (this.#refusesUntil > this.#now()) return;
    try {
      await this.models(this.#madeUp, signal, mayAsk);
    } catch (thrown) {
      if (!(thrown instanceof SvcError) || thrown.code !== "UNAUTHENTICATED") throw thrown;
      this.#refusesUntil = this.#now() + KEPT_MS;
      return;
    }
    throw new SvcError("UNAUTHENTICATED", "The model provider accepts any key, so none lets in.", {
      hint: "Send an access token of svc as Authorization: Bearer TOKEN, and the key as X-Provider-Key.",
    });
  }

  /** After the provider refused it: the next request has it checked. */
  forget(key: string): void {
    this.#known.delete(this.#idOf(key));
  }

  close(): void {
    this.#closing.abort();
  }

  async #askFor(key: string, mayAsk: () => void): Promise<readonly string[]> {
    await this.#takeTurn();
    try {
      // Now, not on arrival: many wrong keys at once have become failures meanwhile.
      mayAsk();
      const models = await this.#ask(key, this.#closing.signal);
      this.#remember(this.#idOf(key), { models, until: this.#now() + KEPT_MS });
      return models;
    } finally {
      this.#slots.release();
    }
  }

  /** Waits, but not for as long as a crowd of strangers would like it to. */
  async #takeTurn(): Promise<void> {
    const late = AbortSignal.timeout(PATIENCE_MS);
    try {
      await this.#slots.take(AbortSignal.any([this.#closing.signal, late]));
    } catch (thrown) {
      if (!late.aborted) throw thrown;
      throw new SvcError("OVERLOADED", "Too many keys wait to be checked at the model provider.", {
        hint: "Try again in a second.",
        retryAfter: 1,
      });
    }
  }

  #remember(id: string, known: Known): void {
    this.#known.delete(id);
    this.#known.set(id, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > this.#keys && oldest !== undefined) this.#known.delete(oldest);
  }

  #idOf(key: string): string {
    return createHmac("sha256", this.#secret).update(key).digest("base64");
  }
}
