/** Results with lines; the others are one line each. */
const MAX_WITH_LINES = 5;
/** Lines of the best result that the list of the others leaves room for. */
const MIN_BEST_LINES = 6;

interface Screen {
  /** Rows of the window that results may fill. */
  readonly rows: number;
  /** Rows of each result without its lines: its location, and what else is shown of all. */
  readonly head: number;
}

/** What fits on a screen. */
export interface FittedResults {
  /** How many lines to show of each result, best first; results after these have no room. */
  readonly lines: readonly number[];
  readonly isComplete: boolean;
}

/**
 * Divides a window among results. The best ones get their lines, whole but for the very best; the others only a location.
 * `heights`: the number of lines of each result, best first.
 */
export function fitResults(heights: readonly number[], { rows, head }: Screen): FittedResults {
  const best = Math.min(heights[0] ?? 0, MIN_BEST_LINES);
  const count = Math.min(heights.length, Math.max(1, Math.floor((rows - best) / head)));
  let left = Math.max(best, rows - count * head);
  let isCut = false;
  const lines = heights.slice(0, count).map((height, at) => {
    if (isCut || at >= MAX_WITH_LINES || height > left) isCut ||= height > 0;
    if (isCut && at > 0) return 0;
    const shown = Math.min(height, left);
    left -= shown;
    return shown;
  });
  const isComplete = count === heights.length && lines.every((shown, at) => shown === heights[at]);
  return { lines, isComplete };
}
