// The size of a regular expression with its counted repeats expanded. It bounds the cost of compiling the pattern and
// the cost per character of a text.

import { SvcError } from "../../base/errors.ts";
import { readClass, readEscape } from "../../search/regex-class.ts";

const COUNT = /^\{(\d{1,4})(,(\d{1,4})?)?\}/;
/** Literal text. */
const QUOTED = /^\\Q([^]*?)(?:\\E|$)/;
const FLAGS = /^\(\?[a-zA-Z-]{1,20}\)/;
/** The beginning of a group. Its name and flags are not elements. */
const OPENING = /^\((?:\?(?:P?<\w{1,100}>|[a-zA-Z-]{0,20}:))?/;
/** Except for quoted text. A longer group name counts as elements. */
const MAX_TOKEN_CHARS = 128;
/** The size of the longest allowed pattern of plain characters. */
const MAX_ELEMENTS = 10_000;

/** One token of a pattern. */
interface Token {
  readonly kind: "elements" | "count" | "opening" | "closing" | "other";
  /** Number of elements; for a count, the number of repetitions. */
  readonly number: number;
  readonly end: number;
}

/** The number of characters, classes and assertions, multiplied by their repetitions. Never throws. */
export function patternSize(source: string): number {
  /** Element counts of the open groups, outermost first. */
  const open = [0];
  /** Size of the previous element, which a count repeats. */
  let last = 0;
  for (let at = 0; at < source.length;) {
    const { kind, number, end } = tokenAt(source, at);
    at = end;
    if (kind === "opening") open.push(0);
    if (kind === "opening" || kind === "other") continue;
    const repeated = last * number;
    const closed = kind === "closing" && open.length > 1 ? (open.pop() ?? 0) : number;
    const added = kind === "count" ? repeated - last : closed;
    open.push((open.pop() ?? 0) + added);
    last = kind === "count" ? repeated : closed;
  }
  return open.reduce((sum, elements) => sum + elements, 0);
}

function tokenAt(source: string, at: number): Token {
  const sign = source.charAt(at);
  const rest = source.slice(at, at + MAX_TOKEN_CHARS);
  const count = sign === "{" ? COUNT.exec(rest) : null;
  if (count !== null)
    return { kind: "count", number: repetitions(count), end: at + count[0].length };
  if (sign === "(") {
    const [flags] = FLAGS.exec(rest) ?? [];
    const [opening = sign] = OPENING.exec(rest) ?? [];
    return flags === undefined
      ? { kind: "opening", number: 0, end: at + opening.length }
      : { kind: "other", number: 0, end: at + flags.length };
  }
  if (sign === ")") return { kind: "closing", number: 0, end: at + 1 };
  if ("*+?|".includes(sign)) return { kind: "other", number: 0, end: at + 1 };
  const quoted = rest.startsWith("\\Q") ? QUOTED.exec(source.slice(at)) : null;
  if (quoted === null) return { kind: "elements", number: 1, end: endOf(source, at) };
  return { kind: "elements", number: quoted[1]?.length ?? 0, end: at + quoted[0].length };
}

/** Throws INVALID_PATTERN for a pattern with more than `maxElements` elements. */
export function requireMaxSize(source: string, maxElements = MAX_ELEMENTS): void {
  const size = patternSize(source);
  if (size <= maxElements) return;
  throw new SvcError(
    "INVALID_PATTERN",
    `The pattern is too large: with its repeats expanded it has ${size} parts; the limit is ${maxElements}.`,
    { hint: "Use smaller counts, or `x+` for `x{1,1000}`." },
  );
}

function repetitions([, min = "0", open, max]: RegExpExecArray): number {
  // An open-ended count expands to its minimum and a star.
  if (open === undefined) return Number(min);
  return max === undefined ? Number(min) + 1 : Number(max);
}

/** End of the escape, class or character at `at`. */
function endOf(source: string, at: number): number {
  if (source[at] === "\\") return readEscape(source, at)?.end ?? at + 2;
  if (source[at] === "[") return readClass(source, at)?.end ?? at + 1;
  return at + 1;
}
