// Finds the words of the query in a passage. The index also matches by vectors; these marks show the reader why a
// passage was found.
import type { Range } from "./ranges.ts";

const STOP_WORDS = new Set(
  (
    "a an and any are as at be been but by can could did do does each for from get had has have how i if " +
    "in into is it its me my no not of on or our so that the their then there these they this to " +
    "use was we were what when where which who whom whose why will with would you your"
  ).split(" "),
);

/** Parts of camelCase, PascalCase and snake_case names, and runs of digits. */
const PART = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|[\p{Lo}\p{M}]+|\p{N}+/gu;
const MIN_LENGTH = 2;

/** Returns the stems of the query's words. */
export function stemsOf(query: string): ReadonlySet<string> {
  const words = [...query.matchAll(PART)].map(([word]) => word);
  const distinctive = words.filter((word) => !STOP_WORDS.has(word.toLowerCase()));
  // A query that consists of stop words keeps them.
  const chosen = distinctive.length === 0 ? words : distinctive;
  return new Set(chosen.filter((word) => word.length >= MIN_LENGTH).map(stemOf));
}

/** Returns the positions of the words, in order. */
export function marksIn(text: string, stems: ReadonlySet<string>): readonly Range[] {
  if (stems.size === 0) return [];
  const marks: Range[] = [];
  for (const { 0: word, index } of text.matchAll(PART)) {
    if (!stems.has(stemOf(word))) continue;
    marks.push({ start: index, end: index + word.length });
  }
  return marks;
}

/** Maps "revoked", "revoke" and "revokes" to the same stem. */
function stemOf(word: string): string {
  const lower = word.toLowerCase();
  return lower.replace(/(?<=.{4})ing$|(?<=.{3})(?:ed|es|s|e)$/su, "");
}
