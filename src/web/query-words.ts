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

/** Letters of scripts without spaces between words, and of Korean: `UNSPACED` of src/parse/character-kinds.ts. */
const LETTER = String.raw`(?:(?=\p{L})[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]\p{M}*)`;
const LETTERS = new RegExp(LETTER, "gu");
/** Runs of such letters, parts of camelCase, PascalCase and snake_case names, and runs of digits. */
const PART = new RegExp(
  String.raw`${LETTER}+|\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|[\p{Lo}\p{M}]+|\p{N}+`,
  "gu",
);
const IS_UNSPACED = new RegExp(`^${LETTER}`, "u");
const MIN_LENGTH = 2;

/** Returns the stems of the query's words, and the pairs of its letters in scripts without spaces. */
export function stemsOf(query: string): ReadonlySet<string> {
  const words = [...query.matchAll(PART)].map(([word]) => word);
  const distinctive = words.filter((word) => !STOP_WORDS.has(word.toLowerCase()));
  // A query that consists of stop words keeps them.
  const chosen = distinctive.length === 0 ? words : distinctive;
  return new Set(
    chosen.flatMap((word) => {
      if (IS_UNSPACED.test(word)) return pairsIn(word).map(({ pair }) => pair);
      return word.length < MIN_LENGTH ? [] : stemOf(word);
    }),
  );
}

/** Returns the positions of the words, in order. */
export function marksIn(text: string, stems: ReadonlySet<string>): readonly Range[] {
  if (stems.size === 0) return [];
  const marks: Range[] = [];
  for (const { 0: word, index } of text.matchAll(PART)) {
    if (IS_UNSPACED.test(word)) marks.push(...pairMarks(word, index, stems));
    else if (stems.has(stemOf(word))) marks.push({ start: index, end: index + word.length });
  }
  return marks;
}

/** Returns the positions of the pairs that are in `stems`; those that overlap are one. */
function pairMarks(run: string, from: number, stems: ReadonlySet<string>): readonly Range[] {
  const marks: Range[] = [];
  for (const { pair, start, end } of pairsIn(run)) {
    if (!stems.has(pair)) continue;
    const last = marks.at(-1);
    if (last !== undefined && last.end > from + start) {
      marks[marks.length - 1] = { start: last.start, end: from + end };
    } else {
      marks.push({ start: from + start, end: from + end });
    }
  }
  return marks;
}

interface Pair extends Range {
  readonly pair: string;
}

/** Returns the pairs of letters in a run, or its only letter. */
function pairsIn(run: string): readonly Pair[] {
  const letters = [...run.matchAll(LETTERS)];
  const pairs = letters.slice(1).map((next, at) => {
    const start = letters[at]?.index ?? 0;
    const end = next.index + next[0].length;
    return { pair: run.slice(start, end).normalize(), start, end };
  });
  return pairs.length > 0 ? pairs : [{ pair: run.normalize(), start: 0, end: run.length }];
}

/** Maps "revoked", "revoke" and "revokes" to the same stem, and "r\u00e9sum\u00e9" to that of "resume". */
function stemOf(word: string): string {
  const plain = word
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("\u00df", "ss");
  // The first five letters of other alphabets, as in the index.
  if (/^[\u0370-\uffff]/u.test(plain)) return plain.slice(0, 5);
  return plain.replace(/(?<=.{4})ing$|(?<=.{3})(?:ed|es|s|e)$/su, "");
}
