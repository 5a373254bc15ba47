// Lines too long to be shown: a piece of each, the one that has most of the question.
import { truncateAt } from "../base/truncate-at.ts";

/** Where on a line a term of the question stands, and how much it counts. */
export interface ClipHit {
  readonly start: number;
  readonly weight: number;
}

/** A cut falls behind a blank that is at most as far away. */
const MAX_WORD_SEEK_CHARS = 24;

/**
 * At most `limit` characters of a line, `…` standing for what is left out before and behind them.
 * `hits` are in order. A ```json at its end loses its name: programs that read replies take the first
 * block so called for the result list, and not for what a file says.
 */
export function clip(line: string, limit: number, hits: readonly ClipHit[] = []): string {
  const text = line.trimEnd();
  if (text.length <= limit) return text.replace(/(?<=```)json$/i, "…");
  const start = startOfBest(text, limit, hits);
  const piece = truncateAt(text.slice(start), limit);
  return `${start > 0 ? "…" : ""}${piece}${start + piece.length < text.length ? "…" : ""}`;
}

/** The beginning of the piece with the most weight, a third of it before the first hit; 0 if the beginning does. */
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
  // Never between the halves of a character.
  return /[\uDC00-\uDFFF]/.test(text.charAt(start)) ? start + 1 : start;
}
