import type { CredentialRecord } from "./credential-record.ts";
import { HighWater, type RecordedClock } from "./high-water.ts";

const MINUTE_MS = 60_000;

/**
 * The last uses of credentials and the latest time that this process has seen and not yet written. All of them together
 * cost one write a minute.
 */
export class PendingWrites {
  readonly #flush: () => void;
  readonly #highWater = new HighWater();
  readonly #lastUses = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  /** `flush` is called when a write is due. */
  constructor(flush: () => void) {
    this.#flush = flush;
  }

  /** Credential id to the minute of its last use, in milliseconds since 1970. */
  get lastUses(): ReadonlyMap<string, number> {
    return this.#lastUses;
  }

  /** True if a write is scheduled. */
  get isScheduled(): boolean {
    return this.#timer !== undefined;
  }

  /** Records a use of the credential, to the minute. */
  touch({ id, lastUsedAt = 0 }: CredentialRecord, now: number): void {
    const minute = now - (now % MINUTE_MS);
    const known = this.#lastUses.get(id) ?? lastUsedAt;
    // A time in the future was recorded under a wrong clock.
    if (minute <= known && known <= now) return;
    this.#lastUses.set(id, minute);
    this.#schedule();
  }

  /** Returns `now`, or the latest known time if that is later. Throws CREDENTIAL_STORE when `now` is not a valid time. */
  time(recorded: RecordedClock, now: number): number {
    const time = this.#highWater.raise(recorded, now);
    if (time - recorded.clock >= MINUTE_MS) this.#schedule();
    return time;
  }

  /** Returns the latest known time in milliseconds since 1970. */
  latestTime(recorded: RecordedClock): number {
    return this.#highWater.known(recorded);
  }

  /** Call this after a write of the latest time and of these uses, a copy of `lastUses`. */
  written(uses: ReadonlyMap<string, number>): void {
    for (const [id, minute] of uses) {
      if (this.#lastUses.get(id) === minute) this.#lastUses.delete(id);
    }
    if (this.#lastUses.size === 0) this.cancel();
  }

  /** Forgets the last uses. */
  forgetUses(): void {
    this.#lastUses.clear();
  }

  /** Stops the scheduled write, if there is one. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#flush();
    }, MINUTE_MS).unref();
  }
}
