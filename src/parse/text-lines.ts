// A text as lines, and their sizes in chunks.

/** A line counts once per this many characters, so that long lines do not make huge chunks. */
const LINE_CHARS = 120;
/** The cut depth of the start of a paragraph, in text without other structure. */
const PARAGRAPH = 1;
const CARRIAGE_RETURN = 13;
/** Files with fewer lines share one table, one file after the other. Longer files are rare. */
const SHARED_LINE_CAPACITY = 1 << 15;

/** The lines of one text. Valid until the next call of `splitLines`, which reuses the memory. */
export interface TextLines {
  readonly text: string;
  readonly count: number;
  /** Offset of each line (index = line - 1), then the offset after the text. */
  readonly starts: Uint32Array;
  /** Offset of the first non-blank character of each line; of its end if the line is blank. */
  readonly firsts: Uint32Array;
  /** Width of the spaces and tabs at the start of each line; a tab counts as four. */
  readonly indents: Uint32Array;
  /** Sum of the sizes of all lines before each line. */
  readonly sizes: Uint32Array;
  /** Returns whether the line is blank. `line` is 1-based here and below. */
  readonly isBlank: (line: number) => boolean;
  /** Returns the line without its line break. */
  readonly at: (line: number) => string;
  /** Returns the offset of the end of the line, without its line break. */
  readonly endOf: (line: number) => number;
  /** Returns the offset of the last non-blank character of the line, or its start - 1. */
  readonly lastOf: (line: number) => number;
}

class LineTable {
  starts: Uint32Array;
  firsts: Uint32Array;
  indents: Uint32Array;
  sizes: Uint32Array;

  constructor(capacity: number) {
    this.starts = new Uint32Array(capacity);
    this.firsts = new Uint32Array(capacity);
    this.indents = new Uint32Array(capacity);
    this.sizes = new Uint32Array(capacity);
  }

  /** Returns a table of twice the size with the same content. */
  grown(): LineTable {
    const larger = new LineTable(this.starts.length * 2);
    larger.starts.set(this.starts);
    larger.firsts.set(this.firsts);
    larger.indents.set(this.indents);
    larger.sizes.set(this.sizes);
    return larger;
  }
}

const shared = new LineTable(SHARED_LINE_CAPACITY);

/** Splits a text into lines at line feeds. */
export function splitLines(text: string): TextLines {
  const { length } = text;
  let table = shared;
  let { starts, firsts, indents, sizes } = table;
  let count = 0;
  let start = 0;
  let size = 0;
  for (;;) {
    if (count + 1 >= starts.length) {
      table = table.grown();
      ({ starts, firsts, indents, sizes } = table);
    }
    let first = start;
    let indent = 0;
    let code = 0;
    while (first < length) {
      code = text.charCodeAt(first);
      if (code === 32) indent += 1;
      else if (code === 9) indent += 4;
      else break;
      first += 1;
    }
    while (first < length && code !== 10 && isBlankCode(code)) {
      first += 1;
      code = text.charCodeAt(first);
    }
    let end = text.indexOf("\n", first);
    if (end === -1) end = length;
    starts[count] = start;
    firsts[count] = first;
    indents[count] = indent;
    sizes[count] = size;
    size += end - start <= LINE_CHARS ? 1 : Math.ceil((end - start) / LINE_CHARS);
    count += 1;
    start = end + 1;
    if (end === length) break;
  }
  starts[count] = start;
  sizes[count] = size;
  return new TableLines(text, count, table);
}

class TableLines implements TextLines {
  readonly text: string;
  readonly count: number;
  readonly starts: Uint32Array;
  readonly firsts: Uint32Array;
  readonly indents: Uint32Array;
  readonly sizes: Uint32Array;

  constructor(text: string, count: number, table: LineTable) {
    this.text = text;
    this.count = count;
    this.starts = table.starts;
    this.firsts = table.firsts;
    this.indents = table.indents;
    this.sizes = table.sizes;
  }

  isBlank(line: number): boolean {
    return (this.firsts[line - 1] ?? 0) + 1 >= (this.starts[line] ?? 0);
  }

  at(line: number): string {
    return this.text.slice(this.starts[line - 1], this.endOf(line));
  }

  endOf(line: number): number {
    const end = (this.starts[line] ?? 0) - 1;
    return this.text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end;
  }

  lastOf(line: number): number {
    const start = this.starts[line - 1] ?? 0;
    let last = (this.starts[line] ?? 0) - 2;
    while (last >= start && isBlankCode(this.text.charCodeAt(last))) last -= 1;
    return last;
  }
}

/** Returns true for white space and other invisible characters: control characters and byte order marks. */
export function isBlankCode(code: number): boolean {
  return code <= 32 || code === 0xa0 || code === 0xfeff;
}

/**
 * Returns the size of the lines in a chunk: one per line, more for long lines. `start` and `end` are
 * inclusive.
 */
export function sizeOf(lines: TextLines, start: number, end: number): number {
  return (lines.sizes[end] ?? 0) - (lines.sizes[start - 1] ?? 0);
}

const sharedCuts = new Uint8Array(SHARED_LINE_CAPACITY);

/**
 * Returns an array for the cut points of that many lines, all 0. Valid until the next call, which reuses it.
 */
export function emptyCuts(lineCount: number): Uint8Array {
  if (lineCount >= SHARED_LINE_CAPACITY) return new Uint8Array(lineCount + 1);
  return sharedCuts.fill(0, 0, lineCount + 1);
}

/** Returns cut points at the starts of paragraphs; see `ParsedOutline.cuts`. */
export function paragraphCuts(lines: TextLines): Uint8Array {
  const cuts = emptyCuts(lines.count);
  let wasBlank = false;
  for (let line = 1; line <= lines.count; line += 1) {
    const isBlank = lines.isBlank(line);
    if (wasBlank && !isBlank) cuts[line - 1] = PARAGRAPH;
    wasBlank = isBlank;
  }
  return cuts;
}

/** 1-based lines, inclusive. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Splits a range into pieces of about `target` lines. Each piece begins at the best cut point near its ideal
 * start or, if there is none, at the ideal start.
 */
export function splitRange(
  lines: TextLines,
  cuts: Uint8Array,
  range: LineRange,
  target: number,
): LineRange[] {
  const pieces: LineRange[] = [];
  let { start } = range;
  for (;;) {
    const size = sizeOf(lines, start, range.end);
    const count = Math.round(size / target);
    // A single line cannot be cut.
    if (count < 2 || start >= range.end) break;
    const next = bestCut({ lines, cuts }, { start, end: range.end }, size / count);
    pieces.push({ start, end: next - 1 });
    start = next;
  }
  pieces.push({ start, end: range.end });
  return pieces;
}

/**
 * Returns the line before which to cut: the shallowest cut point in reach, preferring those close to the
 * ideal size.
 */
function bestCut(
  { lines, cuts }: { lines: TextLines; cuts: Uint8Array },
  { start, end }: LineRange,
  ideal: number,
): number {
  const { sizes } = lines;
  const before = sizes[start - 1] ?? 0;
  let best = 0;
  let bestCost = Number.POSITIVE_INFINITY;
  let last = start + 1;
  for (let line = start + 1; line <= end; line += 1) {
    const size = (sizes[line - 1] ?? 0) - before;
    if (size > ideal * 1.35 && line > start + 1) break;
    if (size <= ideal) last = line;
    if (size < ideal * 0.5) continue;
    const rank = cuts[line - 1] ?? 0;
    if (rank === 0 && !(lines.isBlank(line - 1) && !lines.isBlank(line))) continue;
    // One level deeper costs as much as a deviation of a tenth from the ideal size.
    const cost = (rank === 0 ? 20 : rank) + (Math.abs(size - ideal) / ideal) * 10;
    if (cost < bestCost) {
      best = line;
      bestCost = cost;
    }
  }
  return best === 0 ? last : best;
}
