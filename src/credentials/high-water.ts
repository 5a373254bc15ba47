import { SvcError } from "../base/errors.ts";
import type { StoreSettings } from "./credential-record.ts";

const YEAR_10000 = Date.UTC(10_000, 0, 1);

/** The latest time that a store and this process have seen: a clock that is set back revives nothing. */
export class HighWater {
  #latest = 0;
  /** Resets of the store's clock that are known here: what was seen before a reset does not count. */
  #resets = 0;

  /** `now`, or the latest time known when that is later. Throws CREDENTIAL_STORE for what is no time. */
  raise(settings: StoreSettings, now: number): number {
    // NaN is neither before nor after an expiry, and so would let everything in.
    if (!(now < YEAR_10000) || now === -Infinity) {
      throw new SvcError("CREDENTIAL_STORE", "The clock of this machine gives no usable time.", {
        hint: "Set it right, and try again.",
      });
    }
    this.#latest = Math.max(this.known(settings), now);
    return this.#latest;
  }

  known(settings: StoreSettings): number {
    const resets = settings.clockResets ?? 0;
    if (resets !== this.#resets) {
      this.#resets = resets;
      this.#latest = 0;
    }
    return Math.max(this.#latest, settings.clock);
  }
}

/** The settings with the store's clock at `now`, whatever it has seen before. */
export function withClockReset(settings: StoreSettings, now: number): StoreSettings {
  return { ...settings, clock: now, clockResets: (settings.clockResets ?? 0) + 1 };
}

/** Throws USAGE for what the store's clock cannot be set to. */
export function requireResetTime(now: number): void {
  if (now >= 0 && now < YEAR_10000) return;
  throw new SvcError("USAGE", "That is not a time the clock of the store can be set to.", {
    hint: "Set the clock of this machine right first.",
  });
}
