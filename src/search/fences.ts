// Fences are the lines of ``` or ~~~ around code in Markdown. Readers of a reply treat the text between two of them
// as code, so a fence without its partner turns text into code for the rest of the reply.

/** Backticks or tildes at the start of a line, after blanks, as readers of replies detect them. */
const FENCE = /^(\s*)(`{3,}|~{3,})(.*)$/s;
/** A fence that is indented further may be cut off when the line is shown. */
const MAX_INDENT = 100;

/** The opening and closing line of a fence, 1-based. */
interface FencePair {
  readonly open: number;
  readonly close: number;
}

/** The fences of a file. Every fence line is in one of the pairs or in `lone`. */
export interface Fences {
  /** In the order of their closing lines, so an inner fence precedes the one around it. */
  readonly pairs: readonly FencePair[];
  /** Lines without a partner. */
  readonly lone: ReadonlySet<number>;
}

interface OpenFence {
  readonly line: number;
  readonly marks: string;
}

/**
 * Pairs the fence lines of a text like CommonMark (section 4.5), with three differences: any indentation is
 * allowed, as in lists; fences may be nested; and a fence without an end does not extend to the end of the text.
 * Never fails.
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
      // A fence of that length cannot begin inside this one, so this one lacks its end or is not a fence.
      if (outermost >= 0) dropFrom(outermost);
      open.push({ line, marks });
    }
  }
  dropFrom(0);
  return { pairs, lone };
}

interface FenceLine {
  readonly marks: string;
  /** True when no word follows the marks, so that the line may end a fence. */
  readonly isBare: boolean;
  /** False for inline code, and where the marks may be cut off when the line is shown. */
  readonly isPlausible: boolean;
}

function fenceIn(text: string): FenceLine | undefined {
  // Fast path: nearly every line is not a fence.
  if (!text.includes("```") && !text.includes("~~~")) return undefined;
  const [, blanks = "", marks, info = ""] = FENCE.exec(text) ?? [];
  if (marks === undefined) return undefined;
  const isInline = marks.startsWith("`") && info.includes("`");
  const isPlausible = blanks.length <= MAX_INDENT && !isInline;
  return { marks, isBare: info.trim() === "", isPlausible };
}

/** reStructuredText underlines a heading with as many marks as its title has characters. */
function isUnderline(marks: string, before = ""): boolean {
  const { length } = before.trim();
  return marks.length > 3 && length > 0 && length <= marks.length;
}

/** Returns true when a fence of `marks` can end the fence opened by `begun`. */
function isAsLong(marks: string, begun: string): boolean {
  return marks[0] === begun[0] && marks.length >= begun.length;
}

/** Returns true when a line looks like the start or end of a fence. */
export function isFenceLine(text: string): boolean {
  return FENCE.test(text);
}

/**
 * Completes the lines to show: both lines of a fence are shown if any of its content is, else neither; lone fence
 * lines are removed. The result has an even number of fence lines. Returns distinct line numbers in ascending
 * order.
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
