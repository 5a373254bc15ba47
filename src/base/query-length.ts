/** The length limits of a query, in code points (interface, section 8). */
export const QUERY_LENGTH = { min: 3, max: 10_000 } as const;

export const QUERY_LENGTH_PROBLEM = `must be ${QUERY_LENGTH.min} to 10,000 characters long`;

/** Whether a text has at least `min` code points, and at most those of QUERY_LENGTH. */
export function hasQueryLength(text: string, min: number = QUERY_LENGTH.min): boolean {
  // A code point takes one or two code units, so this test decides for most texts without counting.
  if (text.length < min || text.length > 2 * QUERY_LENGTH.max) return false;
  const { length } = Array.from(text);
  return length >= min && length <= QUERY_LENGTH.max;
}
