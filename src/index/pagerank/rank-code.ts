// Ranks as the index stores them: one byte each.

const CODES_PER_DOUBLING = 16;
const MEAN_CODE = 128;

/** Encodes a share of the total rank as a byte: 128 is the mean, and 16 more means twice as much; 0 is not a rank. */
export function rankCode(share: number, count: number): number {
  if (share <= 0) return 0;
  const code = MEAN_CODE + CODES_PER_DOUBLING * Math.log2(share * count);
  return Math.min(255, Math.max(1, Math.round(code)));
}

/** Decodes a rank as a multiple of the mean. */
export function timesMean(code: number): number {
  return code === 0 ? 0 : 2 ** ((code - MEAN_CODE) / CODES_PER_DOUBLING);
}
