// Compiles a pattern of search_text into a line search that takes linear time in the text for every pattern.

import { setFlagsFromString } from "node:v8";

import { RE2JS } from "re2js";

import { SvcError } from "../../base/errors.ts";
import { nativePattern } from "./native-pattern.ts";
import { patternSize, requireMaxSize } from "./pattern-size.ts";

/**
 * Finds the matching lines of a text. Returns one offset per line, in it or at its end, ascending. Lines end with
 * "\n"; there is no line after the last "\n". `isPlain`: the text is known to be ASCII without "\r".
 */
export type LinePattern = (text: string, isPlain?: boolean) => readonly number[];

interface PatternOptions {
  readonly isRegex: boolean;
  readonly caseSensitive: boolean;
  readonly wholeWord: boolean;
}

/**
 * The same in short steps, between which other calls can run. A yielded line is too long for a step: the caller tests
 * it with RE2 and passes the result to `next`.
 */
type LineSteps = Generator<string | undefined, readonly number[], boolean | undefined>;

export interface SteppedPattern {
  readonly steps: (text: string, isPlain?: boolean) => LineSteps;
  /** Source and flags of the RE2 expression for another thread; undefined when no line is too long for a step. */
  readonly re2: { readonly source: string; readonly flags: number } | undefined;
  /** Where the first match in a matching line begins, from 0; 0 if it begins far to the right. */
  readonly columnIn: (line: string) => number;
}

/** Compiles a pattern like compileSteps, for callers that may block. */
export function compilePattern(pattern: string, options: PatternOptions): LinePattern {
  const { steps, re2 } = compileSteps(pattern, options);
  let expression: RE2JS | undefined;
  // Compiled for the first long line: most texts have none.
  const test = (line: string): boolean | undefined =>
    (expression ??= re2 && RE2JS.compile(re2.source, re2.flags))?.test(line);
  return (text, isPlain) => {
    const stepping = steps(text, isPlain);
    let step = stepping.next();
    while (step.done !== true) {
      const line = step.value;
      step = stepping.next(line === undefined ? undefined : test(line));
    }
    return step.value;
  };
}

/**
 * Compiles a pattern. Throws INVALID_PATTERN for back-references and look-around, which have no linear-time
 * algorithm, and for a pattern that its counted repeats make too large.
 *
 * RE2's grammar defines syntax and meaning. V8 runs a pattern when it means the same there and cannot backtrack
 * badly. RE2's automaton runs the rest: repeated ambiguous groups, Unicode properties, long lines, and lines with
 * characters that V8 treats differently.
 */
export function compileSteps(pattern: string, options: PatternOptions): SteppedPattern {
  const { isRegex, wholeWord } = options;
  if (!isRegex) {
    const literal = literalExpression(pattern, options);
    return {
      steps: atOnce(literalLines(pattern, literal)),
      re2: undefined,
      columnIn: (line) => Math.max(0, line.search(literal)),
    };
  }
  const [, flags = "", bare = ""] = /^(?:\(\?([ims]+)\))?([^]*)$/.exec(pattern) ?? [];
  const caseSensitive = options.caseSensitive && !flags.includes("i");
  requireMaxSize(bare);
  // Compile the bare pattern first: the added brackets could close an unpaired one.
  let expression = compileRe2(bare, caseSensitive);
  const source = wholeWord ? `\\b(?:${bare})\\b` : bare;
  if (wholeWord) expression = compileRe2(source, caseSensitive);
  const re2 = new Automaton(expression, patternSize(source));
  const native = compileNative(source, !caseSensitive);
  const unusual = caseSensitive ? NON_NATIVE_CHARACTERS : NON_NATIVE_CHARACTERS_ANY_CASE;
  return {
    steps: native === undefined ? automatonSteps(source, re2) : mixedSteps(native, re2, unusual),
    re2: { source, flags: flagsOf(caseSensitive) },
    columnIn(line) {
      const matcher = expression.matcher(line.slice(0, MIN_LONG_LINE));
      return matcher.find() ? matcher.start() : 0;
    },
  };
}

/** A literal search needs no steps: it is fast on lines of any length. */
function atOnce(linesOf: LinePattern): SteppedPattern["steps"] {
  // oxlint-disable-next-line require-yield -- a single step
  return function* steps(text, isPlain) {
    return linesOf(text, isPlain);
  };
}

/** An RE2 expression and its cost limits. */
class Automaton {
  readonly #expression: RE2JS;
  readonly size: number;
  #cost = 0;

  constructor(expression: RE2JS, size: number) {
    this.#expression = expression;
    this.size = Math.max(1, size);
  }

  /** Characters per step. */
  get stepLength(): number {
    return Math.ceil(STEP_COST / this.size);
  }

  isTooLong(length: number): boolean {
    return length * this.size > MAX_COST;
  }

  test(text: string): boolean {
    this.#cost += text.length * this.size;
    return this.#expression.test(text);
  }

  /** Whether the tests since the last call took a step's cost. */
  hasStepped(): boolean {
    const isStep = this.#cost > STEP_COST;
    if (isStep) this.#cost = 0;
    return isStep;
  }

  /** Tests one line; yields it when it is too long. */
  *testLine(line: string): Generator<string | undefined, boolean, boolean | undefined> {
    if (this.isTooLong(line.length)) return (yield line) ?? false;
    const isFound = this.test(line);
    if (this.hasStepped()) yield undefined;
    return isFound;
  }
}

function literalExpression(pattern: string, { caseSensitive, wholeWord }: PatternOptions): RegExp {
  const source = pattern.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const bounded = wholeWord ? `\\b${source}\\b` : source;
  // Literal text cannot backtrack, so it needs no guard, and V8 is fastest with its own `i` flag.
  return new RegExp(bounded, caseSensitive ? "g" : "gi");
}

function literalLines(pattern: string, expression: RegExp): LinePattern {
  if (pattern.includes("\n")) return () => [];
  return (text) => {
    const found: number[] = [];
    addNativeLines(found, expression, { text, offset: 0 });
    return found;
  };
}

function compileRe2(source: string, caseSensitive: boolean): RE2JS {
  try {
    return RE2JS.compile(source, flagsOf(caseSensitive));
  } catch (cause) {
    throw new SvcError("INVALID_PATTERN", `The pattern is invalid: ${reasonOf(cause)}.`, {
      hint: "Patterns follow RE2 (no look-around, no back-references); for literal text omit `regex`, or use -F in a shell.",
      cause,
    });
  }
}

/** RE2's message, without the flags that were put before the pattern. */
function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return message.replace("error parsing regexp: ", "").replace(/`(?:\(\?[im]\))+/, "`");
}

function flagsOf(caseSensitive: boolean): number {
  return (caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE) | RE2JS.MULTILINE;
}

/** Undefined when V8 cannot express the pattern or cannot run it in linear time. */
function compileNative(source: string, ignoresCase: boolean): RegExp | undefined {
  enableLinearEngine();
  for (const writesOut of [false, true]) {
    const native = nativePattern(source, { ignoresCase, writesOut });
    if (native === undefined) return undefined;
    try {
      // The `l` flag compiles for the linear engine or throws. The expression itself runs without it,
      // because backtracking is many times faster unless it explodes.
      // oxlint-disable-next-line no-invalid-regexp -- V8's own flag
      void new RegExp(native, "gml");
      return new RegExp(native, "gm");
    } catch {
      // A count is too large.
    }
  }
  return undefined;
}

let isLinearEngineEnabled = false;

/**
 * Lets V8 switch an expression that backtracks too much to its linear engine. Never disabled again, because
 * another thread that runs such an expression at that moment would crash the process (V8_Fatal, seen within
 * seconds). Not enabled at the start of the program, because V8 rejects code caches made with other flags.
 */
function enableLinearEngine(): void {
  if (isLinearEngineEnabled) return;
  setFlagsFromString("--enable-experimental-regexp-engine");
  setFlagsFromString("--enable-experimental-regexp-engine-on-excessive-backtracks");
  isLinearEngineEnabled = true;
}

/** In V8 these end a line or, beyond the basic plane, count as two characters; in RE2 they do not. */
const NON_NATIVE_CHARACTERS = /[\r\u2028\u2029\ud800-\udfff]/g;
/** Long s, Kelvin sign and others that RE2 treats as another case of a letter and V8 does not. */
const NON_NATIVE_CHARACTERS_ANY_CASE =
  /[\r\u2028\u2029\ud800-\udfff\u017f\u1e9e\u2126\u212a\u212b\u00df\u00b5\u03c2]/g;
/**
 * Some loops of V8 take quadratic time in the length of a line, and its guard does not detect them. Code written by
 * hand has no such lines.
 */
const MIN_LONG_LINE = 1000;
/** Maximum characters per step of V8. Those loops take about 25 ms for this many. */
const NATIVE_STEP_CHARS = 64 * 1024;
/** Limit for large patterns, in parts times characters: V8's linear engine takes about 7 ns for each. */
const MAX_NATIVE_COST = 4e6;
/**
 * Cost of a step, in parts of a pattern times characters of a text. RE2's automaton takes 14 ns for each when every
 * part can match at every character, ten times that when each character creates a new state, and mostly a hundredth.
 */
const STEP_COST = 5e5;
/** A line that may take a fifth of a second is tested in another thread. */
const MAX_COST = 1.5e6;

interface TextPart {
  readonly text: string;
  /** Offset of the part in the whole text. */
  readonly offset: number;
}

/** V8 tests ordinary lines, RE2 the others. */
function mixedSteps(native: RegExp, re2: Automaton, unusual: RegExp): SteppedPattern["steps"] {
  const length = Math.min(NATIVE_STEP_CHARS, Math.ceil(MAX_NATIVE_COST / re2.size));
  return function* steps(text, isPlain = false) {
    const found: number[] = [];
    let from = 0;
    for (const [start, end] of linesApart(text, isPlain ? undefined : unusual)) {
      yield* nativeSteps(found, native, { text, from, to: start, length });
      if (yield* re2.testLine(text.slice(start, end))) found.push(start);
      from = end + 1;
    }
    yield* nativeSteps(found, native, { text, from, to: text.length, length });
    return found;
  };
}

/** Lines of a text, to be searched in pieces of about `length` characters. */
interface TextStretch {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

/** Searches whole lines, some at a time. */
function* nativeSteps(
  found: number[],
  native: RegExp,
  { text, from, to, length }: TextStretch,
): Generator<undefined, void, boolean | undefined> {
  for (let at = from; at < to;) {
    const end = to - at > length ? Math.min(lineEndOf(text, at + length) + 1, to) : to;
    const isWhole = at === 0 && end === text.length;
    addNativeLines(found, native, { text: isWhole ? text : text.slice(at, end), offset: at });
    at = end;
    if (at < to) yield undefined;
  }
}

/** Adds an offset per matching line. No match may cross a line end. */
function addNativeLines(found: number[], expression: RegExp, { text, offset }: TextPart): void {
  expression.lastIndex = 0;
  while (expression.test(text)) {
    const at = expression.lastIndex;
    if (isAfterLastLine(text, at)) return;
    found.push(offset + at);
    const lineEnd = text.indexOf("\n", at);
    if (lineEnd === -1) return;
    expression.lastIndex = lineEnd + 1;
  }
}

function isAfterLastLine(text: string, at: number): boolean {
  return at === text.length && (at === 0 || text.charCodeAt(at - 1) === 10);
}

/** Start and end of each line that V8 must not search. */
function linesApart(text: string, unusual: RegExp | undefined): readonly [number, number][] {
  const lines: [number, number][] = [];
  // One search per MIN_LONG_LINE characters, not per line.
  for (let at = 0; text.length - at > MIN_LONG_LINE;) {
    const lastEnd = text.lastIndexOf("\n", at + MIN_LONG_LINE);
    if (lastEnd >= at) {
      at = lastEnd + 1;
      continue;
    }
    const end = lineEndOf(text, at + MIN_LONG_LINE);
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

/** Tests blocks of lines, and the single lines of matching blocks. */
function automatonSteps(source: string, re2: Automaton): SteppedPattern["steps"] {
  // A pattern without anchors to the ends of the text matches a block when it matches one of its lines.
  const isConfirmed = !/\\[AzQ]|\(\?[a-zA-Z]*-/.test(source);
  return function* steps(text) {
    const found: number[] = [];
    for (let at = 0; at < text.length;) {
      const end = lineEndOf(text, Math.min(at + re2.stepLength, text.length));
      const isBlock = isConfirmed && !re2.isTooLong(end - at);
      if (!isBlock || re2.test(text.slice(at, end))) {
        for (let start = at; start < Math.max(end, at + 1);) {
          const lineEnd = lineEndOf(text, start);
          if (yield* re2.testLine(text.slice(start, lineEnd))) found.push(start);
          start = lineEnd + 1;
        }
      }
      if (re2.hasStepped()) yield undefined;
      at = end + 1;
    }
    return found;
  };
}

function lineEndOf(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}
