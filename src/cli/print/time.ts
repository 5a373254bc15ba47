/** ISO 8601 in UTC, as in all JSON output. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** UTC to the minute, for tables; a dash for undefined. */
export function shortTime(ms: number | undefined): string {
  return ms === undefined ? "-" : `${isoTime(ms).slice(0, 16).replace("T", " ")}Z`;
}
