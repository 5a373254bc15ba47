import { SvcError } from "../base/errors.ts";

const YEAR_10000 = Date.UTC(10_000, 0, 1);

/** The times that a store has recorded. */
export interface RecordedClock {
  /**
   * The latest time this store has seen, in milliseconds since 1970: a clock that is set back does not revive an
   * expired token.
   */
  readonly clock: number;
  /** How often the user set the clock back. A new value makes processes forget the times they have seen. */
  readonly clockResets?: number;
}

/** The latest time that the store or this process has seen: a clock that is set back revives no expired token. */
export class HighWater {
  #latest = 0;
  /** Number of clock resets already applied here: times seen before a reset do not count. */
  #resets = 0;

  /**
   * Returns `now`, or the latest known time if that is later. Throws CREDENTIAL_STORE when `now` is not a valid
   * time.
   */
  raise(recorded: RecordedClock, now: number): number {
    // NaN is neither before nor after an expiry, so it would accept every token.
    if (!(now < YEAR_10000) || now === -Infinity) {
      throw new SvcError("CREDENTIAL_STORE", "The clock of this machine gives no usable time.", {
        hint: "Set the clock and try again.",
      });
    }
    this.#latest = Math.max(this.known(recorded), now);
    return this.#latest;
  }

  /** Returns the latest known time in milliseconds since 1970. */
  known(recorded: RecordedClock): number {
    const resets = recorded.clockResets ?? 0;
    if (resets !== this.#resets) {
      this.#resets = resets;
      this.#latest = 0;
    }
    return Math.max(this.#latest, recorded.clock);
  }
}

/** Returns what the store records after its clock was set to `now`, whatever times it has seen. */
export function withClockReset<Recorded extends RecordedClock>(
  recorded: Recorded,
  now: number,
): Recorded {
  return { ...recorded, clock: now, clockResets: (recorded.clockResets ?? 0) + 1 };
}

/** Throws USAGE when the store's clock cannot be set to `now`. */
export function requireResetTime(now: number): void {
  if (now >= 0 && now < YEAR_10000) return;
  throw new SvcError("USAGE", "The clock of the store cannot be set to the time of this machine.", {
    hint: "Set the clock of this machine first.",
  });
}
