/**
 * Components of a vector of length 1 are 1/√dimensions in the middle. Those of a question are signed bytes
 * and a middle one has 28 steps: what is up to 4.5 times as large fits. One length for all vectors makes
 * their dot products comparable without another number.
 */
const QUERY_SCALE = 28;
const MAX_QUERY_VALUE = 127;

/**
 * The same for stored vectors, of which a middle component has 2.5 steps and what is up to 2.9 times as large
 * fits: dot products are nearest to the exact ones with 28/10 to 28/11, and large components are cut off less
 * with the latter.
 */
const STORED_SCALE = 28 / 11;
const MAX_STORED_VALUE = 7;
/** What cutting off leaves of the length, in the mean over pieces of code with the built-in table. */
const REMAINING_LENGTH = 0.995;

/** Vectors are stored in whole vectors of SIMD. */
const SIMD_BYTES = 16;

/**
 * Bytes of a stored vector. A byte holds two components in two's complement, the first in its low half, so
 * bytes of 0 are a vector of zeros; behind the last component are zeros.
 */
export function vectorBytes(dimensions: number): number {
  return Math.ceil(dimensions / (2 * SIMD_BYTES)) * SIMD_BYTES;
}

/** Writes `sums`, brought to the length of stored vectors, into `to` from `offset`. */
export function quantizeStored(sums: Float32Array, to: Uint8Array, offset: number): void {
  const factor = quantizationFactor(STORED_SCALE, sums);
  const end = offset + vectorBytes(sums.length);
  if (end > to.length) throw new RangeError(`no room for a vector at ${offset} of ${to.length}`);
  for (let at = 0; at < sums.length; at += 2) {
    const low = rounded((sums[at] ?? 0) * factor, MAX_STORED_VALUE);
    const high = rounded((sums[at + 1] ?? 0) * factor, MAX_STORED_VALUE);
    to[offset + (at >> 1)] = (low & 15) | (high << 4);
  }
  to.fill(0, offset + (sums.length >> 1), end);
}

/** `sums` brought to the length of questions. */
export function quantizeQuery(sums: Float32Array): Int8Array {
  const factor = quantizationFactor(QUERY_SCALE, sums);
  return Int8Array.from(sums, (sum) => rounded(sum * factor, MAX_QUERY_VALUE));
}

/**
 * What to multiply a query's dot products with stored vectors by to have cosines; 0 for a query of zeros. Of
 * 100 pieces of code 96 have a cosine with themselves between 0.98 and 1.02, all between 0.93 and 1.03.
 */
export function cosineFactor(query: Int8Array, dimensions: number = query.length): number {
  let square = 0;
  for (const value of query) square += value ** 2;
  const stored = REMAINING_LENGTH * STORED_SCALE * Math.sqrt(dimensions);
  return square > 0 ? 1 / (Math.sqrt(square) * stored) : 0;
}

/** What to multiply numbers by so that they are `scale` in the middle; 0 where all of them are. */
function quantizationFactor(scale: number, numbers: Float32Array): number {
  let square = 0;
  for (let at = 0; at < numbers.length; at += 1) square += (numbers[at] ?? 0) ** 2;
  return square > 0 ? (scale * Math.sqrt(numbers.length)) / Math.sqrt(square) : 0;
}

function rounded(value: number, max: number): number {
  return Math.max(-max, Math.min(max, Math.round(value)));
}
