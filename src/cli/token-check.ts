import { toSvcError, type SvcError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";

/** Wait of `initialize` for the check; opening the store takes less. */
const MAX_WAIT_MS = 50;

interface TokenCheckOptions {
  /** Verifies the token of this server; rejects with the reason it fails. */
  readonly verify: () => Promise<unknown>;
  readonly logger: Logger;
  /** Resolves when the check takes longer than a client can wait, because it needs a keychain. */
  readonly slow: Promise<void>;
}

/**
 * Tracks whether the access token of a server works, so that `initialize` can report a token that fails. Logs one line
 * for each reason.
 */
export class TokenCheck {
  readonly #options: TokenCheckOptions;
  #first: Promise<unknown> | undefined;
  #problem: SvcError | undefined;
  #reported = "";

  constructor(options: TokenCheckOptions) {
    this.#options = options;
  }

  /** Starts the first check, so that it has ended when a client sends `initialize`. */
  start(): void {
    this.#first = this.record(this.#options.verify()).then(
      () => (this.#first = undefined),
      () => (this.#first = undefined),
    );
  }

  /** Records the outcome of a verification and returns it. */
  async record<Verified>(verification: Promise<Verified>): Promise<Verified> {
    try {
      const verified = await verification;
      this.#problem = undefined;
      return verified;
    } catch (thrown) {
      const problem = toSvcError(thrown);
      this.#problem = problem;
      const { code: error_code, detail } = problem;
      if (detail !== this.#reported) {
        this.#options.logger.warn("the access token is not accepted, so no call is answered", {
          error_code,
          detail,
        });
      }
      this.#reported = detail;
      throw thrown;
    }
  }

  /** Returns the reason that the token fails, if known; a promise of it while the first check runs, for up to 50 ms. */
  problem(): (SvcError | undefined) | Promise<SvcError | undefined> {
    if (this.#first === undefined) return this.#problem;
    const { promise: elapsed, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, MAX_WAIT_MS);
    return Promise.race([this.#first, elapsed, this.#options.slow]).then(() => {
      clearTimeout(timer);
      return this.#problem;
    });
  }
}
