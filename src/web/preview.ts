import type { Line } from "./code-lines.ts";

const PREVIEW_LINES = 12;
/** Nothing is folded away for fewer lines than these. */
const MIN_HIDDEN_LINES = 4;

/** The lines that are shown before all are asked for: from 0, `end` exclusive. */
export function previewOf(lines: readonly Line[]): {
  readonly start: number;
  readonly end: number;
} {
  if (lines.length < PREVIEW_LINES + MIN_HIDDEN_LINES) return { start: 0, end: lines.length };
  const worth = lines.map((line) => markCount(line));
  const last = lines.length - PREVIEW_LINES;
  let best = 0;
  let bestSum = sum(worth.slice(0, PREVIEW_LINES));
  for (let start = 1, running = bestSum; start <= last; start += 1) {
    running += (worth[start + PREVIEW_LINES - 1] ?? 0) - (worth[start - 1] ?? 0);
    // The first lines say what it is: others have to hold clearly more.
    if (running > bestSum * (best === 0 ? 1.5 : 1)) [best, bestSum] = [start, running];
  }
  return { start: best, end: best + PREVIEW_LINES };
}

/** Each of its words counts once. */
function markCount(line: Line): number {
  return new Set(line.filter(({ isMarked }) => isMarked).map(({ text }) => text.toLowerCase()))
    .size;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
