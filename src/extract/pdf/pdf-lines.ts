// Lines of a page from the runs of text that pdf.js finds, in its order: that of the page's content.

import type { PdfPage, PdfRun } from "./pdf-connection.ts";

/** Part of a line in one font. */
export interface PdfPiece {
  readonly text: string;
  readonly font: string;
  /** Its left end, and its width, along the line. */
  readonly x: number;
  readonly width: number;
  /** Font size. */
  readonly size: number;
}

export interface PdfLine {
  readonly text: string;
  /** From left to right, without the spaces between them. */
  readonly pieces: readonly PdfPiece[];
  readonly x: number;
  /** Place of the baseline; lower lines have smaller numbers. */
  readonly y: number;
  /** Font size of most of its characters. */
  readonly size: number;
}

/** A run with its place along and across the direction in which it is written. */
interface Placed extends PdfPiece {
  readonly y: number;
  readonly isSpace: boolean;
  readonly endsLine: boolean;
}

/** Gaps of a line, in font sizes: a space, and a gap between columns of a table. */
const SPACE_GAP = 0.15;
const COLUMN_GAP = 1.8;
/** Runs whose baselines differ by less, in font sizes, are on one line: exponents are. */
const SAME_LINE = 0.9;
const DOTS = /(?: ?[.\u{2026}\u{b7}]){5,}/gu;

/** Returns the lines of a page, without those that have only white space. */
export function pdfLinesOf(page: PdfPage): readonly PdfLine[] {
  const lines: PdfLine[] = [];
  let current: Placed[] = [];
  let first: Placed | undefined;
  const end = (): void => {
    const line = lineOf(current);
    if (line !== undefined) lines.push(line);
    current = [];
    first = undefined;
  };
  for (const run of page.runs) {
    const placed = placedOf(run, page.vertical.has(run.fontName));
    if (placed.text !== "") {
      if (first !== undefined && !isOnLine(first, placed)) end();
      current.push(placed);
      if (!placed.isSpace) first ??= placed;
    }
    if (placed.endsLine) end();
  }
  end();
  return lines;
}

function placedOf(run: PdfRun, isVertical: boolean): Placed {
  const [a = 1, b = 0, , , left = 0, bottom = 0] = run.transform;
  const scale = Math.hypot(a, b) || 1;
  const [cos, sin] = isVertical ? [0, -1] : [a / scale, b / scale];
  return {
    text: run.str,
    font: run.fontName,
    x: finite(left * cos + bottom * sin),
    y: finite(bottom * cos - left * sin),
    width: finite(isVertical ? run.height : run.width),
    size: finite(scale),
    isSpace: run.str.trim() === "",
    endsLine: run.hasEOL,
  };
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : 0;
}

function isOnLine(first: Placed, next: Placed): boolean {
  return Math.abs(next.y - first.y) <= Math.max(first.size, next.size) * SAME_LINE;
}

function lineOf(runs: readonly Placed[]): PdfLine | undefined {
  const words = runs.filter(({ isSpace }) => !isSpace);
  const [first] = words;
  if (first === undefined) return undefined;
  const ordered = inOrder(runs);
  const base = largest(words);
  return {
    text: joined(ordered),
    pieces: ordered
      .filter(({ isSpace }) => !isSpace)
      .map(({ text, font, x, width, size: own }) => ({ text, font, x, width, size: own })),
    x: words.reduce((least, { x }) => Math.min(least, x), first.x),
    y: base.y,
    size: base.size,
  };
}

/** A run of the size that most characters of the line have. */
function largest(words: readonly Placed[]): Placed {
  const counts = new Map<number, number>();
  for (const { size, text } of words) {
    const key = Math.round(size * 10);
    counts.set(key, (counts.get(key) ?? 0) + text.length);
  }
  const [[key] = [0]] = [...counts].toSorted(([, a], [, b]) => b - a);
  const found = words.find(({ size }) => Math.round(size * 10) === key) ?? words[0];
  if (found === undefined) throw new Error("a line has words");
  return found;
}

/** Sorts the runs from left to right if one of them was written before what is left of it; not in scripts from the right. */
function inOrder(runs: readonly Placed[]): readonly Placed[] {
  let isSorted = true;
  for (const [at, run] of runs.entries()) {
    const before = runs[at - 1];
    if (before !== undefined && run.x < before.x - 1 && !run.isSpace) isSorted = false;
  }
  if (isSorted || runs.some(({ text }) => /[\u{590}-\u{8ff}]/u.test(text))) return runs;
  return runs.filter(({ isSpace }) => !isSpace).toSorted((a, b) => a.x - b.x);
}

function joined(runs: readonly Placed[]): string {
  let text = "";
  let before: Placed | undefined;
  for (const run of runs) {
    if (run.isSpace) {
      text += " ";
      continue;
    }
    if (before !== undefined) text += gap(before, run, text.endsWith(" "));
    text += run.text;
    before = run;
  }
  return text.trim().replace(DOTS, " ...").normalize("NFC");
}

function gap(before: Placed, next: Placed, hasSpace: boolean): string {
  const width = next.x - before.x - before.width;
  const size = Math.min(before.size, next.size) || 1;
  if (width > size * COLUMN_GAP) return hasSpace ? " " : "  ";
  return !hasSpace && width > size * SPACE_GAP && !before.text.endsWith(" ") ? " " : "";
}
