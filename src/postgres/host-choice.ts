// The host of an address that a process uses, from its first statement to its last: standbys are promoted meanwhile, and
// former primaries come back.

import { newestPrimary, type ChosenHost, type LookAt, type Primary } from "./choose-host.ts";
import { formerPrimaryFailure, standbyFailure } from "./database-errors.ts";

/**
 * How often the other hosts are checked: each time costs them a connection for each process. A process that was cut
 * off together with a former primary learns only in this way that another host was promoted: its own continues to answer.
 */
const LOOK_AGAIN_MS = 10_000;

interface HostChoiceOptions {
  /** Number of hosts, at least two. */
  readonly size: number;
  readonly look: LookAt;
  /** Called when another host has turned out to be newer than the one in use. */
  readonly onNewer: () => void;
  readonly lookAgainMs?: number | undefined;
}

/** Hosts are numbers, from 0. */
export class HostChoice {
  readonly #options: HostChoiceOptions;
  readonly #lookAgainMs: number;
  readonly #closing = new AbortController();
  readonly #failures = new Map<number, unknown>();
  #choice: Promise<ChosenHost | undefined> | undefined;
  /** The newest primary that was ever seen. One with a lower timeline was replaced, whatever it says. */
  #newest: Primary | undefined;
  #lookedMs = -Infinity;
  #isLooking = false;

  constructor(options: HostChoiceOptions) {
    this.#options = options;
    this.#lookAgainMs = options.lookAgainMs ?? LOOK_AGAIN_MS;
  }

  /** Host -> why it could not be used when it was last checked. */
  get failures(): ReadonlyMap<number, unknown> {
    return this.#failures;
  }

  /** Returns the host to use; undefined if none can be used now. */
  async host(): Promise<number | undefined> {
    const choosing = (this.#choice ??= this.#choose());
    const chosen = await choosing;
    if (chosen === undefined) {
      if (this.#choice === choosing) this.#choice = undefined;
      return undefined;
    }
    void this.#lookAgain(chosen);
    return chosen.host;
  }

  /** Chooses again with the next call. */
  forget(): void {
    this.#choice = undefined;
  }

  close(): void {
    this.#closing.abort();
  }

  async #choose(): Promise<ChosenHost | undefined> {
    const all = Array.from({ length: this.#options.size }, (_, host) => host);
    const chosen = await newestPrimary(all, this.#look);
    this.#lookedMs = performance.now();
    return chosen;
  }

  async #lookAgain(chosen: ChosenHost): Promise<void> {
    const isRecent = performance.now() - this.#lookedMs < this.#lookAgainMs;
    if (this.#isLooking || isRecent || this.#closing.signal.aborted) return;
    this.#isLooking = true;
    const all = Array.from({ length: this.#options.size }, (_, host) => host);
    const found = await newestPrimary(
      all.filter((host) => host !== chosen.host),
      this.#look,
    );
    this.#lookedMs = performance.now();
    this.#isLooking = false;
    if (found === undefined || !isOlder(chosen, found)) return;
    this.#choice = Promise.resolve(found);
    this.#options.onNewer();
  }

  readonly #look: LookAt = async (host, signal) => {
    try {
      const either = AbortSignal.any([signal, this.#closing.signal]);
      const primary = await this.#options.look(host, either);
      if (primary === undefined) throw standbyFailure();
      if (isOlder(primary, this.#newest)) throw formerPrimaryFailure();
      this.#failures.delete(host);
      this.#newest = primary;
      return primary;
    } catch (thrown) {
      this.#failures.set(host, thrown);
      throw thrown;
    }
  };
}

/** Whether a primary was replaced by another one. */
function isOlder(one: Primary, other: Primary | undefined): boolean {
  return other?.cluster === one.cluster && one.timeline < other.timeline;
}
