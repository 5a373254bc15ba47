// Headings of a document without an outline: short lines in larger letters or in a font of their own, and numbered titles
// that the text follows on the same line.

import { MAX_TITLE_LINES, type PlacedHeading } from "./pdf-headings.ts";
import type { PdfLine } from "./pdf-lines.ts";

const MAX_HEADING_CHARS = 120;
/** A heading in letters of the usual size goes on only after a line of so many characters. */
const MIN_FULL_CHARS = 40;
/** The same of headings of several lines in letters of the usual size: of questions, for example. */
const MAX_LINES_CHARS = 180;
/** Letters of a heading are larger than those of the text by this factor. */
const LARGER = 1.12;
/** If more of the lines look like that, they are not headings. */
const MAX_SHARE = 0.2;
const SIZE_LEVELS = 4;
/** A number of several parts and the title after it, up to the end of its sentence. */
const NUMBERED = /^(?<title>\d+(?:\.\d+)+\.? \p{Lu}[^.?!]{2,80}[.?!])(?= )/u;
const BEGINS_WITH_NUMBER = /^\d+(?:\.\d+)*\.? +\p{Lu}/u;
/** A gap between columns, but for the one after the number of a section: lines of tables and of contents have them. */
const COLUMNS = /\S {2,}\S|\.{3}/u;
const NUMBER = /^(?:\p{L}?\d*(?:\.\d+)*\.?|(?:appendix|chapter|part|section) \S{1,5}) {2,}/iu;
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
      const heading =
        headingByFont(lines, at, styles) ??
        numberedBeginning(lines[at], at, styles) ??
        numberedLine(lines, at, styles);
      if (heading !== undefined)
        found.push({ ...heading, level: levelBelow(styles) + depthOf(heading.title) });
      end = at + Math.max(1, heading?.lineCount ?? 1);
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

/** The level of headings in letters of the usual size. */
function levelBelow({ levels }: Styles): number {
  return Math.min(levels.size, SIZE_LEVELS) + 1;
}

/** How many numbers of a title are those of the sections around it: 1 of "2.4. Objects". */
function depthOf(title: string): number {
  return (/^\d+(?:\.\d+)+/u.exec(title)?.[0].split(".").length ?? 1) - 1;
}

type UnleveledHeading = Omit<PlacedHeading, "level">;

/**
 * A heading in letters of the usual size: lines apart from the one above, in a font that the line after them is not in.
 * Undefined if none begins at that line.
 */
function headingByFont(
  lines: readonly PdfLine[],
  at: number,
  styles: Styles,
): UnleveledHeading | undefined {
  const first = lines[at];
  if (first === undefined || !/^[\p{Lu}\p{N}]/u.test(first.text)) return undefined;
  const font = onlyFontOf(first);
  if (font === undefined || !styles.rareFonts.has(font)) return undefined;
  if (!isApart(lines[at - 1], first)) return undefined;
  const end = endOfFont(lines, at, font);
  const next = lines[end];
  if (next === undefined || next.pieces.some((piece) => piece.font === font)) return undefined;
  const own = lines.slice(at, end);
  const title = own.map(({ text }) => text).join(" ");
  const isSmall = own.some(({ size }) => size < styles.bodySize * 0.95);
  const maxChars = own.length === 1 ? MAX_HEADING_CHARS : MAX_LINES_CHARS;
  if (isSmall || own.length > MAX_TITLE_LINES || !isTitle(title, maxChars) || title.endsWith(":"))
    return undefined;
  return { title, line: at, lineCount: own.length };
}

/** The index after the last line, of those that follow each other and may be one heading, in a font. */
function endOfFont(lines: readonly PdfLine[], at: number, font: string): number {
  let end = at + 1;
  while (end - at <= MAX_TITLE_LINES && onlyFontOf(lines[end]) === font && isFull(lines[end - 1]))
    end += 1;
  return end;
}

/** A heading with a number that is apart from the lines around it. Its words may be in several fonts. */
function numberedLine(
  lines: readonly PdfLine[],
  at: number,
  { rareFonts }: Styles,
): UnleveledHeading | undefined {
  const [before, line, next] = [lines[at - 1], lines[at], lines[at + 1]];
  const font = line?.pieces[0]?.font;
  if (line === undefined || next === undefined || font === undefined) return undefined;
  if (!rareFonts.has(font) || !isApart(before, line) || !isApart(line, next)) return undefined;
  const title = line.text.replace(/\.$/u, "");
  if (!BEGINS_WITH_NUMBER.test(title) || !isTitle(title)) return undefined;
  return { title, line: at, lineCount: 1 };
}

/** Whether there is more room between two lines than in a paragraph. The first line of a page is apart. */
function isApart(before: PdfLine | undefined, line: PdfLine): boolean {
  const gap = before === undefined ? Infinity : before.y - line.y;
  return gap < 0 || gap > line.size * GAP_ABOVE;
}

/** A heading with a number that the text follows on its line: "2.1.3. Constructors. A class …". */
function numberedBeginning(
  line: PdfLine | undefined,
  at: number,
  styles: Styles,
): UnleveledHeading | undefined {
  const title = NUMBERED.exec(line?.text ?? "")?.groups?.["title"];
  const font = line?.pieces[0]?.font;
  if (line === undefined || title === undefined || font === undefined) return undefined;
  const textAt = line.pieces.findIndex((piece) => piece.font !== font);
  if (textAt < 0 || !styles.rareFonts.has(font)) return undefined;
  const beginning = line.pieces.slice(0, textAt).map(({ text }) => text);
  if (withoutSpaces(beginning.join("")) !== withoutSpaces(title)) return undefined;
  return { title: title.replace(/\.$/u, ""), line: at, lineCount: 0 };
}

/** Whether a heading that ends at this line may go on in the next one. */
function isFull(line: PdfLine | undefined): boolean {
  return line !== undefined && line.text.length >= MIN_FULL_CHARS;
}

function withoutSpaces(text: string): string {
  return text.replace(/\s+/gu, "");
}

/** The font of a line that has only one. */
function onlyFontOf(line: PdfLine | undefined): string | undefined {
  const [font, ...others] = new Set(line?.pieces.map((piece) => piece.font));
  return others.length > 0 ? undefined : font;
}

function isTitle(text: string, maxChars = MAX_HEADING_CHARS): boolean {
  if (text.length > maxChars || !/\p{L}{2}/u.test(text) || /[.,;]$/u.test(text)) return false;
  return !COLUMNS.test(text.replace(NUMBER, ""));
}

/** Sizes that look the same: half points. */
function sizeClass(size: number): number {
  return Math.round(size * 2) / 2;
}
