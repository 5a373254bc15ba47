// How large a regular expression is once its counted repeats are written out: what it costs to compile, and the most
// that each character of a text can cost.

import { SvcError } from "../base/errors.ts";
import { readClass, readEscape } from "../search/regex-class.ts";

const COUNT = /^\{(\d{1,4})(,(\d{1,4})?)?\}/;
/** Text that stands for itself. */
const QUOTED = /^\\Q([^]*?)(?:\\E|$)/;
const FLAGS = /^\(\?[a-zA-Z-]{1,20}\)/;
/** What a group begins with: its name and flags are no elements. */
const OPENING = /^\((?:\?(?:P?<\w{1,100}>|[a-zA-Z-]{0,20}:))?/;
/** A longest pattern of plain characters has as many. */
const MOST_ELEMENTS = 10_000;

/** The number of characters, classes and assertions, each as often as it is repeated. Never throws. */
export function patternSize(source: string): number {
  /** Elements of the groups that are open, the outermost first. */
  const open = [0];
  /** Of what stood last, which a count repeats. */
  let last = 0;
  const add = (elements: number): void => {
    last = elements;
    open.push((open.pop() ?? 0) + elements);
  };
  for (let at = 0; at < source.length;) {
    const sign = source[at];
    const rest = source.slice(at, at + 128);
    const count = sign === "{" ? COUNT.exec(rest) : null;
    const quoted = sign === "\\" ? QUOTED.exec(source.slice(at)) : null;
    if (count !== null) {
      const elements = last;
      add(elements * (timesOf(count) - 1));
      last = elements * timesOf(count);
      at += count[0].length;
    } else if (quoted !== null) {
      add(quoted[1]?.length ?? 0);
      last = 1;
      at += quoted[0].length;
    } else if (sign === "(" && FLAGS.test(rest)) {
      at += FLAGS.exec(rest)?.[0].length ?? 1;
    } else if (sign === "(") {
      open.push(0);
      at += OPENING.exec(rest)?.[0].length ?? 1;
    } else if (sign === ")") {
      add(open.length > 1 ? (open.pop() ?? 0) : 0);
      at += 1;
    } else {
      if (sign !== undefined && !"*+?|".includes(sign)) add(1);
      at = endOf(source, at);
    }
  }
  return open.reduce((sum, elements) => sum + elements, 0);
}

/** Throws INVALID_PATTERN for a pattern that would take more than this. */
export function requireSize(source: string, most = MOST_ELEMENTS): void {
  const size = patternSize(source);
  if (size <= most) return;
  throw new SvcError(
    "INVALID_PATTERN",
    `The pattern is too large: with its repeats written out it has ${size} parts, ${most} are the most.`,
    { hint: "Repeat less: `x+` for `x{1,1000}`, or leave out what need not be counted." },
  );
}

function timesOf([, least = "0", open, most]: RegExpExecArray): number {
  // What has no end is written out to its least and a star.
  if (open === undefined) return Number(least);
  return most === undefined ? Number(least) + 1 : Number(most);
}

/** Of an escape, a class or a character. */
function endOf(source: string, at: number): number {
  if (source[at] === "\\") return readEscape(source, at)?.end ?? at + 2;
  if (source[at] === "[") return readClass(source, at)?.end ?? at + 1;
  return at + 1;
}
