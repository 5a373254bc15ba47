// A model provider with an OpenAI-compatible API, at one address that the operator chose.
import { SvcError } from "../base/errors.ts";
import { parseBaseUrl } from "./base-url.ts";
import { KeyVerifier } from "./key-verifier.ts";
import { onlyModel, parseModels } from "./models.ts";
import { parseOrder } from "./rerank-response.ts";
import { rerankMessages, type RerankCandidate } from "./rerank-prompt.ts";
import { providerError, ProviderClient, withTimeout } from "./provider-client.ts";

/** How to reach the provider. */
export interface ProviderOptions {
  /** An origin, optionally with a path. */
  readonly url: string;
  /** Name of the model that ranks; by default the only model of the provider. */
  readonly model?: string | undefined;
  /** Milliseconds of a monotonic clock, which ages the cached keys. */
  readonly now?: () => number;
  /** Timeout of the check of a key, in milliseconds; 5000 by default. */
  readonly checkTimeoutMs?: number;
  /** Timeout of one ranking, in milliseconds; 8000 by default. */
  readonly rerankTimeoutMs?: number;
}

interface RerankRequest {
  readonly query: string;
  /** In their current order. */
  readonly candidates: readonly RerankCandidate[];
  readonly signal: AbortSignal;
}

const CHECK_TIMEOUT_MS = 5000;
/** A call has 30 s; a search that first has to build its index takes up to 20 s of them. */
const RERANK_TIMEOUT_MS = 8000;
/** Out of the 64 calls that a server runs at once: a slow provider must not block all others. */
const MAX_CONCURRENT_RERANKS = 32;
/** Some gateways list hundreds of models with their prices. */
const MAX_MODELS_BYTES = 4 * 1024 * 1024;
/** An order takes a few hundred bytes; the reasoning that a model writes before it takes far more. */
const MAX_ORDER_BYTES = 256 * 1024;

/** Verifies keys and ranks passages at one provider. */
export class Provider {
  readonly #client: ProviderClient;
  readonly #keyVerifier: KeyVerifier;
  readonly #model: string | undefined;
  readonly #rerankTimeoutMs: number;
  #activeReranks = 0;

  /** Throws USAGE when the address is invalid. Opens no connection. */
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
   * Resolves when the provider accepts the key and refuses invalid ones. `requireAllowed` throws when the provider
   * must not be asked for this client. Throws UNAUTHENTICATED and PROVIDER_ERROR.
   */
  async requireKey(key: string, signal: AbortSignal, requireAllowed: () => void): Promise<void> {
    await this.#keyVerifier.requireRejectsInvalid(signal, requireAllowed);
    await this.#keyVerifier.models(key, signal, requireAllowed);
  }

  /**
   * Returns indices of the candidates in the model's order, the best first. Candidates that the model omits are
   * missing.
   */
  async rerank(key: string, request: RerankRequest): Promise<readonly number[]> {
    if (this.#activeReranks === MAX_CONCURRENT_RERANKS)
      throw providerError("is already running the maximum number of rankings");
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
