/** How long a query may be, in code points (interface, section 8). */
export const QUERY_LENGTH = { least: 3, most: 10_000 } as const;

export const QUERY_LENGTH_PROBLEM = `must be ${QUERY_LENGTH.least} to 10,000 characters long`;

export function hasQueryLength(text: string): boolean {
  // A code point takes one or two code units: most texts need no counting.
  if (text.length < QUERY_LENGTH.least || text.length > 2 * QUERY_LENGTH.most) return false;
  const { length } = Array.from(text);
  return length >= QUERY_LENGTH.least && length <= QUERY_LENGTH.most;
}
