// Which stretch of lines answers a question, and where it is best begun and ended.
import { totalWeight, type LineTerms } from "./line-terms.ts";

/** Lines from 0, inclusive. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/** What has to be known of a line to begin or end at it. */
export interface LineShape {
  readonly isBlank: boolean;
  /** Columns. */
  readonly indent: number;
  /** A title of a section. */
  readonly isHeading: boolean;
  readonly opensFence: boolean;
  /** True for what goes with the line before: a closing bracket, `else`, the middle of a comment or of a fence. */
  readonly isContinuation: boolean;
}

/** Lines that count less than this share of the best one do not decide what is shown. */
const MIN_LINE_SHARE = 0.1;
/** A window is not shortened by more than this share to end with a paragraph. */
const MAX_CUT_SHARE = 0.3;
/** Lines that a window may begin earlier, and so end, than where it has all of the answer. */
const MAX_EXTRA_LINES = 5;

/**
 * The lines that have most of the question among `size` neighbouring ones: each term counts
 * less each further time, and those that are together on one line more. Undefined where no line has any.
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
    // What rounding leaves is not better.
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

/** What a term counts that comes so often: 1, 1.5, 1.75, and never 2. */
function repeated(count: number): number {
  return count === 0 ? 0 : 2 - 2 ** (1 - count);
}

/**
 * At most `size` lines around those given, begun at a heading, else at the least indented line
 * nearby, and ended with a paragraph where one ends nearby.
 */
export function windowAround(
  { first, last }: LineSpan,
  shapes: readonly LineShape[],
  size: number,
): LineSpan {
  const latest = Math.max(0, Math.min(first, shapes.length - size));
  const earliest = Math.max(0, Math.min(latest, last - size + 1));
  // Some lines before the answer, more behind it.
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

/** What speaks against a beginning, the most important first. */
function startPenalties(shapes: readonly LineShape[], at: number): readonly number[] {
  const shape = shapes[at];
  if (shape === undefined || shape.isBlank) return [3];
  if (shape.isHeading) return [0];
  const isAfterBlank = at === 0 || shapes[at - 1]?.isBlank === true;
  return [shape.isContinuation ? 2 : 1, shape.indent, isAfterBlank ? 0 : 1];
}

/** Where a window of at most `size` lines ends: with a paragraph or the whole, not with a blank line or what has just begun. */
export function windowEnd(
  { first, last }: LineSpan,
  shapes: readonly LineShape[],
  size: number,
): number {
  const maxEnd = Math.min(shapes.length, first + size) - 1;
  // The mark for what is left out would be a line as well.
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

/** Whether what follows a line belongs to it. */
function startsBlock(shapes: readonly LineShape[], at: number): boolean {
  const shape = shapes[at];
  const next = shapes.slice(at + 1).find(({ isBlank }) => !isBlank);
  if (shape === undefined || next === undefined) return false;
  return shape.isHeading || shape.opensFence || next.indent > shape.indent;
}
