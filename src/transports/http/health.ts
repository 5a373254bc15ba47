import { SvcError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import { requireMethod, type HttpExchange } from "./exchange.ts";
import { sendJson } from "./reply.ts";

const METHODS = ["GET", "HEAD"];
/** Anybody may send requests at any rate; the check runs at most once in this time. */
const CACHE_TTL_MS = 1000;

/** `/healthz`: the process runs and accepts requests. */
export function handleLiveness(exchange: HttpExchange): void {
  requireMethod(exchange, METHODS);
  sendJson(exchange, 200, { status: "ok" });
}

interface ReadinessProbeOptions {
  /** Opens everything that calls need; rejects when that fails. */
  readonly check: () => Promise<void>;
  readonly logger: Logger;
}

/** `/readyz`: credentials and index can be opened, and the server is not shutting down. */
export class ReadinessProbe {
  readonly #options: ReadinessProbeOptions;
  #cached: { readonly isReady: Promise<boolean>; readonly until: number } | undefined;

  constructor(options: ReadinessProbeOptions) {
    this.#options = options;
  }

  /** Answers 200 or throws OVERLOADED. */
  async handle(exchange: HttpExchange): Promise<void> {
    requireMethod(exchange, METHODS);
    if (exchange.isLast() || !(await this.#isReady())) {
      // The cause is only logged: the client has not authenticated.
      throw new SvcError("OVERLOADED", "The server is not ready.", { retryAfter: 1 });
    }
    sendJson(exchange, 200, { status: "ready" });
  }

  #isReady(): Promise<boolean> {
    if (this.#cached === undefined || performance.now() > this.#cached.until) {
      // All requests share a check that hangs: a second one would only hang too.
      const found = { isReady: this.#check(), until: Infinity };
      void found.isReady.then(() => (found.until = performance.now() + CACHE_TTL_MS));
      this.#cached = found;
    }
    return this.#cached.isReady;
  }

  async #check(): Promise<boolean> {
    try {
      await this.#options.check();
      return true;
    } catch (error) {
      this.#options.logger.warn("not ready", { error });
      return false;
    }
  }
}
