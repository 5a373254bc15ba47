// Finds the lines that match a query best, and where an excerpt of them should begin and end.
import { totalWeight, type LineTerms } from "./line-terms.ts";

/** Lines, 0-based, inclusive. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/** The properties of a line that decide whether an excerpt may begin or end there. */
export interface LineShape {
  readonly isBlank: boolean;
  /** Indentation in columns. */
  readonly indent: number;
  /** True for the title of a section. */
  readonly isHeading: boolean;
  readonly opensFence: boolean;
  /**
   * True when the line belongs to the previous one: a closing bracket, `else`, the middle of a comment or of a
   * fence.
   */
  readonly isContinuation: boolean;
}

/** A line with less than this share of the best line's weight does not affect the window. */
const MIN_LINE_SHARE = 0.1;
/** A window is shortened by up to this share to end with a paragraph. */
const MAX_CUT_SHARE = 0.3;
/** A window may begin, and so end, up to this many lines before the range that contains all matches. */
const MAX_EXTRA_LINES = 5;

/**
 * Returns the `size` consecutive lines that match the query best. Repeats of a term count less each time, and terms
 * on the same line count more. Undefined when no line contains a term.
 */
export function bestWindow(lines: readonly LineTerms[], size: number): LineSpan | undefined {
  const alone = lines.map(totalWeight);
  const together = alone.map((weight, at) => weight * (1 - 1 / Math.max(1, lines[at]?.size ?? 0)));
  const counts = new Map<string, number>();
  let sum = 0;
  const count = (at: number, change: 1 | -1): void => {
    for (const [term, weight] of lines[at] ?? []) {
      const before = counts.get(term) ?? 0;
      counts.set(term, before + change);
      sum += weight * (repeated(before + change) - repeated(before));
    }
  };
  let best = 0;
  let start = 0;
  for (let at = 0; at < lines.length; at += 1) {
    count(at, 1);
    if (at >= size) count(at - size, -1);
    const from = Math.max(0, at - size + 1);
    const score = sum + Math.max(...together.slice(from, at + 1)) / 2;
    // A rounding error must not count as an improvement.
    if (score > best + 1e-9) {
      best = score;
      start = from;
    }
  }
  if (best === 0) return undefined;
  const inside = alone.slice(start, start + size);
  const minWeight = Math.max(...inside) * MIN_LINE_SHARE;
  return {
    first: start + inside.findIndex((weight) => weight > 0 && weight >= minWeight),
    last: start + inside.findLastIndex((weight) => weight > 0 && weight >= minWeight),
  };
}

/** Returns the factor for a term that occurs `count` times: 1, 1.5, 1.75, always below 2. */
function repeated(count: number): number {
  return count === 0 ? 0 : 2 - 2 ** (1 - count);
}

/**
 * Returns up to `size` lines around the span. They begin at a heading, else at the least indented line nearby, and
 * end with a paragraph if one ends nearby.
 */
export function windowAround(
  { first, last }: LineSpan,
  shapes: readonly LineShape[],
  size: number,
): LineSpan {
  const latest = Math.max(0, Math.min(first, shapes.length - size));
  const earliest = Math.max(0, Math.min(latest, last - size + 1));
  // Leave a third of the room before the match and the rest after it.
  const wanted = first - Math.floor((size - (last - first + 1)) / 3);
  const bestFrom = (lowest: number): number => {
    let best = latest;
    for (let at = latest - 1; at >= lowest; at -= 1) {
      if (isBetterStart(at, best, { shapes, wanted })) best = at;
    }
    return best;
  };
  let start = bestFrom(earliest);
  if (shapes[start]?.isContinuation === true) {
    const further = bestFrom(Math.max(0, earliest - MAX_EXTRA_LINES));
    if (shapes[further]?.isContinuation === false && further + size > first) start = further;
  }
  return { first: start, last: windowEnd({ first: start, last }, shapes, size) };
}

function isBetterStart(
  at: number,
  than: number,
  { shapes, wanted }: { shapes: readonly LineShape[]; wanted: number },
): boolean {
  const [one, other] = [startPenalties(shapes, at), startPenalties(shapes, than)];
  const differs = one.findIndex((part, index) => part !== other[index]);
  if (differs >= 0) return (one[differs] ?? 0) < (other[differs] ?? 0);
  if (shapes[at]?.isHeading === true) return at > than;
  return Math.abs(at - wanted) < Math.abs(than - wanted);
}

/** Returns the penalties of a start line, the most important first. */
function startPenalties(shapes: readonly LineShape[], at: number): readonly number[] {
  const shape = shapes[at];
  if (shape === undefined || shape.isBlank) return [3];
  if (shape.isHeading) return [0];
  const isAfterBlank = at === 0 || shapes[at - 1]?.isBlank === true;
  return [shape.isContinuation ? 2 : 1, shape.indent, isAfterBlank ? 0 : 1];
}

/**
 * Returns the last line of a window of up to `size` lines: the end of the text or of a paragraph, but not a blank
 * line or one that opens a block.
 */
export function windowEnd(
  { first, last }: LineSpan,
  shapes: readonly LineShape[],
  size: number,
): number {
  const maxEnd = Math.min(shapes.length, first + size) - 1;
  // The ellipsis would also take a line.
  if (shapes.length - 1 - maxEnd <= 1) return shapes.length - 1;
  const minEnd = Math.max(last, maxEnd - Math.floor(size * MAX_CUT_SHARE));
  for (let at = maxEnd; at >= minEnd; at -= 1) {
    const isLast = shapes[at]?.isBlank === false && shapes[at + 1]?.isBlank === true;
    if (isLast && !startsBlock(shapes, at)) return at;
  }
  let end = maxEnd;
  while (end > last && (shapes[end]?.isBlank === true || startsBlock(shapes, end))) end -= 1;
  return end;
}

/** Returns true when the next line belongs to this one. */
function startsBlock(shapes: readonly LineShape[], at: number): boolean {
  const shape = shapes[at];
  const next = shapes.slice(at + 1).find(({ isBlank }) => !isBlank);
  if (shape === undefined || next === undefined) return false;
  return shape.isHeading || shape.opensFence || next.indent > shape.indent;
}
