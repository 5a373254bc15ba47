// A model provider with an API like OpenAI's, at one address that the operator chose.
import { SvcError } from "../base/errors.ts";
import { parseBaseUrl } from "./base-url.ts";
import { KeyVerifier } from "./key-verifier.ts";
import { onlyModel, parseModels } from "./models.ts";
import { parseOrder } from "./rerank-response.ts";
import { rerankMessages } from "./rerank-prompt.ts";
import { providerError, ProviderClient, withTimeout } from "./provider-client.ts";

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
export interface RerankCandidate {
  readonly path: string;
  /** "" where there is none. */
  readonly symbol: string;
  readonly text: string;
}

interface RerankRequest {
  readonly query: string;
  /** In the order they have now. */
  readonly candidates: readonly RerankCandidate[];
  readonly signal: AbortSignal;
}

const CHECK_TIMEOUT_MS = 5000;
/** A call has 30 s; a search that has to build its index first takes 20 of them at most. */
const RERANK_TIMEOUT_MS = 8000;
/** At the same time, of the 64 calls a server works on: one that is slow must not hold up all others. */
const MAX_CONCURRENT_RERANKS = 32;
/** Some gateways list hundreds of models with their prices. */
const MAX_MODELS_BYTES = 4 * 1024 * 1024;
/** An order takes a few hundred bytes, what a model thinks aloud before it far more. */
const MAX_ORDER_BYTES = 256 * 1024;

export class Provider {
  readonly #client: ProviderClient;
  readonly #keyVerifier: KeyVerifier;
  readonly #model: string | undefined;
  readonly #rerankTimeoutMs: number;
  #activeReranks = 0;

  /** Throws USAGE for an address that cannot be used. Nothing is connected to. */
  constructor({ url, model, now, checkTimeoutMs, rerankTimeoutMs }: ProviderOptions) {
    this.#client = new ProviderClient(parseBaseUrl(url));
    this.#model = model;
    this.#rerankTimeoutMs = rerankTimeoutMs ?? RERANK_TIMEOUT_MS;
    this.#keyVerifier = new KeyVerifier({
      listModels: (key, closing) =>
        withTimeout(checkTimeoutMs ?? CHECK_TIMEOUT_MS, closing, async (signal) => {
          const request = { path: "/models", key, signal, maxBytes: MAX_MODELS_BYTES };
          return parseModels(await this.#client.send(request));
        }),
      ...(now === undefined ? {} : { now }),
    });
  }

  /**
   * Resolves when the provider vouches for the key, and would not for any other. `requireAllowed` throws when this client
   * may not have the provider asked. Throws UNAUTHENTICATED, PROVIDER_ERROR.
   */
  async requireKey(key: string, signal: AbortSignal, requireAllowed: () => void): Promise<void> {
    await this.#keyVerifier.requireRejectsInvalid(signal, requireAllowed);
    await this.#keyVerifier.models(key, signal, requireAllowed);
  }

  /** Places of the candidates, the best first, as the model has them; those it is silent about are missing. */
  async rerank(key: string, request: RerankRequest): Promise<readonly number[]> {
    if (this.#activeReranks === MAX_CONCURRENT_RERANKS)
      throw providerError("is at work on as many rankings as it gets");
    this.#activeReranks += 1;
    try {
      return await withTimeout(this.#rerankTimeoutMs, request.signal, (signal) =>
        this.#requestOrder(key, { ...request, signal }),
      );
    } catch (thrown) {
      if (thrown instanceof SvcError && thrown.code === "UNAUTHENTICATED")
        this.#keyVerifier.forget(key);
      throw thrown;
    } finally {
      this.#activeReranks -= 1;
    }
  }

  async #requestOrder(
    key: string,
    { query, candidates, signal }: RerankRequest,
  ): Promise<readonly number[]> {
    const model = this.#model ?? onlyModel(await this.#keyVerifier.models(key, signal));
    const body = { model, messages: rerankMessages(query, candidates), stream: false };
    const request = { path: "/chat/completions", key, body, signal, maxBytes: MAX_ORDER_BYTES };
    return parseOrder(await this.#client.send(request), candidates.length);
  }

  async close(): Promise<void> {
    this.#keyVerifier.close();
    await this.#client.close();
  }
}
