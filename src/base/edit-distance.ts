// The number of typos between two words.

/**
 * The number of typos to allow in a word of `length` characters: none in a word of 1 to 3 letters, because each
 * change makes another word.
 */
export function maxTypos(length: number): number {
  if (length < 4) return 0;
  return length <= 6 ? 1 : 2;
}

/** Longer words are not compared: the time grows with the square of the length. */
const MAX_LENGTH = 256;
const WIDTH = MAX_LENGTH + 1;
const rows = [new Uint16Array(WIDTH), new Uint16Array(WIDTH), new Uint16Array(WIDTH)] as const;

/**
 * Returns the optimal string alignment distance of two words, where a swap of adjacent characters is one edit
 * (Damerau 1964). Undefined when it exceeds `limit`, or when a word has more than 256 characters.
 */
export function distanceWithin(one: string, other: string, limit: number): number | undefined {
  if (one === other) return 0;
  if (limit === 0 || Math.abs(one.length - other.length) > limit) return undefined;
  if (one.length > MAX_LENGTH || other.length > MAX_LENGTH) return undefined;
  let [beforeLast, last, current]: [Uint16Array, Uint16Array, Uint16Array] = [...rows];
  for (let column = 0; column <= other.length; column += 1) last[column] = column;
  for (let row = 1; row <= one.length; row += 1) {
    const minimum = fillRow(current, { beforeLast, last, one, other, row });
    if (minimum > limit) return undefined;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  const distance = last[other.length] ?? 0;
  return distance <= limit ? distance : undefined;
}

/** Returns the minimum of the row. No distance in a later row is lower. */
function fillRow(
  current: Uint16Array,
  context: { beforeLast: Uint16Array; last: Uint16Array; one: string; other: string; row: number },
): number {
  const { beforeLast, last, one, other, row } = context;
  const code = one.charCodeAt(row - 1);
  const codeBefore = row > 1 ? one.charCodeAt(row - 2) : -1;
  current[0] = row;
  let minimum = row;
  for (let column = 1; column <= other.length; column += 1) {
    const otherCode = other.charCodeAt(column - 1);
    const isSame = code === otherCode;
    let cost = (last[column - 1] ?? 0) + (isSame ? 0 : 1);
    cost = Math.min(cost, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
    const isSwap = column > 1 && code === other.charCodeAt(column - 2) && codeBefore === otherCode;
    if (isSwap) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
    current[column] = cost;
    if (cost < minimum) minimum = cost;
  }
  return minimum;
}
