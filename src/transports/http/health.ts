import { SvcError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import { requireMethod, type Exchange } from "./exchange.ts";
import { sendJson } from "./reply.ts";

const METHODS = ["GET", "HEAD"];
/** Anybody may ask, and as often as they like. */
const KEPT_MS = 1000;

/** `/healthz`: the process runs and takes requests. */
export function answerAlive(exchange: Exchange): void {
  requireMethod(exchange, METHODS);
  sendJson(exchange, 200, { status: "ok" });
}

interface ReadinessOptions {
  /** Opens what calls need; rejects where that fails. */
  readonly check: () => Promise<void>;
  readonly logger: Logger;
}

/** `/readyz`: credentials and index can be opened, and the server is not about to end. */
export class Readiness {
  readonly #options: ReadinessOptions;
  #found: { readonly isReady: Promise<boolean>; readonly at: number } | undefined;

  constructor(options: ReadinessOptions) {
    this.#options = options;
  }

  async answer(exchange: Exchange): Promise<void> {
    requireMethod(exchange, METHODS);
    if (exchange.isLast() || !(await this.#isReady())) {
      // What is wrong stands in the log: whoever asks here has shown no credential.
      throw new SvcError("OVERLOADED", "The server is not ready.", { retryAfter: 1 });
    }
    sendJson(exchange, 200, { status: "ready" });
  }

  #isReady(): Promise<boolean> {
    const now = performance.now();
    if (this.#found === undefined || now - this.#found.at > KEPT_MS) {
      this.#found = { isReady: this.#look(), at: now };
    }
    return this.#found.isReady;
  }

  async #look(): Promise<boolean> {
    try {
      await this.#options.check();
      return true;
    } catch (error) {
      this.#options.logger.warn("not ready", { error });
      return false;
    }
  }
}
