import { SvcError } from "../base/errors.ts";
import type { ReadOptions } from "./port.ts";

/** The deadline and the signal of a reader, and what its results lack because of them. */
export class ReadLimits {
  readonly #options: ReadOptions;
  /** One sentence for each result that is not complete. */
  readonly partial: string[] = [];

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  /** Whether the deadline has passed. */
  isLate(): boolean {
    const { deadline } = this.#options;
    return deadline !== undefined && performance.now() > deadline;
  }

  /** Throws TIMEOUT if the signal is aborted. */
  requireNotAborted(): void {
    if (this.#options.signal?.aborted === true) {
      throw new SvcError("TIMEOUT", "The call was cancelled.");
    }
  }

  reportMissingTerms(): void {
    this.partial.push("The time ran out before every term was looked up.");
  }

  reportMissingFiles(): void {
    this.partial.push("The time ran out before every file was checked.");
  }
}
