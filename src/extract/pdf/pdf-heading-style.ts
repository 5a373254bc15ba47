// Headings of a document without an outline: short lines in larger letters, or in a font of their own.

import { MAX_TITLE_LINES, type PlacedHeading } from "./pdf-headings.ts";
import type { PdfLine } from "./pdf-lines.ts";

const MAX_HEADING_CHARS = 120;
/** Letters of a heading are larger than those of the text by this factor. */
const LARGER = 1.12;
/** If more of the lines look like that, they are not headings. */
const MAX_SHARE = 0.2;
const SIZE_LEVELS = 4;
/** The distance from a heading to the line above, in its font sizes. */
const GAP_ABOVE = 1.4;

/** What the letters of a document look like. */
interface Styles {
  /** Level of a heading by the size of its letters. */
  readonly levels: ReadonlyMap<number, number>;
  readonly bodySize: number;
  /** Fonts of so little of the text that a line in one of them may be a heading. */
  readonly rareFonts: ReadonlySet<string>;
}

/** Returns the headings of all pages. `isFixed`: whether a font is one of program code. */
export function headingsByStyle(
  pages: readonly (readonly PdfLine[])[],
  isFixed: (font: string) => boolean,
): readonly (readonly PlacedHeading[])[] {
  const styles = stylesOf(pages.flat(), isFixed);
  return pages.map((lines) => headingsOn(lines, styles));
}

function stylesOf(lines: readonly PdfLine[], isFixed: (font: string) => boolean): Styles {
  const chars = new Map<number, number>();
  const counts = new Map<number, number>();
  const fonts = new Map<string, number>();
  for (const { text, size, pieces } of lines) {
    const key = sizeClass(size);
    chars.set(key, (chars.get(key) ?? 0) + text.length);
    counts.set(key, (counts.get(key) ?? 0) + 1);
    for (const piece of pieces)
      fonts.set(piece.font, (fonts.get(piece.font) ?? 0) + piece.text.length);
  }
  const [[bodySize] = [0]] = [...chars].toSorted(([, a], [, b]) => b - a);
  const sizes = [...chars.keys()]
    .filter((size) => size >= bodySize * LARGER)
    .filter((size) => (counts.get(size) ?? 0) <= lines.length * MAX_SHARE)
    .toSorted((a, b) => b - a);
  const total = [...fonts.values()].reduce((sum, count) => sum + count, 0);
  const rare = [...fonts].filter(([font, count]) => count <= total * MAX_SHARE && !isFixed(font));
  return {
    bodySize,
    levels: new Map(sizes.map((size, at) => [size, Math.min(at + 1, SIZE_LEVELS)])),
    rareFonts: new Set(rare.map(([font]) => font)),
  };
}

function headingsOn(lines: readonly PdfLine[], styles: Styles): readonly PlacedHeading[] {
  const levels = lines.map((line) => styles.levels.get(sizeClass(line.size)));
  const found: PlacedHeading[] = [];
  let at = 0;
  while (at < lines.length) {
    const level = levels[at];
    let end = at + 1;
    if (level === undefined) {
      if (hasFontOfItsOwn(lines, at, styles))
        found.push({
          title: lines[at]?.text ?? "",
          level: Math.min(styles.levels.size, SIZE_LEVELS) + 1,
          line: at,
          lineCount: 1,
        });
    } else {
      while (end < lines.length && levels[end] === level) end += 1;
      const texts = lines.slice(at, end).map(({ text }) => text);
      const title = texts.join(" ");
      if (isTitle(title) && end - at <= MAX_TITLE_LINES)
        found.push({ title, level, line: at, lineCount: end - at });
    }
    at = end;
  }
  return found;
}

/** Whether a line apart from the one above, in letters of the usual size, is in a font that the next line is not in. */
function hasFontOfItsOwn(lines: readonly PdfLine[], at: number, styles: Styles): boolean {
  const [before, line, next] = [lines[at - 1], lines[at], lines[at + 1]];
  if (line === undefined || next === undefined || !/^[\p{Lu}\p{N}]/u.test(line.text)) return false;
  const [font, ...others] = new Set(line.pieces.map((piece) => piece.font));
  if (font === undefined || others.length > 0 || !styles.rareFonts.has(font)) return false;
  if (line.size < styles.bodySize * 0.95 || !isTitle(line.text) || line.text.endsWith(":"))
    return false;
  const gap = before === undefined ? Infinity : before.y - line.y;
  const isApart = gap < 0 || gap > line.size * GAP_ABOVE;
  return isApart && !next.pieces.some((piece) => piece.font === font);
}

function isTitle(text: string): boolean {
  return text.length <= MAX_HEADING_CHARS && /\p{L}{2}/u.test(text) && !/[.,;]$/u.test(text);
}

/** Sizes that look the same: half points. */
function sizeClass(size: number): number {
  return Math.round(size * 2) / 2;
}
