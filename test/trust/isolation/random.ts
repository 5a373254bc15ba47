import { seededRandom } from "../../../bench/quality/random.ts";

/** Draws that are the same for the same seed. */
export interface Random {
  /** A whole number from 0 to `limit` - 1. */
  readonly below: (limit: number) => number;
  /** True with this probability. */
  readonly chance: (of: number) => boolean;
  readonly pick: <T>(from: readonly T[]) => T;
}

export function seeded(seed: string): Random {
  const next = seededRandom(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    chance: (of) => next() < of,
    pick(from) {
      const [one] = from.slice(below(from.length));
      if (one === undefined) throw new Error("there is nothing to pick from");
      return one;
    },
  };
}
