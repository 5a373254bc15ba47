// A model provider with an API like OpenAI's, at one address that the operator chose.
import { SvcError } from "../base/errors.ts";
import { readBaseUrl } from "./base-url.ts";
import { KeyChecks } from "./key-checks.ts";
import { onlyModel, readModels } from "./models.ts";
import { readOrder } from "./rerank-answer.ts";
import { rerankMessages } from "./rerank-prompt.ts";
import { failed, Wire, within } from "./wire.ts";

export interface ProviderOptions {
  /** An origin, or an origin with a path. */
  readonly url: string;
  /** Which model ranks; the only one there is by default. */
  readonly model?: string | undefined;
  /** Milliseconds of a clock that is never set back, by which checks of keys grow old. */
  readonly now?: () => number;
  readonly checkTimeoutMs?: number;
  readonly rerankTimeoutMs?: number;
}

/** A passage to be ranked. */
export interface Candidate {
  readonly path: string;
  /** "" where there is none. */
  readonly symbol: string;
  readonly text: string;
}

interface RerankRequest {
  readonly query: string;
  /** In the order they have now. */
  readonly candidates: readonly Candidate[];
  readonly signal: AbortSignal;
}

const CHECK_MS = 5000;
/** A call has 30 s; a search that has to build its index first takes 20 of them at most. */
const RERANK_MS = 8000;
/** At the same time, of the 64 calls a server works on: one that is slow must not hold up all others. */
const RANKINGS = 32;
/** Some gateways list hundreds of models with their prices. */
const MODELS_BYTES = 4 * 1024 * 1024;
/** An order takes a few hundred bytes, what a model thinks aloud before it far more. */
const ORDER_BYTES = 256 * 1024;

export class Provider {
  readonly #wire: Wire;
  readonly #checks: KeyChecks;
  readonly #model: string | undefined;
  readonly #rerankTimeoutMs: number;
  #rankings = 0;

  /** Throws USAGE for an address that cannot be used. Nothing is connected to. */
  constructor({ url, model, now, checkTimeoutMs, rerankTimeoutMs }: ProviderOptions) {
    this.#wire = new Wire(readBaseUrl(url));
    this.#model = model;
    this.#rerankTimeoutMs = rerankTimeoutMs ?? RERANK_MS;
    this.#checks = new KeyChecks({
      ask: (key, closing) =>
        within(checkTimeoutMs ?? CHECK_MS, closing, async (signal) => {
          const request = { path: "/models", key, signal, maxBytes: MODELS_BYTES };
          return readModels(await this.#wire.send(request));
        }),
      ...(now === undefined ? {} : { now }),
    });
  }

  /**
   * Resolves when the provider vouches for the key, and would not for any other. `mayAsk` throws when this client
   * may not have the provider asked. Throws UNAUTHENTICATED, PROVIDER_ERROR.
   */
  async requireKey(key: string, signal: AbortSignal, mayAsk: () => void): Promise<void> {
    await this.#checks.requireChecked(signal, mayAsk);
    await this.#checks.models(key, signal, mayAsk);
  }

  /** Places of the candidates, the best first, as the model has them; those it is silent about are missing. */
  async rerank(key: string, request: RerankRequest): Promise<readonly number[]> {
    if (this.#rankings === RANKINGS) throw failed("is at work on as many rankings as it gets");
    this.#rankings += 1;
    try {
      return await within(this.#rerankTimeoutMs, request.signal, (signal) =>
        this.#orderOf(key, { ...request, signal }),
      );
    } catch (thrown) {
      if (thrown instanceof SvcError && thrown.code === "UNAUTHENTICATED") this.#checks.forget(key);
      throw thrown;
    } finally {
      this.#rankings -= 1;
    }
  }

  async #orderOf(
    key: string,
    { query, candidates, signal }: RerankRequest,
  ): Promise<readonly number[]> {
    const model = this.#model ?? onlyModel(await this.#checks.models(key, signal));
    const body = { model, messages: rerankMessages(query, candidates), stream: false };
    const request = { path: "/chat/completions", key, body, signal, maxBytes: ORDER_BYTES };
    return readOrder(await this.#wire.send(request), candidates.length);
  }

  async close(): Promise<void> {
    this.#checks.close();
    await this.#wire.close();
  }
}
