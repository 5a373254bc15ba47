// Which lines stand for a chunk that is too long to be shown whole.
import { termsOf, weightOf, type LineTerms } from "./line-terms.ts";
import type { Query } from "./parse-query.ts";
import { signatureIn } from "./signature.ts";
import { endOf, telling, windowAround, type LineLook, type LineSpan } from "./window.ts";

/** A comment above the signature is shown if it takes no more than this share of the lines. */
const COMMENT_SHARE = 0.25;
/** Prose with lines no longer than this has its sentences broken into several. */
const BROKEN_LINE = 100;
const BEGINNING: LineSpan = { first: 0, last: 0 };
const NOTHING: LineTerms = new Map();

export interface ChunkLines {
  readonly lines: readonly string[];
  readonly looks: readonly LineLook[];
  /** Qualified name of what is defined there; "" if nothing is. */
  readonly symbol: string;
  readonly isProse: boolean;
}

/**
 * The title and the stretch of lines that answers, in one where there is room: some `size` lines,
 * counted from 0. The title is the signature, or the heading that the chunk begins with.
 */
export function stretch(chunk: ChunkLines, query: Query, size: number): readonly number[] {
  const { lines, looks, isProse } = chunk;
  const title = titleOf(chunk);
  const terms = lines.map((line) => termsOf(line, query));
  const answer = telling(terms, size) ?? BEGINNING;
  const beginning = isProse ? undefined : beginningFor(answer, title?.first ?? 0, size);
  if (beginning !== undefined) {
    return range({ first: beginning, last: endOf({ ...answer, first: beginning }, looks, size) });
  }
  const own = title === undefined ? [] : range(title);
  // What the title says is shown anyway.
  const others = terms.map((found, at) => (own.includes(at) ? NOTHING : found));
  const rest = Math.max(1, size - own.length);
  return [...own, ...range(windowAround(telling(others, rest) ?? answer, looks, rest))];
}

/** The line of a definition that may be begun at and still shows the answer; undefined if none does. */
function beginningFor(answer: LineSpan, signature: number, size: number): number | undefined {
  const isShortComment = signature <= size * COMMENT_SHARE;
  if (answer.last < size && (answer.first < signature || isShortComment)) return 0;
  return answer.first >= signature && answer.last < signature + size ? signature : undefined;
}

function titleOf({ lines, looks, symbol, isProse }: ChunkLines): LineSpan | undefined {
  if (!isProse) return signatureIn(lines, symbol);
  return looks[0]?.isHeading === true ? BEGINNING : undefined;
}

/** The signature alone; without one, and in prose, whose headings are names already, what tells most. */
export function glimpse(chunk: ChunkLines, query: Query): readonly number[] {
  const { lines, looks, isProse } = chunk;
  const signature = isProse ? undefined : titleOf(chunk);
  if (signature !== undefined) return range(signature);
  const weights = lines.map((line, at) => {
    const look = looks[at];
    if (look === undefined || look.isBlank || look.isHeading || look.opensFence) return 0;
    return isProse && look.isContinuation ? 0 : weightOf(termsOf(line, query));
  });
  const most = Math.max(...weights);
  if (most === 0) return [];
  const best = weights.indexOf(most);
  return isProse ? sentenceAround(best, chunk, weights) : [best];
}

/** A sentence goes on in the line behind or before, where lines are broken. */
function sentenceAround(
  at: number,
  { lines, looks }: ChunkLines,
  weights: readonly number[],
): readonly number[] {
  if ((lines[at] ?? "").length > BROKEN_LINE) return [at];
  const weightNear = (line: number): number => {
    const look = looks[line];
    if (look === undefined || look.isBlank || look.isHeading || look.isContinuation) return -1;
    return weights[line] ?? 0;
  };
  const [before, behind] = [weightNear(at - 1), weightNear(at + 1)];
  if (before > behind) return [at - 1, at];
  return behind >= 0 ? [at, at + 1] : [at];
}

function range({ first, last }: LineSpan): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}
