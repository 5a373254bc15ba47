// Fences: the lines of ``` or ~~~ around code in Markdown. Whoever reads a reply takes what stands between
// two of them for code, so that one without its partner turns the rest of the reply inside out.

/** Backticks or tildes at the beginning of a line, after blanks: how readers of replies look for them. */
const FENCE = /^(\s*)(`{3,}|~{3,})(.*)$/s;
/** Further in they may be cut off where the line is shown. */
const MAX_INDENT = 100;

/** The two lines of a fence, 1-based. */
interface FencePair {
  readonly open: number;
  readonly close: number;
}

/** The fences of a file; every line that begins as one is in a pair or among the lone ones. */
export interface Fences {
  /** In the order of their last lines: one inside of another comes before it. */
  readonly pairs: readonly FencePair[];
  /** Lines without a partner. */
  readonly lone: ReadonlySet<number>;
}

interface OpenFence {
  readonly line: number;
  readonly marks: string;
}

/**
 * Pairs the fence lines of a text as CommonMark does (section 4.5), but with any indentation, as in
 * lists, with other fences inside of one, and without what it has no end for. Never fails.
 */
export function readFences(lines: readonly string[]): Fences {
  const pairs: FencePair[] = [];
  const lone = new Set<number>();
  const open: OpenFence[] = [];
  const dropFrom = (depth: number): void => {
    for (const { line } of open.splice(depth)) lone.add(line);
  };
  for (const [at, text] of lines.entries()) {
    const fence = fenceIn(text);
    if (fence === undefined) continue;
    const { marks, isBare, isPlausible } = fence;
    const line = at + 1;
    const outermost = open.findIndex((one) => isAsLong(marks, one.marks));
    const exact = open.findLastIndex((one) => one.marks === marks);
    const depth = exact < 0 ? outermost : exact;
    const partner = open[depth];
    if (!isPlausible || (partner === undefined && isBare && isUnderline(marks, lines[at - 1]))) {
      lone.add(line);
    } else if (isBare && partner !== undefined) {
      dropFrom(depth + 1);
      open.pop();
      pairs.push({ open: partner.line, close: line });
    } else {
      // A fence as long cannot begin inside of one: that one has lost its end, or never was one.
      if (outermost >= 0) dropFrom(outermost);
      open.push({ line, marks });
    }
  }
  dropFrom(0);
  return { pairs, lone };
}

interface FenceLine {
  readonly marks: string;
  /** True without a word behind the marks: it may end a fence. */
  readonly isBare: boolean;
  /** False for code within a line, and where the marks may be cut off when the line is shown. */
  readonly isPlausible: boolean;
}

function fenceIn(text: string): FenceLine | undefined {
  // Nearly every line of a file is none.
  if (!text.includes("```") && !text.includes("~~~")) return undefined;
  const [, blanks = "", marks, info = ""] = FENCE.exec(text) ?? [];
  if (marks === undefined) return undefined;
  const isInline = marks.startsWith("`") && info.includes("`");
  const isPlausible = blanks.length <= MAX_INDENT && !isInline;
  return { marks, isBare: info.trim() === "", isPlausible };
}

/** Headings of reStructuredText are underlined with marks, as many as the title has characters. */
function isUnderline(marks: string, before = ""): boolean {
  const { length } = before.trim();
  return marks.length > 3 && length > 0 && length <= marks.length;
}

/** Whether a fence line can end the fence that another one begins. */
function isAsLong(marks: string, begun: string): boolean {
  return marks[0] === begun[0] && marks.length >= begun.length;
}

/** Whether a line looks like the beginning or the end of a fence. */
export function isFenceLine(text: string): boolean {
  return FENCE.test(text);
}

/**
 * Completes the lines to be shown: of a fence whose content is shown both lines are, else none, and
 * lone fence lines are not. What is shown then has an even number of fence lines. In order, each once.
 */
export function withCompleteFences(
  shown: ReadonlySet<number>,
  { pairs, lone }: Fences,
): readonly number[] {
  const all = new Set(shown);
  for (const line of lone) all.delete(line);
  for (const { open, close } of pairs) {
    if (all.has(open) && all.has(close)) continue;
    const hasContent = [...all].some((line) => line > open && line < close);
    for (const end of [open, close]) {
      if (hasContent) all.add(end);
      else all.delete(end);
    }
  }
  return [...all].toSorted((one, other) => one - other);
}
