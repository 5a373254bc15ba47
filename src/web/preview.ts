import type { Line } from "./code-lines.ts";

const PREVIEW_LINES = 12;
/** Fewer lines than this are not hidden. */
const MIN_HIDDEN_LINES = 4;
/** Lines around each line that matches. */
const CONTEXT_LINES = 1;

/**
 * Returns which lines are shown before the user expands the passage: its first line of code, and those that match best,
 * with the lines around them.
 */
export function previewOf(lines: readonly Line[]): readonly boolean[] {
  if (lines.length < PREVIEW_LINES + MIN_HIDDEN_LINES) return lines.map(() => true);
  const isShown = lines.map(() => false);
  let left = PREVIEW_LINES;
  const show = (at: number): void => {
    if (at < 0 || at >= lines.length || isShown[at] === true || left === 0) return;
    isShown[at] = true;
    left -= 1;
  };
  show(Math.max(0, lines.findIndex(isCode)));
  const counts = lines.map((line, at) => ({ at, count: markCount(line) }));
  const matching = counts.filter(({ count }) => count > 0);
  // Sorting is stable: of equals, the first comes first.
  const best = matching.toSorted((one, other) => other.count - one.count);
  for (const { at } of best) {
    for (let line = at - CONTEXT_LINES; line <= at + CONTEXT_LINES; line += 1) show(line);
  }
  // Without matches the beginning identifies the passage.
  if (best.length === 0) for (const at of lines.keys()) show(at);
  return isShown;
}

function isCode(line: Line): boolean {
  return line.some(({ text, kind }) => kind !== "comment" && /[\p{L}\p{N}]/u.test(text));
}

/** Counts the distinct marked words of a line. */
function markCount(line: Line): number {
  return new Set(line.filter(({ isMarked }) => isMarked).map(({ text }) => text.toLowerCase()))
    .size;
}
