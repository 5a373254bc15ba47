// Classifies the lines of a passage, to choose where an excerpt may begin or end.
import { isFenceLine, type Fences } from "./fences.ts";
import type { LineShape } from "./line-window.ts";

const TAB_COLUMNS = 4;
/** Closes or continues the previous line. */
const CONTINUATION =
  /^(?:[)\]}>*{]|(?:end|else|elif|elsif|except|rescue|ensure|catch|finally|then|do|in|and|or)\b|[|&.,?:+]|=+\s*$|-{2,}\s*$)/;
const COMMENT = /^(?:\/\/|--\s|;|#(?:\s|$))/;
/** Headings of Markdown and AsciiDoc. */
const HEADING = /^(?:#{1,6}|={1,6})\s+\S/;
const UNDERLINE = /^([=\-~^"'`*+.])\1{2,}\s*$/;

/** Returns the shape of each line. `startLine` is the 1-based file line of the first one. */
export function lineShapes(
  lines: readonly string[],
  { startLine, isProse, fences }: { startLine: number; isProse: boolean; fences: Fences },
): readonly LineShape[] {
  const inside = new Set<number>();
  const openings = new Set<number>();
  const endLine = startLine + lines.length - 1;
  for (const { open, close } of fences.pairs) {
    openings.add(open);
    for (let line = Math.max(open + 1, startLine); line <= Math.min(close, endLine); line += 1) {
      inside.add(line);
    }
  }
  return lines.map((text, at) => {
    const isInside = inside.has(startLine + at);
    const trimmed = text.trim();
    return {
      isBlank: trimmed === "",
      indent: indentOf(text),
      isHeading: isProse && !isInside && isHeading(trimmed, lines[at + 1]),
      opensFence: openings.has(startLine + at),
      isContinuation: isProse
        ? isInside
        : isContinuation(trimmed, lines[at - 1]) || (isInside && isFenceLine(text)),
    };
  });
}

function isContinuation(text: string, before = ""): boolean {
  return CONTINUATION.test(text) || (COMMENT.test(text) && COMMENT.test(before.trim()));
}

function isHeading(text: string, next: string | undefined): boolean {
  if (HEADING.test(text)) return true;
  return next !== undefined && /^[\p{L}\p{N}]/u.test(text) && UNDERLINE.test(next);
}

function indentOf(text: string): number {
  let columns = 0;
  for (const character of text) {
    if (character === " ") columns += 1;
    else if (character === "\t") columns += TAB_COLUMNS;
    else break;
  }
  return columns;
}
