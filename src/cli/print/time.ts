/** ISO 8601 in UTC, as every JSON shape has it. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** To the minute, for tables; a dash where there is none. */
export function shortTime(ms: number | undefined): string {
  return ms === undefined ? "-" : `${isoTime(ms).slice(0, 16).replace("T", " ")}Z`;
}
