// Cuts lines that are too long to show to the part that matches the query best.
import { truncateAt } from "../base/truncate-at.ts";

/** Start of a query term on a line, in UTF-16 units, and the weight of the term. */
export interface ClipHit {
  readonly start: number;
  readonly weight: number;
}

/** A cut moves to the next blank if that is within this many characters. */
const MAX_WORD_SEEK_CHARS = 24;

/**
 * Returns up to `limit` characters of a line, with `…` in place of the text omitted at either end. `hits` are in
 * order. A ```json at the end of the line loses its name, because programs that read replies take the first block
 * of that name for the result list.
 */
export function clip(line: string, limit: number, hits: readonly ClipHit[] = []): string {
  const text = line.trimEnd();
  if (text.length <= limit) return text.replace(/(?<=```)json$/i, "…");
  const start = startOfBest(text, limit, hits);
  const piece = truncateAt(text.slice(start), limit);
  return `${start > 0 ? "…" : ""}${piece}${start + piece.length < text.length ? "…" : ""}`;
}

/**
 * Returns the start of the heaviest piece, with a third of it before the first hit; 0 if the line's start is as
 * good.
 */
function startOfBest(text: string, limit: number, hits: readonly ClipHit[]): number {
  let best = hits.reduce((sum, { start, weight }) => (start < limit ? sum + weight : sum), 0);
  let first = -1;
  let sum = 0;
  let end = 0;
  const reach = limit - Math.floor(limit / 3);
  for (const { start, weight } of hits) {
    for (let next = hits[end]; next !== undefined && next.start < start + reach; next = hits[end]) {
      sum += next.weight;
      end += 1;
    }
    if (sum > best) {
      best = sum;
      first = start;
    }
    sum -= weight;
  }
  if (first < limit / 3) return 0;
  const from = Math.min(first - Math.floor(limit / 3), text.length - limit);
  const blank = text.slice(from, from + MAX_WORD_SEEK_CHARS).search(/\s\S/);
  const start = blank < 0 ? from : from + blank + 1;
  // Do not cut between two surrogates.
  return /[\uDC00-\uDFFF]/.test(text.charAt(start)) ? start + 1 : start;
}
