// How much of an answer is shown: its reader has a budget of tokens.
import { excerpt, LEAST_LINES, type FileText, type Part } from "./excerpt.ts";
import type { Query } from "./parse-query.ts";

/** Lines that the first, second ... passage of an answer may take; of later ones there is a glimpse. */
const LINES_BY_RANK = [32, 20, 14, 12, 10] as const;
const GLIMPSE = 1;
/** Tokens for each line of a passage at most: with lines so long there are fewer of them. */
const TOKENS_PER_LINE = 15;
const TOKENS_PER_GLIMPSE = 120;
/** For the place of a result: its path, lines, and name; most take less. */
const TOKENS_PER_POINTER = 30;
/** In a place that is longer: for its lines, and that the file has changed. */
const TOKENS_OF_LINES = 12;
/** For what stands beside the results: the cursor, that nothing is good. */
const TOKENS_OF_NOTES = 20;

/** The usual estimate for source text: four characters a token. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}

/**
 * How many lines the passage at `rank` (0 is the best) may take; see `Part.maxLines`. What is shown
 * of its neighbours takes a quarter each.
 */
export function linesAllowed(
  rank: number,
  { isWeak, isNeighbour }: { isWeak: boolean; isNeighbour: boolean },
): number {
  const lines = (isWeak ? undefined : LINES_BY_RANK[rank]) ?? GLIMPSE;
  return isNeighbour ? lines / 4 : lines;
}

/** How many results an answer of `maxTokens` has room for; half of them are for passages. */
export function resultsAllowed(maxTokens: number): number {
  return Math.max(1, Math.floor(maxTokens / 2 / TOKENS_PER_POINTER));
}

/** Tokens that the text of passages may take when these results share `maxTokens`. */
export function passageBudget(
  maxTokens: number,
  results: readonly { readonly path: string; readonly symbol: string }[],
): number {
  const pointers = results.map(({ path, symbol }) =>
    Math.max(TOKENS_PER_POINTER, tokensOf(path + symbol) + TOKENS_OF_LINES),
  );
  return Math.max(0, maxTokens - TOKENS_OF_NOTES - pointers.reduce((sum, one) => sum + one, 0));
}

/** The excerpt with as many of its lines as `maxTokens` has room for; else "". */
export function fittingExcerpt(
  file: FileText,
  parts: readonly Part[],
  { query, maxTokens }: { query: Query; maxTokens: number },
): string {
  const inOrder = parts.toSorted((one, other) => one.startLine - other.startLine);
  const room = Math.min(
    maxTokens,
    parts.reduce((sum, part) => sum + mostTokens(part), 0),
  );
  let fitting = inOrder.map((part) => ({
    ...part,
    maxLines: Math.min(part.maxLines, Math.max(LEAST_LINES, part.endLine - part.startLine + 1)),
  }));
  for (;;) {
    const shown = excerpt(file, fitting, query);
    const tokens = tokensOf(shown);
    if (tokens <= room) return shown;
    if (fitting.every(({ maxLines }) => maxLines < LEAST_LINES)) return "";
    fitting = fitting.map((part) => ({
      ...part,
      maxLines: Math.min(part.maxLines - 1, Math.floor((part.maxLines * room) / tokens)),
    }));
  }
}

function mostTokens({ maxLines }: Part): number {
  return maxLines < LEAST_LINES ? TOKENS_PER_GLIMPSE : maxLines * TOKENS_PER_LINE;
}
