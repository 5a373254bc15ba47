// Text as lines, and how much of it one chunk takes.

/** A line counts once for every so many characters, so that long lines do not make giant chunks. */
const LINE_CHARS = 120;
/** Cut points of text without other structure are the beginnings of paragraphs. */
const PARAGRAPH = 1;

export interface Lines {
  readonly text: string;
  readonly count: number;
  /** Offset at which each line begins, and one past the text at the end. */
  readonly starts: Uint32Array;
  /** Sum of the sizes of the lines before each line. */
  readonly sizes: Float64Array;
  readonly isBlank: (line: number) => boolean;
  /** The line without its line break; 1-based, as everywhere. */
  readonly at: (line: number) => string;
}

export function readLines(text: string): Lines {
  const offsets = [0];
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", end + 1)) {
    offsets.push(end + 1);
  }
  const count = offsets.length;
  offsets.push(text.length + 1);
  const starts = Uint32Array.from(offsets);
  const blank = new Uint8Array(count + 1);
  const sizes = new Float64Array(count + 1);
  for (let index = 0; index < count; index += 1) {
    const start = starts[index] ?? 0;
    const end = (starts[index + 1] ?? 0) - 1;
    blank[index] = isBlankBetween(text, start, end) ? 1 : 0;
    sizes[index + 1] = (sizes[index] ?? 0) + Math.max(1, Math.ceil((end - start) / LINE_CHARS));
  }
  const at = (line: number): string =>
    text.slice(starts[line - 1], (starts[line] ?? text.length + 1) - 1).replace(/\r$/, "");
  return { text, count, starts, sizes, at, isBlank: (line) => blank[line - 1] === 1 };
}

/** How much of a chunk the lines take: one per line, more for long ones. */
export function sizeOf(lines: Lines, start: number, end: number): number {
  return (lines.sizes[end] ?? 0) - (lines.sizes[start - 1] ?? 0);
}

/** Cut points at the beginnings of paragraphs; see `Outline.cuts`. */
export function paragraphCuts(lines: Lines): Uint8Array {
  const cuts = new Uint8Array(lines.count + 1);
  for (let line = 2; line <= lines.count; line += 1) {
    if (lines.isBlank(line - 1) && !lines.isBlank(line)) cuts[line - 1] = PARAGRAPH;
  }
  return cuts;
}

/** Width of the white space a line begins with; a tab counts as four. */
export function indentOf(text: string): number {
  let width = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 32) width += 1;
    else if (code === 9) width += 4;
    else break;
  }
  return width;
}

function isBlankBetween(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 32 && code !== 0xa0 && code !== 0xfeff) return false;
  }
  return true;
}

export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Cuts a range into pieces of about `target` lines, each beginning at the best cut point near
 * where it should; without any, wherever it should.
 */
export function splitRange(
  lines: Lines,
  cuts: Uint8Array,
  range: LineRange,
  target: number,
): LineRange[] {
  const pieces: LineRange[] = [];
  let { start } = range;
  for (;;) {
    const size = sizeOf(lines, start, range.end);
    const count = Math.round(size / target);
    // A single line cannot be cut, however long.
    if (count < 2 || start >= range.end) break;
    const next = bestCut({ lines, cuts }, { start, end: range.end }, size / count);
    pieces.push({ start, end: next - 1 });
    start = next;
  }
  pieces.push({ start, end: range.end });
  return pieces;
}

/** The line before which to cut: the shallowest cut point in reach, of those the nearest to ideal. */
function bestCut(
  { lines, cuts }: { lines: Lines; cuts: Uint8Array },
  { start, end }: LineRange,
  ideal: number,
): number {
  let best = 0;
  let bestCost = Number.POSITIVE_INFINITY;
  let last = start + 1;
  for (let line = start + 1; line <= end; line += 1) {
    const size = sizeOf(lines, start, line - 1);
    if (size > ideal * 1.35 && line > start + 1) break;
    if (size <= ideal) last = line;
    if (size < ideal * 0.5) continue;
    const rank = cuts[line - 1] ?? 0;
    const isAfterBlank = lines.isBlank(line - 1) && !lines.isBlank(line);
    if (rank === 0 && !isAfterBlank) continue;
    // One level deeper is as bad as a cut a tenth off the ideal size.
    const cost = (rank === 0 ? 20 : rank) + (Math.abs(size - ideal) / ideal) * 10;
    if (cost < bestCost) {
      best = line;
      bestCost = cost;
    }
  }
  return best === 0 ? last : best;
}
