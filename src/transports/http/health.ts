import { SvcError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import { requireMethod, type Exchange } from "./exchange.ts";
import { sendJson } from "./reply.ts";

const METHODS = ["GET", "HEAD"];
/** Anybody may ask, and as often as they like: the server looks no more often than this. */
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
  #found: { readonly isReady: Promise<boolean>; readonly until: number } | undefined;

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
    if (this.#found === undefined || performance.now() > this.#found.until) {
      // One that hangs is waited for by all who ask: another would only hang beside it.
      const found = { isReady: this.#look(), until: Infinity };
      void found.isReady.then(() => (found.until = performance.now() + KEPT_MS));
      this.#found = found;
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
