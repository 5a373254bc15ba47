// The lengths of documents as BM25 reads them.

/** Number of length codes per doubling of the length. */
const CODES_PER_DOUBLING = 16;

/**
 * Encodes a length in terms as one byte, to within 2.2 %, up to 61,000. BM25 needs no more precision, and a
 * table of 256 norms fits the L1 cache, where a column of numbers does not. 0 stays 0.
 */
export function lengthCode(length: number): number {
  return length === 0 ? 0 : Math.min(255, 1 + Math.round(Math.log2(length) * CODES_PER_DOUBLING));
}

const WHOLE_LENGTHS = Uint32Array.from({ length: 256 }, (_, code) => Math.round(codedLength(code)));

/** Decodes a length code as a whole number, so that sums do not depend on their order. Exact up to 22. */
export function wholeLength(code: number): number {
  return WHOLE_LENGTHS[code] ?? 0;
}

/** Decodes a length code. */
export function codedLength(code: number): number {
  return code === 0 ? 0 : 2 ** ((code - 1) / CODES_PER_DOUBLING);
}
