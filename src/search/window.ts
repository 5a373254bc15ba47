// Which stretch of lines answers a question, and where it is best begun and ended.
import { weightOf, type LineTerms } from "./line-terms.ts";

/** Lines from 0, inclusive. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/** What has to be known of a line to begin or end at it. */
export interface LineLook {
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
const MINOR = 0.1;
/** A window is not shortened by more than this share to end with a paragraph. */
const MOST_CUT = 0.3;
/** Lines that a window may begin earlier, and so end, than where it has all of the answer. */
const FURTHER = 5;

/**
 * The lines that have most of the question among `size` neighbouring ones: each term counts
 * less each further time, and those that are together on one line more. Undefined where no line has any.
 */
export function telling(lines: readonly LineTerms[], size: number): LineSpan | undefined {
  const alone = lines.map(weightOf);
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
  const least = Math.max(...inside) * MINOR;
  return {
    first: start + inside.findIndex((weight) => weight > 0 && weight >= least),
    last: start + inside.findLastIndex((weight) => weight > 0 && weight >= least),
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
  looks: readonly LineLook[],
  size: number,
): LineSpan {
  const latest = Math.max(0, Math.min(first, looks.length - size));
  const earliest = Math.max(0, Math.min(latest, last - size + 1));
  // Some lines before the answer, more behind it.
  const wanted = first - Math.floor((size - (last - first + 1)) / 3);
  const bestFrom = (lowest: number): number => {
    let best = latest;
    for (let at = latest - 1; at >= lowest; at -= 1) {
      if (isBetterStart(at, best, { looks, wanted })) best = at;
    }
    return best;
  };
  let start = bestFrom(earliest);
  if (looks[start]?.isContinuation === true) {
    const further = bestFrom(Math.max(0, earliest - FURTHER));
    if (looks[further]?.isContinuation === false && further + size > first) start = further;
  }
  return { first: start, last: endOf({ first: start, last }, looks, size) };
}

function isBetterStart(
  at: number,
  than: number,
  { looks, wanted }: { looks: readonly LineLook[]; wanted: number },
): boolean {
  const [one, other] = [badness(looks, at), badness(looks, than)];
  const differs = one.findIndex((part, index) => part !== other[index]);
  if (differs >= 0) return (one[differs] ?? 0) < (other[differs] ?? 0);
  if (looks[at]?.isHeading === true) return at > than;
  return Math.abs(at - wanted) < Math.abs(than - wanted);
}

/** What speaks against a beginning, the most important first. */
function badness(looks: readonly LineLook[], at: number): readonly number[] {
  const look = looks[at];
  if (look === undefined || look.isBlank) return [3];
  if (look.isHeading) return [0];
  const isAfterBlank = at === 0 || looks[at - 1]?.isBlank === true;
  return [look.isContinuation ? 2 : 1, look.indent, isAfterBlank ? 0 : 1];
}

/** Where a window of at most `size` lines ends: with a paragraph or the whole, not with a blank line or what has just begun. */
export function endOf({ first, last }: LineSpan, looks: readonly LineLook[], size: number): number {
  const most = Math.min(looks.length, first + size) - 1;
  // The mark for what is left out would be a line as well.
  if (looks.length - 1 - most <= 1) return looks.length - 1;
  const least = Math.max(last, most - Math.floor(size * MOST_CUT));
  for (let at = most; at >= least; at -= 1) {
    const isLast = looks[at]?.isBlank === false && looks[at + 1]?.isBlank === true;
    if (isLast && !beginsSomething(looks, at)) return at;
  }
  let end = most;
  while (end > last && (looks[end]?.isBlank === true || beginsSomething(looks, end))) end -= 1;
  return end;
}

/** Whether what follows a line belongs to it. */
function beginsSomething(looks: readonly LineLook[], at: number): boolean {
  const look = looks[at];
  const next = looks.slice(at + 1).find(({ isBlank }) => !isBlank);
  if (look === undefined || next === undefined) return false;
  return look.isHeading || look.opensFence || next.indent > look.indent;
}
