// Headers, footers and page numbers: lines at the edge of pages that are the same on several pages but for numbers.

import type { PdfLine } from "./pdf-lines.ts";

/** So many lines at the top and at the bottom of a page may be such lines. */
const EDGE_LINES = 3;
const MIN_PAGES = 3;
/** Such lines are at the same height, in points. */
const HEIGHT_STEP = 4;
const MAX_CHARS = 150;
const NUMBER_ONLY = /^[\s\d\p{P}ivxlcIVXLC]*$/u;

/**
 * Returns the lines of `pages` that repeat at the edges of pages. A page keeps its text if nothing else would remain: its
 * lines are the content of a page that is there several times.
 */
export function repeatedLines(pages: readonly (readonly PdfLine[])[]): ReadonlySet<PdfLine> {
  const groups = new Map<string, PdfLine[]>();
  for (const [index, lines] of pages.entries()) {
    for (const [key, line] of edgesOf(lines, index)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [line]);
      else group.push(line);
    }
  }
  const repeated = [...groups.values()].filter(({ length }) => length >= MIN_PAGES);
  const dropped = new Set(repeated.flat());
  for (const lines of pages.filter((page) => page.every((line) => dropped.has(line))))
    for (const line of lines) if (!NUMBER_ONLY.test(line.text)) dropped.delete(line);
  return dropped;
}

/** The lines at the edges of a page by what they have in common with those of other pages. */
function edgesOf(lines: readonly PdfLine[], index: number): ReadonlyMap<string, PdfLine> {
  const byHeight = lines.toSorted((a, b) => b.y - a.y);
  const top = byHeight.slice(0, EDGE_LINES);
  const bottom = byHeight.slice(EDGE_LINES).slice(-EDGE_LINES);
  const keys = new Map<string, PdfLine>();
  for (const line of [...top, ...bottom]) {
    if (line.text.length > MAX_CHARS) continue;
    const height = Math.round(line.y / HEIGHT_STEP);
    keys.set(`${height} ${Math.round(line.size)} ${shapeOf(line.text)}`, line);
    const number = /^\d{1,5}(?!\S)|(?<!\S)\d{1,5}$/u.exec(line.text)?.[0];
    // The numbers of pages go up by one, whatever else such a line has.
    if (number !== undefined) keys.set(`${height} page ${Number(number) - index}`, line);
  }
  return keys;
}

/** The text with each number, also a Roman one that is alone, as "#". */
function shapeOf(text: string): string {
  return text
    .replace(/\d+/gu, "#")
    .replace(/(?<![\p{L}\p{N}])[ivxlcIVXLC]{1,9}(?![\p{L}\p{N}])/gu, "#")
    .replace(/\s+/gu, " ");
}
