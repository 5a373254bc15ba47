import { SvcError } from "../base/errors.ts";
import type { StoreSettings } from "./credential-record.ts";

const YEAR_10000 = Date.UTC(10_000, 0, 1);

/** The latest time that the store or this process has seen: a clock that is set back revives no expired token. */
export class HighWater {
  #latest = 0;
  /** Number of clock resets already applied here: times seen before a reset do not count. */
  #resets = 0;

  /**
   * Returns `now`, or the latest known time if that is later. Throws CREDENTIAL_STORE when `now` is not a valid
   * time.
   */
  raise(settings: StoreSettings, now: number): number {
    // NaN is neither before nor after an expiry, so it would accept every token.
    if (!(now < YEAR_10000) || now === -Infinity) {
      throw new SvcError("CREDENTIAL_STORE", "The clock of this machine gives no usable time.", {
        hint: "Set the clock and try again.",
      });
    }
    this.#latest = Math.max(this.known(settings), now);
    return this.#latest;
  }

  /** Returns the latest known time in milliseconds since 1970. */
  known(settings: StoreSettings): number {
    const resets = settings.clockResets ?? 0;
    if (resets !== this.#resets) {
      this.#resets = resets;
      this.#latest = 0;
    }
    return Math.max(this.#latest, settings.clock);
  }
}

/** Returns the settings with the store's clock set to `now`, whatever times it has seen. */
export function withClockReset(settings: StoreSettings, now: number): StoreSettings {
  return { ...settings, clock: now, clockResets: (settings.clockResets ?? 0) + 1 };
}

/** Throws USAGE when the store's clock cannot be set to `now`. */
export function requireResetTime(now: number): void {
  if (now >= 0 && now < YEAR_10000) return;
  throw new SvcError("USAGE", "That is not a time the clock of the store can be set to.", {
    hint: "Set the clock of this machine first.",
  });
}
