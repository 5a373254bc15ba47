// The colors of a whole file: of its grammar, which the server knows, or those that code-tokens.ts recognises.
import { tokensOf, type Token, type TokenKind } from "./code-tokens.ts";
import type { ColorsResponse } from "./search-response.ts";

/** Longer texts are shown without colors if they have no grammar. */
const MAX_UNPARSED = 1 << 20;

const KINDS: readonly TokenKind[] = [
  "comment",
  "string",
  "literal",
  "keyword",
  "type",
  "function",
  "property",
];

/** Returns the colored pieces of a file in order. */
export function fileTokens(
  text: string,
  language: string,
  colors: Pick<ColorsResponse, "kinds" | "pieces">,
): readonly Token[] {
  const { kinds, pieces } = colors;
  if (pieces === null) return text.length > MAX_UNPARSED ? [] : tokensOf(text, language);
  const tokens: Token[] = [];
  let end = 0;
  for (let at = 0; at + 2 < pieces.length; at += 3) {
    const start = end + (pieces[at] ?? 0);
    end = start + (pieces[at + 1] ?? 0);
    const name = kinds[pieces[at + 2] ?? -1];
    // A newer server may know more kinds.
    const kind = KINDS.find((one) => one === name);
    if (kind !== undefined) tokens.push({ start, end, kind });
  }
  return tokens;
}

/** Returns the tokens of a part of the text, relative to its start. `tokens` are in order. */
export function tokensWithin(
  tokens: readonly Token[],
  start: number,
  end: number,
): readonly Token[] {
  let [low, high] = [0, tokens.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.end ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  const found: Token[] = [];
  for (let at = low; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined || token.start >= end) break;
    found.push({
      kind: token.kind,
      start: Math.max(0, token.start - start),
      end: Math.min(end, token.end) - start,
    });
  }
  return found;
}
