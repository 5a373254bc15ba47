// Lines of a page to blocks: paragraphs, program code and headings.

import type { DocumentWriter } from "../document-writer.ts";
import type { PlacedHeading } from "./pdf-headings.ts";
import type { PdfLine } from "./pdf-lines.ts";
import type { DividedWords } from "./divided-words.ts";

/** What the layout of a page needs to know of the document. */
export interface LayoutContext {
  readonly isFixed: (font: string) => boolean;
  readonly dividedWords: DividedWords;
}

/** A new block begins after a distance between lines that is larger than usual by this factor. */
const BLOCK_GAP = 1.25;
/** Lines of one block have letters of about one size. */
const SIZE_CHANGE = 1.15;
const MAX_EMPTY_LINES = 2;
const MAX_INDENT = 200;

/** Writes the text of a page, with its headings in the order of its lines. */
export function writePage(
  writer: DocumentWriter,
  lines: readonly PdfLine[],
  headings: readonly PlacedHeading[],
  context: LayoutContext,
): void {
  let at = 0;
  for (const { line, lineCount, level, title } of headings) {
    if (line > at) writeBlocks(writer, lines.slice(at, line), context);
    const shown = lines.slice(line, line + lineCount).map(({ text }) => text);
    if (lineCount > 0) writer.heading(level, title, shown.join(" "));
    else writer.heading(level, title);
    at = Math.max(at, line + lineCount);
  }
  writeBlocks(writer, lines.slice(at), context);
}

function writeBlocks(
  writer: DocumentWriter,
  lines: readonly PdfLine[],
  context: LayoutContext,
): void {
  for (const block of joinCode(blocksOf(lines, context))) {
    if (block.isCode) writer.code(codeText(block.lines), "");
    else writer.block(context.dividedWords.joinHyphens(block.lines.map(({ text }) => text)));
  }
}

interface Block {
  readonly isCode: boolean;
  readonly lines: PdfLine[];
}

/** Paragraphs, and in them, lines of code apart from lines of text. */
function blocksOf(lines: readonly PdfLine[], { isFixed }: LayoutContext): readonly Block[] {
  const pitch = usualPitch(lines);
  const paragraphs: PdfLine[][] = [];
  let before: PdfLine | undefined;
  for (const line of lines) {
    if (before === undefined || isApart(before, line, pitch)) paragraphs.push([line]);
    else paragraphs.at(-1)?.push(line);
    before = line;
  }
  return paragraphs.flatMap((paragraph) => partsOf(paragraph, isFixed));
}

/** One line of a paragraph is not code: it may be a long name alone on its line. */
function partsOf(lines: readonly PdfLine[], isFixed: (font: string) => boolean): readonly Block[] {
  const parts: Block[] = [];
  for (const line of lines) {
    const isCode = isCodeLine(line, isFixed);
    const last = parts.at(-1);
    if (last?.isCode === isCode) last.lines.push(line);
    else parts.push({ isCode, lines: [line] });
  }
  if (parts.length === 1) return parts;
  const joined: Block[] = [];
  for (const part of parts) {
    const isCode = part.isCode && part.lines.length > 1;
    const last = joined.at(-1);
    if (last?.isCode === isCode) addLines(last, part);
    else joined.push({ isCode, lines: part.lines });
  }
  return joined;
}

function isCodeLine({ pieces }: PdfLine, isFixed: (font: string) => boolean): boolean {
  return pieces.every(({ font }) => isFixed(font));
}

/** The most frequent distance between lines, in font sizes. */
function usualPitch(lines: readonly PdfLine[]): number {
  const counts = new Map<number, number>();
  for (const [at, line] of lines.entries()) {
    const next = lines[at + 1];
    const step = next === undefined ? 0 : (line.y - next.y) / (line.size || 1);
    if (step <= 0.5 || step > 3) continue;
    const key = Math.round(step * 20) / 20;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const [[pitch] = [1.2]] = [...counts].toSorted(([a, m], [b, n]) => n - m || a - b);
  return pitch;
}

function isApart(before: PdfLine, line: PdfLine, pitch: number): boolean {
  const step = before.y - line.y;
  const size = Math.max(before.size, line.size) || 1;
  const change = size / (Math.min(before.size, line.size) || 1);
  return step < -size / 2 || step > size * pitch * BLOCK_GAP || change > SIZE_CHANGE;
}

/** Code has empty lines. */
function joinCode(blocks: readonly Block[]): readonly Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (last?.isCode === true && block.isCode && isNear(last, block)) addLines(last, block);
    else joined.push(block);
  }
  return joined;
}

function addLines(block: Block, { lines }: Block): void {
  for (const line of lines) block.lines.push(line);
}

function isNear(above: Block, below: Block): boolean {
  const before = above.lines.at(-1);
  const [line] = below.lines;
  if (before === undefined || line === undefined) return false;
  const step = before.y - line.y;
  return step > 0 && step < line.size * 4 && Math.abs(before.size - line.size) < 1;
}

/** The lines with their indentation, from the width of a character. */
function codeText(lines: readonly PdfLine[]): string {
  const left = lines.reduce((least, { x }) => Math.min(least, x), Infinity);
  const width = charWidth(lines);
  const pitch = leastStep(lines);
  const rows: string[] = [];
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1];
    const empty = before === undefined ? 0 : Math.round((before.y - line.y) / pitch) - 1;
    for (let count = 0; count < Math.min(empty, MAX_EMPTY_LINES); count += 1) rows.push("");
    rows.push(codeLine(line, left, width));
  }
  return rows.join("\n");
}

/** The least distance between two lines: that of lines without an empty one between them. */
function leastStep(lines: readonly PdfLine[]): number {
  let least = Infinity;
  for (const [at, line] of lines.entries()) {
    const step = (lines[at - 1]?.y ?? line.y) - line.y;
    if (step > 1) least = Math.min(least, step);
  }
  return least;
}

function charWidth(lines: readonly PdfLine[]): number {
  let width = 0;
  let chars = 0;
  for (const piece of lines.flatMap(({ pieces }) => pieces)) {
    if (/\s/.test(piece.text)) continue;
    width += piece.width;
    chars += piece.text.length;
  }
  return chars === 0 || width <= 0 ? 6 : width / chars;
}

function codeLine(line: PdfLine, left: number, width: number): string {
  let text = "";
  for (const piece of line.pieces) {
    const column = Math.min(MAX_INDENT, Math.max(0, Math.round((piece.x - left) / width)));
    text = text.padEnd(column) + piece.text;
  }
  return text;
}
