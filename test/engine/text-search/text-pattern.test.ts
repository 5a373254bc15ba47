import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

import * as fc from "fast-check";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";

import { requireMaxSize } from "../../../src/engine/text-search/pattern-size.ts";
import { compilePattern } from "../../../src/engine/text-search/text-pattern.ts";

const PROGRAM = join(import.meta.dirname, "../fixtures/patterns-with-threads.ts");

/** Output of a process that searches this often while two threads run other expressions. */
async function searches(count: number): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, String(count)]);
  return stdout;
}

/** 1-based numbers of the matching lines of a text. */
type Search = (text: string) => number[];

function searchFor(pattern: string, options: Partial<Question> = {}): Search {
  const asked = { isRegex: true, caseSensitive: true, wholeWord: false, ...options };
  const find = compilePattern(pattern, asked);
  return (text) => find(text).map((at) => text.slice(0, at).split("\n").length);
}

function linesOf(text: string, pattern: string, options?: Partial<Question>): number[] {
  return searchFor(pattern, options)(text);
}

interface Question {
  readonly isRegex: boolean;
  readonly caseSensitive: boolean;
  readonly wholeWord: boolean;
}

/** The same with RE2 alone, line by line. */
function re2For(pattern: string, { caseSensitive, wholeWord }: Question): Search {
  const expression = RE2JS.compile(
    wholeWord ? `\\b(?:${pattern})\\b` : pattern,
    RE2JS.MULTILINE | (caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE),
  );
  return (text) => {
    const lines = text.split("\n");
    if (lines.at(-1) === "") lines.pop();
    return lines.flatMap((line, at) => (expression.matcher(line).find() ? [at + 1] : []));
  };
}

const CHARACTERS = [
  ...Array.from("aabBkKsS1_ .-()[]{}\t\v\r\0\u00a0\u2028üÜß漢😀"),
  "\u212a",
  "\u017f",
];
const text = fc
  .array(
    fc.oneof(
      { weight: 9, arbitrary: fc.string({ unit: fc.constantFrom(...CHARACTERS), maxLength: 8 }) },
      { weight: 1, arbitrary: fc.constantFrom("ab".repeat(600), `${"a ".repeat(520)}k`) },
    ),
    { maxLength: 8 },
  )
  .chain((lines) => fc.constantFrom(lines.join("\n"), `${lines.join("\n")}\n`));

const ATOMS = [
  "a",
  "b",
  "k",
  "S",
  "1",
  "_",
  " ",
  "ü",
  "漢",
  "😀",
  "-",
  "/",
  "{",
  "}",
  "]",
  "{,2}",

  ".",
  "\\w",
  "\\W",
  "\\d",
  "\\D",
  "\\s",
  "\\S",
  "\\.",
  "\\-",
  "\\x61",
  "\\x{1F600}",
  "\\n",
  "\\t",
  "\\v",

  "[ab]",
  "[^a]",
  "[^\\n]",
  "[a-z]",
  "[\\x00-\\x7f]",
  "[\\W_]",
  "[^\\S]",
  "[\\D-]",
  "[]a]",
  "[^]a]",
  "[a\\-z]",

  "[[:alpha:]]",
  "[^[:^space:]]",
  "[[:upper:]1]",
  "[A-b]",
  "[ü-漢]",
  "[😀-😂a]",
  "[.\\]]",
  "[\\^b]",
  "\\pL",
  "\\PL",
  "\\Qa.\\E",
  "(?i:A)",
  "(?s:.)",
  "(?P<name>ab)",
  "(?<name>b)",
  "\\012",
  "\\0",
];
const ASSERTIONS = ["^", "$", "\\b", "\\B", "\\A", "\\z"];
const TIMES = [
  "",
  "",
  "",
  "",
  "*",
  "+",
  "?",
  "*?",
  "+?",
  "{2}",
  "{0,2}",
  "{1,}",
  "{0}",
  "{17}",
  "{2,20}",
  "{18,}",
];
const { pattern } = fc.letrec<{ pattern: string; sequence: string; term: string }>((tie) => ({
  term: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.tuple(fc.constantFrom(...ATOMS), fc.constantFrom(...TIMES)).map((parts) => parts.join("")),
    fc.constantFrom(...ASSERTIONS),
    fc.tuple(tie("pattern"), fc.constantFrom(...TIMES)).map(([one, times]) => `(${one})${times}`),
    tie("pattern").map((one) => `(?:${one})`),
  ),
  sequence: fc.array(tie("term"), { maxLength: 4 }).map((terms) => terms.join("")),
  pattern: fc.oneof(
    { weight: 3, arbitrary: tie("sequence") },
    {
      weight: 1,
      arbitrary: fc.tuple(tie("sequence"), tie("sequence")).map((all) => all.join("|")),
    },
  ),
}));
const question = fc.record({
  isRegex: fc.constant(true),
  caseSensitive: fc.boolean(),
  wholeWord: fc.boolean(),
});

/** Valid for RE2, and not too large for svc. */
function isAccepted(one: string): boolean {
  try {
    RE2JS.compile(one);
    requireMaxSize(one);
    return true;
  } catch {
    return false;
  }
}

test("the pattern finds the same lines as RE2 line by line", { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(
      pattern.filter(isAccepted),
      question,
      fc.array(text, { maxLength: 4 }),
      (one, asked, texts) => {
        const [search, expected] = [searchFor(one, asked), re2For(one, asked)];
        for (const each of texts) {
          expect([one, asked, each, search(each)]).toEqual([one, asked, each, expected(each)]);
        }
      },
    ),
    { numRuns: 1500 },
  );
});

test.each([
  ["a\\s+b", "a\n\n b\na b\n", [4]],
  ["[^x]*b", "a\nb\nx\n", [2]],
  ["\\Aa", "b\na\n", [2]],
  ["a\\z", "a\nb\n", [1]],
  ["(?s)a.b", "a\nb\na b\n", [3]],
  ["(?i)ab", "AB\nab\n", [1, 2]],
  ["a\\sb", "a\u00a0b\na b\n", [2]],
  ["x*", "\n\na", [1, 2, 3]],
  ["^$", "a\n", []],
  ["^$", "\n", [1]],
  ["", "", []],
] as const)("%j in %j", (one, each, expected) => {
  expect(linesOf(each, one)).toEqual(expected);
});

// V8 would need hours to compile these, and too much memory.
test.each([
  ["(?:(?:\\w{18,}\\.|.*)|\\D{0,2})(\\b(?:)){18,}", "1]aK_ß", true, [1]],
  ["(?:(?:\\w{18,}\\.|.*)|\\D{0,2})(?:a?\\b(?:)){18,}", "1]aK_ß", true, [1]],
  [
    "(?:[^a])?(?:\\B^)(?:\\B^)(?:\\B^)(?:\\B^)(?:\\B^)(?:\\B^)(?:\\B^)(?:\\B^)(?:\\B^)",
    "}\na",
    false,
    [1],
  ],
  [
    "(?:\\n{1,}\\B[ab](){2,20})(?:b?\\z)\\x{1F600}{17}\\x{1F600}{0}|(\\b\\A){18,}",
    "}{ü\n漢[ſ{B\n漢",
    false,
    [],
  ],
] as const)("%j returns, however often it asks for nothing", (one, each, wholeWord, expected) => {
  const asked = { isRegex: true, caseSensitive: true, wholeWord };
  expect(re2For(one, asked)(each)).toEqual(expected);
  expect(linesOf(each, one, asked)).toEqual(expected);
});

test("a pattern whose bracket only the whole-word wrapper closes is invalid", () => {
  for (const wholeWord of [true, false]) {
    expect(() => linesOf("a", "a)|(b", { wholeWord })).toThrow(
      expect.objectContaining({ code: "INVALID_PATTERN" }),
    );
  }
});

const LONG = "a".repeat(100_000);

test.each(["(?:b|a\\w*)_probe", "a\\w*b", "(a+)+$", "(a{1,30}){1,30}b", "(x+x+)+y", "(a|aa)+$"])(
  "%j returns over a line of 100,000 characters",
  (one) => {
    expect(linesOf(`${LONG}!\n${LONG}_\n${"x".repeat(100_000)}\n`, one)).toEqual([]);
  },
);

test("expressions that backtrack do not disturb other threads", async () => {
  // Resetting V8's flag after each run crashed the process within a few thousand.
  expect(await searches(24_000)).toBe("still here\n");
}, 60_000);
