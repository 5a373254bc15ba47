// Which lines stand for a chunk that is too long to be shown whole.
import { lineTerms, totalWeight, type LineTerms } from "./line-terms.ts";
import type { Query } from "./parse-query.ts";
import { signatureIn } from "./signature.ts";
import {
  windowEnd,
  bestWindow,
  windowAround,
  type LineShape,
  type LineSpan,
} from "./line-window.ts";

/** A comment above the signature is shown if it takes no more than this share of the lines. */
const MAX_COMMENT_SHARE = 0.25;
/** Prose with lines no longer than this has its sentences broken into several. */
const MAX_WRAPPED_LINE_LENGTH = 100;
const BEGINNING: LineSpan = { first: 0, last: 0 };
const NO_TERMS: LineTerms = new Map();

export interface ChunkLines {
  readonly lines: readonly string[];
  readonly shapes: readonly LineShape[];
  /** Qualified name of what is defined there; "" if nothing is. */
  readonly symbol: string;
  readonly isProse: boolean;
}

/**
 * The title and the stretch of lines that answers, in one where there is room: some `size` lines,
 * counted from 0. The title is the signature, or the heading that the chunk begins with.
 */
export function selectLines(chunk: ChunkLines, query: Query, size: number): readonly number[] {
  const { lines, shapes, isProse } = chunk;
  const title = titleOf(chunk);
  const terms = lines.map((line) => lineTerms(line, query));
  const best = bestWindow(terms, size) ?? BEGINNING;
  const beginning = isProse ? undefined : startLineFor(best, title?.first ?? 0, size);
  if (beginning !== undefined) {
    return range({
      first: beginning,
      last: windowEnd({ ...best, first: beginning }, shapes, size),
    });
  }
  const own = title === undefined ? [] : range(title);
  // What the title says is shown anyway.
  const others = terms.map((found, at) => (own.includes(at) ? NO_TERMS : found));
  const rest = Math.max(1, size - own.length);
  return [...own, ...range(windowAround(bestWindow(others, rest) ?? best, shapes, rest))];
}

/** The line of a definition that may be begun at and still shows the answer; undefined if none does. */
function startLineFor(best: LineSpan, signature: number, size: number): number | undefined {
  const isShortComment = signature <= size * MAX_COMMENT_SHARE;
  if (best.last < size && (best.first < signature || isShortComment)) return 0;
  return best.first >= signature && best.last < signature + size ? signature : undefined;
}

function titleOf({ lines, shapes, symbol, isProse }: ChunkLines): LineSpan | undefined {
  if (!isProse) return signatureIn(lines, symbol);
  return shapes[0]?.isHeading === true ? BEGINNING : undefined;
}

/** The signature alone; without one, and in prose, whose headings are names already, what tells most. */
export function selectSummaryLines(chunk: ChunkLines, query: Query): readonly number[] {
  const { lines, shapes, isProse } = chunk;
  const signature = isProse ? undefined : titleOf(chunk);
  if (signature !== undefined) return range(signature);
  const weights = lines.map((line, at) => {
    const shape = shapes[at];
    if (shape === undefined || shape.isBlank || shape.isHeading || shape.opensFence) return 0;
    return isProse && shape.isContinuation ? 0 : totalWeight(lineTerms(line, query));
  });
  const maxWeight = Math.max(...weights);
  if (maxWeight === 0) return [];
  const best = weights.indexOf(maxWeight);
  return isProse ? sentenceAround(best, chunk, weights) : [best];
}

/** A sentence goes on in the line behind or before, where lines are broken. */
function sentenceAround(
  at: number,
  { lines, shapes }: ChunkLines,
  weights: readonly number[],
): readonly number[] {
  if ((lines[at] ?? "").length > MAX_WRAPPED_LINE_LENGTH) return [at];
  const neighborWeight = (line: number): number => {
    const shape = shapes[line];
    if (shape === undefined || shape.isBlank || shape.isHeading || shape.isContinuation) return -1;
    return weights[line] ?? 0;
  };
  const [before, after] = [neighborWeight(at - 1), neighborWeight(at + 1)];
  if (before > after) return [at - 1, at];
  return after >= 0 ? [at, at + 1] : [at];
}

function range({ first, last }: LineSpan): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}
