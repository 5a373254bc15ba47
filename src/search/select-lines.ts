// Selects the lines that represent a chunk too long to show whole.
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

/** A comment above the signature is shown if it takes up to this share of the lines. */
const MAX_COMMENT_SHARE = 0.25;
/** If the lines of prose are no longer than this, a sentence may span several. */
const MAX_WRAPPED_LINE_LENGTH = 100;
const BEGINNING: LineSpan = { first: 0, last: 0 };
const NO_TERMS: LineTerms = new Map();

/** The lines of a chunk from which some are selected. */
export interface ChunkLines {
  readonly lines: readonly string[];
  readonly shapes: readonly LineShape[];
  /** Qualified name of the definition in the chunk; empty if there is none. */
  readonly symbol: string;
  readonly isProse: boolean;
}

/**
 * Returns the title and the best matching lines, contiguous where there is room: about `size` lines, 0-based. The
 * title is the signature, or the heading at the start of the chunk.
 */
export function selectLines(chunk: ChunkLines, query: Query, size: number): readonly number[] {
  const { lines, shapes, isProse } = chunk;
  const title = titleOf(chunk);
  const terms = lines.map((line) => lineTerms(line, query));
  const section = isProse ? sectionStart({ lines, shapes, terms }, query) : undefined;
  if (section !== undefined) {
    const first = { first: section, last: section };
    return range({ first: section, last: windowEnd(first, shapes, size) });
  }
  const best = bestWindow(terms, size) ?? BEGINNING;
  const beginning = isProse ? undefined : startLineFor(best, title?.first ?? 0, size);
  if (beginning !== undefined) {
    return range({
      first: beginning,
      last: windowEnd({ ...best, first: beginning }, shapes, size),
    });
  }
  const own = title === undefined ? [] : range(title);
  // The title is shown anyway, so its terms do not count here.
  const others = terms.map((found, at) => (own.includes(at) ? NO_TERMS : found));
  const rest = Math.max(1, size - own.length);
  return [...own, ...range(windowAround(bestWindow(others, rest) ?? best, shapes, rest))];
}

/** A line of a badge, a picture or a page's own markup. */
const MARKUP = /^\s*(?:<|\[?!\[|[-=*_]{3,}|$|\.\.|\.\\"|:)/;

/**
 * Returns the line at which to start for a question that a title answers: the heading with most of its subject, or the
 * first sentence if the question is about the whole project. Undefined for other questions.
 */
function sectionStart(
  { lines, shapes, terms }: Pick<ChunkLines, "lines" | "shapes"> & { terms: readonly LineTerms[] },
  { topic }: Pick<Query, "topic">,
): number | undefined {
  if (topic === undefined) return undefined;
  const weights = terms.map((found, at) =>
    shapes[at]?.isHeading === true ? totalWeight(found) : 0,
  );
  const most = Math.max(...weights);
  if (most > 0) return weights.indexOf(most);
  const sentence = topic.subject.length === 0 ? lines.findIndex((one) => !MARKUP.test(one)) : -1;
  return sentence < 0 ? undefined : sentence;
}

/** Returns the line of the definition to start at so that the match still fits; undefined if there is none. */
function startLineFor(best: LineSpan, signature: number, size: number): number | undefined {
  const isShortComment = signature <= size * MAX_COMMENT_SHARE;
  if (best.last < size && (best.first < signature || isShortComment)) return 0;
  return best.first >= signature && best.last < signature + size ? signature : undefined;
}

function titleOf({ lines, shapes, symbol, isProse }: ChunkLines): LineSpan | undefined {
  if (!isProse) return signatureIn(lines, symbol);
  return shapes[0]?.isHeading === true ? BEGINNING : undefined;
}

/** A few lines together show the subject of a passage better than one line that happens to have all words. */
const FOCUS_LINES = 6;

/** Returns the best matching line, 0-based, within the lines that match best together; 0 if none matches. */
export function bestLine(lines: readonly string[], query: Query): number {
  const terms = lines.map((line) => lineTerms(line, query));
  const { first, last } = bestWindow(terms, FOCUS_LINES) ?? BEGINNING;
  const weights = terms.slice(first, last + 1).map((found) => totalWeight(found));
  return first + Math.max(0, weights.indexOf(Math.max(...weights)));
}

/**
 * Returns the signature. Without one, and in prose, whose heading is already the result's name, the best matching
 * line.
 */
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

/** Returns the line with the next or the previous one, where prose is wrapped: a sentence may continue there. */
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
