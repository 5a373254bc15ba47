// Which lines of a chunk are shown. A reader has a budget of tokens: the signature and the lines that
// answer, not fifty lines around them.

import { cutAt } from "../base/cut-at.ts";
import { scanWords, type Tokenizer } from "../chunk/words.ts";
import type { Query } from "./parse-query.ts";

/** Lines that the first, second ... passage of an answer may take; later ones are one-line pointers. */
const LINES_BY_RANK = [30, 20, 14, 10, 10] as const;
const MAX_LINE_LENGTH = 240;
/** Kept free of passages, for the pointers behind them. */
const TOKENS_PER_POINTER = 30;

export interface ChunkText {
  readonly startLine: number;
  readonly lines: readonly string[];
}

/** The usual estimate for source text: four characters a token. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}

/** How many lines the passage at `rank` (0 is the best) may take; 0 means a pointer. */
export function linesAllowed(rank: number): number {
  return LINES_BY_RANK[rank] ?? 0;
}

/** How many results an answer of `maxTokens` has room for. */
export function pointersAllowed(maxTokens: number): number {
  return Math.max(1, Math.floor(maxTokens / TOKENS_PER_POINTER));
}

/** Tokens that passages may take when `results` results share `maxTokens`. */
export function passageBudget(maxTokens: number, results: number): number {
  return Math.max(0, maxTokens - results * TOKENS_PER_POINTER);
}

/**
 * The text shown for a chunk: all of it when it fits in `maxLines`; else its first line and the
 * stretch of lines that holds most of the question, with `…` where lines are left out.
 */
export function excerpt(
  { lines }: ChunkText,
  { query, tokenizer, maxLines }: { query: Query; tokenizer: Tokenizer; maxLines: number },
): string {
  const shown = withoutBlankEdges(lines).map(clip);
  if (shown.length <= maxLines) return shown.join("\n");
  const weights = shown.map((line) => lineWeight(line, query, tokenizer));
  const size = Math.max(1, maxLines - 2);
  const start = bestWindow(weights, size);
  // Near the beginning a gap would hide no more than it takes.
  if (start <= 2) return [...shown.slice(0, start + size), "…"].join("\n");
  const window = shown.slice(start, start + size);
  const isEnd = start + size >= shown.length;
  return [shown[0] ?? "", "…", ...window, ...(isEnd ? [] : ["…"])].join("\n");
}

/** Fewer lines than these say too little: the room is better left to pointers. */
const LEAST_LINES = 4;

/** The excerpt with as many of its lines, halved again and again, as `maxTokens` has room for; else "". */
export function fittingExcerpt(
  text: ChunkText,
  limits: Parameters<typeof excerpt>[1],
  maxTokens: number,
): string {
  let { maxLines } = limits;
  while (maxLines >= LEAST_LINES) {
    const shown = excerpt(text, { ...limits, maxLines });
    if (tokensOf(shown) <= maxTokens) return shown;
    maxLines = Math.floor(Math.min(maxLines, text.lines.length) / 2);
  }
  return "";
}

/** Distinct terms of the question on a line, longer ones counting more: they tell more. */
function lineWeight(line: string, query: Query, tokenizer: Tokenizer): number {
  const seen = new Set<string>();
  scanWords(line, (word) => {
    for (const term of tokenizer.split(word)) if (query.terms.has(term)) seen.add(term);
  });
  let weight = 0;
  for (const term of seen) weight += Math.min(8, term.length);
  return weight;
}

/** Of neighbouring windows that hold as much the middle one: what is found has lines around it. */
function bestWindow(weights: readonly number[], size: number): number {
  let sum = weights.slice(0, size).reduce((total, weight) => total + weight, 0);
  let best = sum;
  let first = 0;
  let last = 0;
  for (let start = 1; start + size <= weights.length; start += 1) {
    sum += (weights[start + size - 1] ?? 0) - (weights[start - 1] ?? 0);
    if (sum > best) {
      best = sum;
      first = start;
      last = start;
    } else if (sum === best && last === start - 1) {
      last = start;
    }
  }
  return (first + last + 1) >> 1;
}

function withoutBlankEdges(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return first < 0 ? [] : lines.slice(first, last + 1);
}

function clip(line: string): string {
  const text = line.trimEnd();
  return text.length > MAX_LINE_LENGTH ? `${cutAt(text, MAX_LINE_LENGTH)}…` : text;
}
