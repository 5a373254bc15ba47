// Chooses the lines of a file to show for the chunks that match a query: the signature and the matching lines, not
// fifty lines around them. Every line shown is one of the file; `…` replaces omitted lines.
import { selectSummaryLines, selectLines } from "./select-lines.ts";
import { clip } from "./clip.ts";
import { isFenceLine, withCompleteFences, type Fences } from "./fences.ts";
import { lineShapes } from "./line-shapes.ts";
import { termHits } from "./line-terms.ts";
import type { Query } from "./parse-query.ts";

/** Maximum characters shown per line. A line of prose is often a whole paragraph. */
const MAX_LINE_LENGTHS = { code: 240, prose: 400, summary: 160 } as const;
/** With fewer lines than this an excerpt makes no sense, so a summary is shown. */
export const MIN_LINES = 4;
const ELLIPSIS = "…";

/** The data of a file that an excerpt needs. */
export interface ExcerptSource {
  /** All lines, without line breaks. */
  readonly lines: readonly string[];
  readonly isProse: boolean;
  readonly fences: Fences;
}

/** A chunk to show. */
export interface ExcerptPart {
  /** Lines of the file, 1-based, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  /** Qualified name of the definition in the chunk; empty if there is none. */
  readonly symbol: string;
  /**
   * Maximum number of lines, not counting fence lines added at the ends; below `MIN_LINES` only a summary is shown.
   */
  readonly maxLines: number;
}

/**
 * Returns the excerpt of a file for chunks in the order of the file; empty when they have no text. It contains an
 * even number of fence lines.
 */
export function excerpt(file: ExcerptSource, parts: readonly ExcerptPart[], query: Query): string {
  const trimmed = parts.flatMap((part) => withoutBlankEdges(file, part));
  const shown = new Set(trimmed.flatMap((part) => linesOf(file, part, query)));
  const lines = withCompleteFences(shown, fencesAround(file, trimmed));
  const isSummary = trimmed.every(({ maxLines }) => maxLines < MIN_LINES);
  const length = isSummary
    ? MAX_LINE_LENGTHS.summary
    : MAX_LINE_LENGTHS[file.isProse ? "prose" : "code"];
  return render(file, lines, {
    from: trimmed[0]?.startLine ?? 0,
    to: trimmed.at(-1)?.endLine ?? 0,
    // A fence line must keep its start.
    show: (text) =>
      clip(text, length, text.length <= length || isFenceLine(text) ? [] : termHits(text, query)),
  });
}

function withoutBlankEdges({ lines }: ExcerptSource, part: ExcerptPart): readonly ExcerptPart[] {
  const own = lines.slice(part.startLine - 1, part.endLine);
  const first = own.findIndex((line) => line.trim() !== "");
  if (first < 0) return [];
  const last = own.findLastIndex((line) => line.trim() !== "");
  return [{ ...part, startLine: part.startLine + first, endLine: part.startLine + last }];
}

/** In prose, all fences; in code, only those in strings and comments that the excerpt contains. */
function fencesAround({ isProse, fences }: ExcerptSource, parts: readonly ExcerptPart[]): Fences {
  if (isProse) return fences;
  const isInside = (line: number): boolean =>
    parts.some(({ startLine, endLine }) => line >= startLine && line <= endLine);
  const pairs = fences.pairs.filter(({ open, close }) => isInside(open) || isInside(close));
  return { ...fences, pairs };
}

/** Returns the line numbers of a chunk to show. */
function linesOf(file: ExcerptSource, part: ExcerptPart, query: Query): readonly number[] {
  const { startLine, endLine, maxLines, symbol } = part;
  const all = range(startLine, endLine);
  if (all.length <= maxLines) return all;
  const lines = file.lines.slice(startLine - 1, endLine);
  const shapes = lineShapes(lines, { ...file, startLine });
  const chunk = { lines, shapes, symbol, isProse: file.isProse };
  const chosen =
    maxLines < MIN_LINES
      ? selectSummaryLines(chunk, query)
      : selectLines(chunk, query, Math.floor(maxLines));
  return chosen.map((at) => startLine + at);
}

/** Joins the lines, with `…` where lines between `from` and `to` are omitted that are not all blank. */
function render(
  { lines }: ExcerptSource,
  shown: readonly number[],
  { from, to, show }: { from: number; to: number; show: (text: string) => string },
): string {
  const text: string[] = [];
  const pass = (first: number, last: number): void => {
    const hidden = range(first, last).map((line) => lines[line - 1] ?? "");
    const [only] = hidden;
    if (hidden.every((line) => line.trim() === "")) {
      if (hidden.length > 0 && text.length > 0 && last < to) text.push("");
    } else if (hidden.length === 1 && only !== undefined && !isFenceLine(only)) {
      text.push(show(only));
    } else {
      text.push(ELLIPSIS);
    }
  };
  let next = Math.min(from, shown[0] ?? from);
  for (const line of shown) {
    pass(next, line - 1);
    text.push(show(lines[line - 1] ?? ""));
    next = line + 1;
  }
  if (shown.length > 0) pass(next, to);
  return text.join("\n");
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
}
