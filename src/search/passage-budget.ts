// Limits the size of an answer: the client has a token budget.
import { excerpt, MIN_LINES, type ExcerptSource, type ExcerptPart } from "./excerpt.ts";
import type { Query } from "./parse-query.ts";

/**
 * Maximum lines of the first, second and further passages of an answer; later ones get a summary. If the first one is
 * probably wrong, those below it get some of its lines.
 */
const LINES_BY_RANK = { likely: [28, 22, 16, 12, 10], unlikely: [22, 22, 18, 14, 12] } as const;
/** The least confidence in a first result that is likely. */
const MIN_LIKELY = 0.4;
const SUMMARY_LINES = 1;
/** Maximum tokens per line of a passage: a passage of longer lines gets fewer of them. */
const TOKENS_PER_LINE = 15;
const TOKENS_PER_SUMMARY = 120;
/** Tokens for the location of a result: its path, lines and name. Most need fewer. */
const TOKENS_PER_POINTER = 30;
/** Tokens for the line numbers of a longer location, and the note that the file has changed. */
const TOKENS_PER_LINE_NUMBERS = 12;
/** Tokens for the text besides the results: the cursor, or the note that no match is good. */
const TOKENS_OF_NOTES = 20;

/** Estimates the tokens of source text in the usual way: four characters per token. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/**
 * Returns the maximum lines of the passage at `rank` (0 is the best); see `ExcerptPart.maxLines`. Each neighbour of
 * a passage gets a quarter of that. `first`: the confidence in the first result of the answer, 0 to 1.
 */
export function maxPassageLines(
  rank: number,
  { isWeak, first, isNeighbor }: { isWeak: boolean; first: number; isNeighbor: boolean },
): number {
  const byRank = LINES_BY_RANK[first < MIN_LIKELY ? "unlikely" : "likely"];
  const lines = (isWeak ? undefined : byRank[rank]) ?? SUMMARY_LINES;
  return isNeighbor ? lines / 4 : lines;
}

/** Returns how many results fit into an answer of `maxTokens`; half of the tokens are for passages. */
export function maxResultsWithin(maxTokens: number): number {
  return Math.max(1, Math.floor(maxTokens / 2 / TOKENS_PER_POINTER));
}

/** Returns the tokens left for passage text when these results share `maxTokens`. */
export function passageBudget(
  maxTokens: number,
  results: readonly { readonly path: string; readonly symbol: string }[],
): number {
  const pointers = results.map(({ path, symbol }) =>
    Math.max(TOKENS_PER_POINTER, estimateTokens(path + symbol) + TOKENS_PER_LINE_NUMBERS),
  );
  return Math.max(0, maxTokens - TOKENS_OF_NOTES - pointers.reduce((sum, one) => sum + one, 0));
}

/** Returns the excerpt with as many lines as fit into `maxTokens`; empty if none fit. */
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
