// A pattern of search_text as a matcher that runs in linear time, whatever the pattern.

import { setFlagsFromString } from "node:v8";

import { RE2JS } from "re2js";

import { SvcError } from "../base/errors.ts";
import { foldCase } from "./fold-case.ts";

/** Finds the first match at or after `from`; undefined when there is none. */
export type LineMatcher = (
  text: string,
  from: number,
) => { start: number; end: number } | undefined;

interface PatternOptions {
  readonly isRegex: boolean;
  readonly caseSensitive: boolean;
  readonly wholeWord: boolean;
}

/**
 * Compiles a pattern. Throws INVALID_PATTERN for one that is not a regular expression in the strict
 * sense (back-references, look-around), since only those can be run in linear time.
 *
 * RE2's grammar decides what is accepted. V8 then runs it where V8's own linear engine can take over
 * once backtracking becomes excessive; the rest (large counted repeats) runs in RE2's automaton.
 */
export function compilePattern(pattern: string, options: PatternOptions): LineMatcher {
  const { isRegex, caseSensitive, wholeWord } = options;
  const source = isRegex ? pattern : pattern.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const bounded = wholeWord ? `\\b(?:${source})\\b` : source;
  // A text has nothing to go back to: it needs no guard, and V8 is fastest with its own flag.
  if (!isRegex) return matcherOf(new RegExp(bounded, caseSensitive ? "g" : "gi"));
  const re2 = compileRe2(bounded, caseSensitive);
  const native = compileNative(bounded, caseSensitive);
  return native === undefined ? automaton(re2) : unlessUnusual(native, automaton(re2));
}

/** To V8 these end a line or, beyond the basic plane, count as two characters; to RE2 they do not. */
const UNUSUAL = /[\r\u2028\u2029\ud800-\udfff]/;

function unlessUnusual(native: LineMatcher, exact: LineMatcher): LineMatcher {
  let known = "";
  let isUnusual = false;
  return (text, from) => {
    // A file is asked for each of its matches, and need not be looked through as often.
    if (text !== known) {
      known = text;
      isUnusual = UNUSUAL.test(text);
    }
    return (isUnusual ? exact : native)(text, from);
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
        hint: "Patterns follow RE2 (no look-around, no back-references); leave out `regex` to search for the text itself.",
        cause,
      },
    );
  }
}

/** Undefined when V8 reads the pattern otherwise than RE2, or could not finish it in linear time. */
function compileNative(source: string, caseSensitive: boolean): LineMatcher | undefined {
  // Syntax that both know but read differently: \z, \A, \C, \Q..\E, (?P<n>), (?i), [[:alpha:]], \pL.
  if (/\\[zACQEpP]|\(\?[^:]|\[\[:/.test(source)) return undefined;
  const folded = caseSensitive ? source : foldCase(source);
  enableLinearEngine();
  try {
    // The `l` flag compiles for the linear engine or throws; the expression itself runs without it,
    // since backtracking is many times faster until it goes wrong.
    // oxlint-disable-next-line no-invalid-regexp -- V8's own flag
    void new RegExp(folded, "gml");
    return matcherOf(new RegExp(folded, "gm"));
  } catch {
    return undefined;
  }
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

function matcherOf(expression: RegExp): LineMatcher {
  return (text, from) => {
    expression.lastIndex = from;
    const match = expression.exec(text);
    return match === null ? undefined : { start: match.index, end: match.index + match[0].length };
  };
}

function automaton(pattern: RE2JS): LineMatcher {
  return (text, from) => {
    const matcher = pattern.matcher(text);
    return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined;
  };
}
