// Splits a passage into lines of pieces. Each piece has one colour and is marked or not.
import type { Token, TokenKind } from "./code-tokens.ts";
import type { Range } from "./ranges.ts";

/** A part of a line with one colour. */
export interface Piece {
  readonly text: string;
  readonly kind: TokenKind | undefined;
  readonly isMarked: boolean;
}

export type Line = readonly Piece[];

/** Both lists are in order, and the ranges within one list do not overlap. */
export function linesOf(text: string, tokens: readonly Token[], marks: readonly Range[]): Line[] {
  const lines: Piece[][] = [];
  const [tokenAt, markAt] = [cursorOver(tokens), cursorOver(marks)];
  let start = 0;
  for (const written of text.split("\n")) {
    const line: Piece[] = [];
    const end = start + written.length;
    for (let at = start; at < end;) {
      const [token, mark] = [tokenAt(at), markAt(at)];
      const until = Math.min(end, boundaryOf(token, at), boundaryOf(mark, at));
      line.push({
        text: text.slice(at, until),
        kind: token !== undefined && token.start <= at ? token.kind : undefined,
        isMarked: mark !== undefined && mark.start <= at,
      });
      at = until;
    }
    lines.push(line);
    start = end + 1;
  }
  return lines;
}

/** Returns a function that finds the range at a position, or the next one. Its positions must not decrease. */
function cursorOver<R extends Range>(ranges: readonly R[]): (at: number) => R | undefined {
  let next = 0;
  return (at) => {
    while ((ranges[next]?.end ?? Infinity) <= at) next += 1;
    return ranges[next];
  };
}

function boundaryOf(range: Range | undefined, at: number): number {
  if (range === undefined) return Infinity;
  return range.start > at ? range.start : range.end;
}
