import type { Line } from "./code-lines.ts";

const PREVIEW_LINES = 12;
/** Fewer lines than this are not hidden. */
const MIN_HIDDEN_LINES = 4;

/** Returns the lines shown before the user expands the passage: 0-based, `end` exclusive. */
export function previewOf(lines: readonly Line[]): {
  readonly start: number;
  readonly end: number;
} {
  if (lines.length < PREVIEW_LINES + MIN_HIDDEN_LINES) return { start: 0, end: lines.length };
  const markCounts = lines.map((line) => markCount(line));
  const last = lines.length - PREVIEW_LINES;
  let best = 0;
  let bestSum = sum(markCounts.slice(0, PREVIEW_LINES));
  for (let start = 1, running = bestSum; start <= last; start += 1) {
    running += (markCounts[start + PREVIEW_LINES - 1] ?? 0) - (markCounts[start - 1] ?? 0);
    // The first lines identify the passage, so another window needs clearly more marks.
    if (running > bestSum * (best === 0 ? 1.5 : 1)) [best, bestSum] = [start, running];
  }
  return { start: best, end: best + PREVIEW_LINES };
}

/** Counts the distinct marked words of a line. */
function markCount(line: Line): number {
  return new Set(line.filter(({ isMarked }) => isMarked).map(({ text }) => text.toLowerCase()))
    .size;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
