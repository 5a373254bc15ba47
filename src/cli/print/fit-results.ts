// Results that fit a window: the best ones with their lines.

import { displayWidth } from "./width.ts";

/** Results with lines; the others have only their location. */
const MAX_WITH_LINES = 5;
/** Results that have a part of their lines if these do not fit whole. */
const MIN_WITH_LINES = 3;
/** A passage with fewer rows says too little. */
const MIN_CUT_ROWS = 3;
/** Rows of the best result that the list of the others leaves room for. */
const MIN_BEST_ROWS = 6;

/** The rows that a result takes on a terminal. */
export interface ResultRows {
  /** Rows of its location and of the other parts that every result shows. */
  readonly head: number;
  /** Rows of its lines. */
  readonly text: number;
}

/** Letters of a word that its other forms have too, mostly. */
const STEM_LENGTH = 5;
const OMITTED = "  …";

/** The results that fit. */
export interface FittedResults {
  /** The rows for the lines of each result, best first; results after these have no room. */
  readonly text: readonly number[];
  readonly isComplete: boolean;
}

/**
 * Divides `rows` among results, best first. The best three get some of their lines, and two more get theirs if these fit
 * whole; the others only have a location.
 */
export function fitResults(results: readonly ResultRows[], rows: number): FittedResults {
  const best = Math.min(results[0]?.text ?? 0, MIN_BEST_ROWS);
  let heads = 0;
  const shown = results.filter(({ head }, at) => {
    heads += head;
    return at === 0 || heads + best <= rows;
  });
  let left = Math.max(best, rows - shown.reduce((sum, { head }) => sum + head, 0));
  const text = shown.map((result, at) => {
    const next = shown.slice(at + 1, MIN_WITH_LINES);
    const reserved = next.reduce((sum, one) => sum + Math.min(one.text, MIN_CUT_ROWS), 0);
    // Not enough for both: the better one has it.
    const least = at === 0 ? best : Math.min(left, MIN_CUT_ROWS);
    const room = left - reserved < least ? (at === 0 ? best : left) : left - reserved;
    const isCut = result.text > room;
    const isShown = isCut ? at < MIN_WITH_LINES && room >= MIN_CUT_ROWS : at < MAX_WITH_LINES;
    const given = isShown ? Math.min(result.text, room) : 0;
    left -= given;
    return given;
  });
  const isWhole = text.every((given, at) => given === shown[at]?.text);
  return { text, isComplete: isWhole && shown.length === results.length };
}

/** Returns how many rows of a terminal the lines take: a long line takes several. */
export function terminalRows(lines: readonly string[], columns: number): number {
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / columns)), 0);
}

/**
 * Returns consecutive lines that fit into so many rows: those with the most of the words of the query, the first ones if
 * others have no more. Lines before them are a line with "…".
 */
export function linesIn(
  lines: readonly string[],
  rows: number,
  { columns, words }: { readonly columns: number; readonly words: readonly string[] },
): readonly string[] {
  const stems = words.map((word) => word.toLowerCase().slice(0, STEM_LENGTH));
  const wordsIn = (shown: readonly string[]): number => {
    const text = shown.join("\n").toLowerCase();
    return stems.filter((stem) => text.includes(stem)).length;
  };
  let best = firstLines(lines, rows, columns);
  let most = wordsIn(best);
  // A paragraph or a definition begins after an empty line or an omission.
  for (const [at, line] of lines.entries()) {
    if (!/^[\s…]*$/.test(line)) continue;
    const shown = firstLines(lines.slice(at + 1), rows - 1, columns);
    const count = wordsIn(shown);
    if (count <= most) continue;
    best = [OMITTED, ...shown];
    most = count;
  }
  return best;
}

function firstLines(lines: readonly string[], rows: number, columns: number): readonly string[] {
  let left = rows;
  const end = lines.findIndex((line) => {
    left -= terminalRows([line], columns);
    return left < 0;
  });
  return end < 0 ? lines : lines.slice(0, end);
}
