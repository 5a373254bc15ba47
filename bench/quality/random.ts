// Pseudo-random numbers that are the same in every run.

/** The next number, from 0 up to, but not including, 1. */
export type Random = () => number;

/** A separate generator for each text: FNV-1a (Fowler, Noll, Vo) seeds mulberry32 (Ettinger). */
export function seededRandom(text: string): Random {
  let state = 0x811c9dc5;
  for (const byte of Buffer.from(text)) state = Math.imul(state ^ byte, 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of the values; undefined if there are none. */
export function pick<T>(values: readonly T[], random: Random): T | undefined {
  return values[Math.floor(random() * values.length)];
}
