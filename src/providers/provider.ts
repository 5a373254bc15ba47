// A model provider with an API like OpenAI's, at one address that the operator chose.
import { SvcError } from "../base/errors.ts";
import { readBaseUrl } from "./base-url.ts";
import { KeyChecks } from "./key-checks.ts";
import { onlyModel, readModels } from "./models.ts";
import { readOrder } from "./rerank-answer.ts";
import { rerankMessages } from "./rerank-prompt.ts";
import { Wire } from "./wire.ts";

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
/** Some gateways list hundreds of models with their prices. */
const MODELS_BYTES = 4 * 1024 * 1024;
/** An order takes a few hundred bytes, what a model thinks aloud before it far more. */
const ORDER_BYTES = 256 * 1024;

export class Provider {
  readonly #wire: Wire;
  readonly #checks: KeyChecks;
  readonly #model: string | undefined;
  readonly #rerankTimeoutMs: number;

  /** Throws USAGE for an address that cannot be used. Nothing is connected to. */
  constructor({ url, model, now, checkTimeoutMs, rerankTimeoutMs }: ProviderOptions) {
    this.#wire = new Wire(readBaseUrl(url));
    this.#model = model;
    this.#rerankTimeoutMs = rerankTimeoutMs ?? RERANK_MS;
    this.#checks = new KeyChecks({
      ask: async (key, signal) => {
        const limits = { timeoutMs: checkTimeoutMs ?? CHECK_MS, maxBytes: MODELS_BYTES };
        return readModels(await this.#wire.send({ path: "/models", key, signal, ...limits }));
      },
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
  async rerank(
    key: string,
    { query, candidates, signal }: RerankRequest,
  ): Promise<readonly number[]> {
    try {
      const model = this.#model ?? onlyModel(await this.#checks.models(key, signal));
      const answer = await this.#wire.send({
        path: "/chat/completions",
        key,
        body: { model, messages: rerankMessages(query, candidates), stream: false },
        signal,
        timeoutMs: this.#rerankTimeoutMs,
        maxBytes: ORDER_BYTES,
      });
      return readOrder(answer, candidates.length);
    } catch (thrown) {
      if (thrown instanceof SvcError && thrown.code === "UNAUTHENTICATED") this.#checks.forget(key);
      throw thrown;
    }
  }

  async close(): Promise<void> {
    this.#checks.close();
    await this.#wire.close();
  }
}
