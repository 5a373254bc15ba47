// Parses times in words, in the most common forms of `git log --since` and `journalctl --since`.

const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};
const AGO = new RegExp(`^(\\d{1,6})(${Object.keys(UNITS).join("|")})$`);

/**
 * Returns the time of `2d` (two days ago), `90min`, `today` and `yesterday` (since midnight, local time) as ISO 8601, and
 * any other text as it is.
 */
export function timeOf(text: string, now: Date = new Date()): string {
  const [, count, unit = ""] = AGO.exec(text) ?? [];
  if (count !== undefined)
    return new Date(now.getTime() - Number(count) * (UNITS[unit] ?? 0)).toISOString();
  if (text !== "today" && text !== "yesterday") return text;
  const midnight = new Date(now);
  midnight.setHours(0, 0, 0, 0);
  if (text === "yesterday") midnight.setDate(midnight.getDate() - 1);
  return midnight.toISOString();
}
