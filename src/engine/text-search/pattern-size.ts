// How large a regular expression is once its counted repeats are written out: what it costs to compile, and the most
// that each character of a text can cost.

import { SvcError } from "../../base/errors.ts";
import { readClass, readEscape } from "../../search/regex-class.ts";

const COUNT = /^\{(\d{1,4})(,(\d{1,4})?)?\}/;
/** Text that stands for itself. */
const QUOTED = /^\\Q([^]*?)(?:\\E|$)/;
const FLAGS = /^\(\?[a-zA-Z-]{1,20}\)/;
/** What a group begins with: its name and flags are no elements. */
const OPENING = /^\((?:\?(?:P?<\w{1,100}>|[a-zA-Z-]{0,20}:))?/;
/** But of quoted text; a longer name of a group is taken for elements. */
const MAX_TOKEN_CHARS = 128;
/** A longest pattern of plain characters has as many. */
const MAX_ELEMENTS = 10_000;

/** What stands at a place of a pattern. */
interface Token {
  readonly kind: "elements" | "count" | "opening" | "closing" | "other";
  /** How many; of a count how often. */
  readonly number: number;
  readonly end: number;
}

/** The number of characters, classes and assertions, each as often as it is repeated. Never throws. */
export function patternSize(source: string): number {
  /** Elements of the groups that are open, the outermost first. */
  const open = [0];
  /** Of what stood last, which a count repeats. */
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

/** Throws INVALID_PATTERN for a pattern that would take more than this. */
export function requireMaxSize(source: string, maxElements = MAX_ELEMENTS): void {
  const size = patternSize(source);
  if (size <= maxElements) return;
  throw new SvcError(
    "INVALID_PATTERN",
    `The pattern is too large: with its repeats written out it has ${size} parts, ${maxElements} are the most.`,
    { hint: "Repeat less: `x+` for `x{1,1000}`, or leave out what need not be counted." },
  );
}

function repetitions([, min = "0", open, max]: RegExpExecArray): number {
  // What has no end is written out to its least and a star.
  if (open === undefined) return Number(min);
  return max === undefined ? Number(min) + 1 : Number(max);
}

/** Of an escape, a class or a character. */
function endOf(source: string, at: number): number {
  if (source[at] === "\\") return readEscape(source, at)?.end ?? at + 2;
  if (source[at] === "[") return readClass(source, at)?.end ?? at + 1;
  return at + 1;
}
