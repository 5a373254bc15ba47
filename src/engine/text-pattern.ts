// A pattern of search_text as a search for lines, in time that is linear in the text whatever the pattern.

import { setFlagsFromString } from "node:v8";

import { RE2JS } from "re2js";

import { SvcError } from "../base/errors.ts";
import { nativePattern } from "./native-pattern.ts";

/**
 * Finds the lines of a text that match, each on its own: one offset in each of them, or at its end,
 * ascending. Lines end with "\n"; behind the last one there is no line. `isPlain`: the text is known to
 * be ASCII without "\r".
 */
export type LinePattern = (text: string, isPlain?: boolean) => readonly number[];

interface PatternOptions {
  readonly isRegex: boolean;
  readonly caseSensitive: boolean;
  readonly wholeWord: boolean;
}

/**
 * Compiles a pattern. Throws INVALID_PATTERN for one that is not a regular expression in the strict
 * sense (back-references, look-around), since only those can be run in linear time.
 *
 * RE2's grammar decides what is accepted and what it means. V8 runs it where it means the same there
 * and cannot go far wrong; RE2's automaton runs the rest: groups of several readings that are repeated,
 * properties of Unicode, long lines, lines with characters that V8 counts otherwise.
 */
export function compilePattern(pattern: string, options: PatternOptions): LinePattern {
  const { isRegex, wholeWord } = options;
  if (!isRegex) return literalLines(pattern, options);
  const [, flags = "", bare = ""] = /^(?:\(\?([ims]+)\))?([^]*)$/.exec(pattern) ?? [];
  const caseSensitive = options.caseSensitive && !flags.includes("i");
  // By itself first: between brackets an unpaired one would find its other half.
  let re2 = compileRe2(bare, caseSensitive);
  const source = wholeWord ? `\\b(?:${bare})\\b` : bare;
  if (wholeWord) re2 = compileRe2(source, caseSensitive);
  const native = compileNative(source, !caseSensitive);
  return native === undefined
    ? automatonLines(source, re2)
    : mixedLines(native, re2, caseSensitive ? UNUSUAL : UNUSUAL_IN_ANY_CASE);
}

function literalLines(pattern: string, { caseSensitive, wholeWord }: PatternOptions): LinePattern {
  if (pattern.includes("\n")) return () => [];
  const source = pattern.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const bounded = wholeWord ? `\\b${source}\\b` : source;
  // A text has nothing to go back to: it needs no guard, and V8 is fastest with its own flag.
  const expression = new RegExp(bounded, caseSensitive ? "g" : "gi");
  return (text) => {
    const found: number[] = [];
    addNativeLines(found, expression, { text, offset: 0 });
    return found;
  };
}

function compileRe2(source: string, caseSensitive: boolean): RE2JS {
  try {
    return RE2JS.compile(source, (caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE) | RE2JS.MULTILINE);
  } catch (cause) {
    throw new SvcError(
      "INVALID_PATTERN",
      `The pattern cannot be used: ${cause instanceof Error ? cause.message : String(cause)}.`,
      {
        hint: "Patterns follow RE2 (no look-around, no back-references); the text itself is found without `regex`, at a shell with -F.",
        cause,
      },
    );
  }
}

/** Undefined when V8 has no words for the pattern, or could not finish it in linear time. */
function compileNative(source: string, ignoresCase: boolean): RegExp | undefined {
  enableLinearEngine();
  for (const writesOut of [false, true]) {
    const native = nativePattern(source, { ignoresCase, writesOut });
    if (native === undefined) return undefined;
    try {
      // The `l` flag compiles for the linear engine or throws; the expression itself runs without it,
      // since backtracking is many times faster until it goes wrong.
      // oxlint-disable-next-line no-invalid-regexp -- V8's own flag
      void new RegExp(native, "gml");
      return new RegExp(native, "gm");
    } catch {
      // Too large a count.
    }
  }
  return undefined;
}

let isLinearEngineEnabled = false;

/**
 * Lets V8 hand an expression that backtracks too much to its linear engine. For good, because another
 * thread that runs such an expression while the flag is taken back ends the process (V8_Fatal, seen
 * within seconds); and not at the start of the program, because V8 refuses code caches made under
 * other flags.
 */
function enableLinearEngine(): void {
  if (isLinearEngineEnabled) return;
  setFlagsFromString("--enable-experimental-regexp-engine");
  setFlagsFromString("--enable-experimental-regexp-engine-on-excessive-backtracks");
  isLinearEngineEnabled = true;
}

/** To V8 these end a line or, beyond the basic plane, count as two characters; to RE2 they do not. */
const UNUSUAL = /[\r\u2028\u2029\ud800-\udfff]/g;
/** Long s, Kelvin sign and what else RE2 takes for another case of a letter, and V8 for none. */
const UNUSUAL_IN_ANY_CASE =
  /[\r\u2028\u2029\ud800-\udfff\u017f\u1e9e\u2126\u212a\u212b\u00df\u00b5\u03c2]/g;
/**
 * Some loops of V8 take time that grows with the square of the length of a line, and its guard does not
 * see them. Nobody's code has such lines.
 */
const LONG_LINE = 1000;

interface Part {
  readonly text: string;
  /** Of the part in the whole. */
  readonly offset: number;
}

/** What V8 says of the ordinary lines, and RE2 of the others. */
function mixedLines(native: RegExp, re2: RE2JS, unusual: RegExp): LinePattern {
  return (text, isPlain = false) => {
    const found: number[] = [];
    let from = 0;
    for (const [start, end] of linesApart(text, isPlain ? undefined : unusual)) {
      if (start > from) {
        addNativeLines(found, native, { text: text.slice(from, start), offset: from });
      }
      if (re2.test(text.slice(start, end))) found.push(start);
      from = end + 1;
    }
    const rest = from === 0 ? text : text.slice(from);
    if (rest !== "") addNativeLines(found, native, { text: rest, offset: from });
    return found;
  };
}

/** Matches may not be longer than a line. */
function addNativeLines(found: number[], expression: RegExp, { text, offset }: Part): void {
  expression.lastIndex = 0;
  while (expression.test(text)) {
    const at = expression.lastIndex;
    if (isBehindLastLine(text, at)) return;
    found.push(offset + at);
    const lineEnd = text.indexOf("\n", at);
    if (lineEnd === -1) return;
    expression.lastIndex = lineEnd + 1;
  }
}

function isBehindLastLine(text: string, at: number): boolean {
  return at === text.length && (at === 0 || text.charCodeAt(at - 1) === 10);
}

/** Starts and ends of the lines that V8 should not see. */
function linesApart(text: string, unusual: RegExp | undefined): readonly [number, number][] {
  const lines: [number, number][] = [];
  // One look per LONG_LINE characters, not per line.
  for (let at = 0; text.length - at > LONG_LINE;) {
    const lastEnd = text.lastIndexOf("\n", at + LONG_LINE);
    if (lastEnd >= at) {
      at = lastEnd + 1;
      continue;
    }
    const end = lineEndOf(text, at + LONG_LINE);
    lines.push([at, end]);
    at = end + 1;
  }
  if (unusual === undefined) return lines;
  const isLong = new Set(lines.map(([start]) => start));
  unusual.lastIndex = 0;
  for (let match = unusual.exec(text); match !== null; match = unusual.exec(text)) {
    const start = match.index === 0 ? 0 : text.lastIndexOf("\n", match.index - 1) + 1;
    const end = lineEndOf(text, match.index);
    if (!isLong.has(start)) lines.push([start, end]);
    unusual.lastIndex = end + 1;
  }
  return lines.toSorted(([one], [other]) => one - other);
}

/** Line by line. */
function automatonLines(source: string, re2: RE2JS): LinePattern {
  // What says nothing of the ends of the text matches all of it when it matches a line.
  const isTold = !/\\[AzQ]|\(\?[a-zA-Z]*-/.test(source);
  return (text) => {
    const found: number[] = [];
    if (isTold && !re2.test(text)) return found;
    for (let start = 0; start < text.length;) {
      const end = lineEndOf(text, start);
      if (re2.test(text.slice(start, end))) found.push(start);
      start = end + 1;
    }
    return found;
  };
}

function lineEndOf(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}
