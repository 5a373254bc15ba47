// How much of an answer is shown: its reader has a budget of tokens.
import { excerpt, MIN_LINES, type ExcerptSource, type ExcerptPart } from "./excerpt.ts";
import type { Query } from "./parse-query.ts";

/** Lines that the first, second ... passage of an answer may take; of later ones there is a glimpse. */
const LINES_BY_RANK = [32, 20, 14, 12, 10] as const;
const SUMMARY_LINES = 1;
/** Tokens for each line of a passage at most: with lines so long there are fewer of them. */
const TOKENS_PER_LINE = 15;
const TOKENS_PER_SUMMARY = 120;
/** For the place of a result: its path, lines, and name; most take less. */
const TOKENS_PER_POINTER = 30;
/** In a place that is longer: for its lines, and that the file has changed. */
const TOKENS_PER_LINE_NUMBERS = 12;
/** For what stands beside the results: the cursor, that nothing is good. */
const TOKENS_OF_NOTES = 20;

/** The usual estimate for source text: four characters a token. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/**
 * How many lines the passage at `rank` (0 is the best) may take; see `ExcerptPart.maxLines`. What is shown
 * of its neighbours takes a quarter each.
 */
export function maxPassageLines(
  rank: number,
  { isWeak, isNeighbor }: { isWeak: boolean; isNeighbor: boolean },
): number {
  const lines = (isWeak ? undefined : LINES_BY_RANK[rank]) ?? SUMMARY_LINES;
  return isNeighbor ? lines / 4 : lines;
}

/** How many results an answer of `maxTokens` has room for; half of them are for passages. */
export function maxResultsWithin(maxTokens: number): number {
  return Math.max(1, Math.floor(maxTokens / 2 / TOKENS_PER_POINTER));
}

/** Tokens that the text of passages may take when these results share `maxTokens`. */
export function passageBudget(
  maxTokens: number,
  results: readonly { readonly path: string; readonly symbol: string }[],
): number {
  const pointers = results.map(({ path, symbol }) =>
    Math.max(TOKENS_PER_POINTER, estimateTokens(path + symbol) + TOKENS_PER_LINE_NUMBERS),
  );
  return Math.max(0, maxTokens - TOKENS_OF_NOTES - pointers.reduce((sum, one) => sum + one, 0));
}

/** The excerpt with as many of its lines as `maxTokens` has room for; else "". */
export function fittingExcerpt(
  file: ExcerptSource,
  parts: readonly ExcerptPart[],
  { query, maxTokens }: { query: Query; maxTokens: number },
): string {
  const inOrder = parts.toSorted((one, other) => one.startLine - other.startLine);
  const room = Math.min(
    maxTokens,
    parts.reduce((sum, part) => sum + maxTokensOf(part), 0),
  );
  let fitting = inOrder.map((part) => ({
    ...part,
    maxLines: Math.min(part.maxLines, Math.max(MIN_LINES, part.endLine - part.startLine + 1)),
  }));
  for (;;) {
    const shown = excerpt(file, fitting, query);
    const tokens = estimateTokens(shown);
    if (tokens <= room) return shown;
    if (fitting.every(({ maxLines }) => maxLines < MIN_LINES)) return "";
    fitting = fitting.map((part) => ({
      ...part,
      maxLines: Math.min(part.maxLines - 1, Math.floor((part.maxLines * room) / tokens)),
    }));
  }
}

function maxTokensOf({ maxLines }: ExcerptPart): number {
  return maxLines < MIN_LINES ? TOKENS_PER_SUMMARY : maxLines * TOKENS_PER_LINE;
}
