// Single globs; test/scan/ignore.test.ts compares whole ignore files with git.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { compileGlob, literalPrefixLength, lowerAscii, toBinary } from "../../src/scan/glob.ts";

/** Whether the glob matches; undefined if it can match nothing. */
function matches(pattern: string, text: string, foldCase = false): boolean | undefined {
  return compileGlob(pattern, foldCase)?.(foldCase ? lowerAscii(text) : text);
}

test.each<[pattern: string, matching: readonly string[], others: readonly string[]]>([
  ["a.ts", ["a.ts"], ["a_ts", "a.tsx", "ba.ts", ""]],
  ["*.ts", ["a.ts", ".ts"], ["a/b.ts", "a.tsx"]],
  ["a*", ["a", "abc"], ["a/b", "ba"]],
  ["a*b*c", ["abc", "axbxbxc"], ["axbx", "acb"]],
  ["?", ["a"], ["", "ab", "/"]],
  ["**/a", ["a", "x/a", "x/y/a"], ["xa", "a/x"]],
  ["a/**", ["a/b", "a/b/c", "a/"], ["a", "ab/c"]],
  ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/xb"]],
  // Not between slashes, two stars are one.
  ["a**b", ["ab", "axb"], ["a/b"]],
  ["[a-c]x", ["ax", "cx"], ["dx", "a-x"]],
  ["[!a-c]x", ["dx", "-x"], ["ax", "/x"]],
  ["[^a]", ["b"], ["a", "/"]],
  ["[]a]", ["]", "a"], ["b"]],
  ["[a-]", ["a", "-"], ["b"]],
  ["[[:digit:]_]", ["7", "_"], ["a", ":"]],
  ["[\\]]", ["]"], ["\\"]],
  ["\\*", ["*"], ["a", "\\*"]],
  ["\\a", ["a"], ["\\a"]],
])("%j matches %j and not %j", (pattern, matching, others) => {
  expect(matching.filter((text) => matches(pattern, text) !== true)).toEqual([]);
  expect(others.filter((text) => matches(pattern, text) !== false)).toEqual([]);
});

test.each(["[a", "[", "[a-", "a\\", "[[:nonsense:]]"])("%j can match nothing", (pattern) => {
  expect(compileGlob(pattern)).toBeUndefined();
});

describe("with case ignored", () => {
  test.each<[string, string, boolean]>([
    ["README*", "readme.md", true],
    ["*.MD", "Readme.md", true],
    ["[A-C]", "b", true],
    ["[[:upper:]]", "b", true],
    // As in git, an escaped letter keeps its case, while the text is in lower case.
    ["\\A*", "a", false],
    ["é", "É", false],
  ])("%j and %j: %s", (pattern, text, expected) => {
    expect(matches(pattern, text, true)).toBe(expected);
  });
});

test("a question mark is one byte, as in git", () => {
  expect(toBinary("é")).toBe("\u00c3\u00a9");
  expect([matches("?", toBinary("é")), matches("??", toBinary("é"))]).toEqual([false, true]);
  const ascii = "src/a.ts";
  expect(toBinary(ascii)).toBe(ascii);
});

test.each([
  ["src/a.ts", 8],
  ["src/*.ts", 4],
  ["a?b", 1],
  ["[ab]", 0],
  ["a\\b", 1],
  ["", 0],
])("the literal prefix of %j has %i characters", (pattern, length) => {
  expect(literalPrefixLength(pattern)).toBe(length);
});

const PIECES = ["a", "b", "/", "*", "**", "?", "[ab]", "[!a]"] as const;

/** The same by a regular expression that backtracks. Git compares the literal prefix first, so the rest is a glob of its own. */
function byExpression(pattern: string): RegExp {
  const length = literalPrefixLength(pattern);
  const source = pattern
    .slice(length)
    .replaceAll(/(?<=^|\/)\*{2,}\//g, "\u0001")
    .replaceAll(/(?<=^|\/)\*{2,}$/g, "\u0002")
    .replaceAll(/\*+/g, "[^/]*")
    .replaceAll("?", "[^/]")
    .replaceAll("[!a]", "[^a/]")
    .replaceAll("\u0001", "(?:.*/)?")
    .replaceAll("\u0002", ".*");
  return new RegExp(`^${pattern.slice(0, length)}${source}$`, "s");
}

test("any glob of stars, question marks and classes matches what its definition says", () => {
  const globs = fc
    .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 })
    .map((pieces) => pieces.join(""));
  const text = fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 8 });
  fc.assert(
    fc.property(globs, fc.array(text, { minLength: 1, maxLength: 20 }), (pattern, texts) => {
      const expression = byExpression(pattern);
      for (const one of texts) {
        expect([one, matches(pattern, one)]).toEqual([one, expression.test(one)]);
      }
    }),
    { numRuns: 3000 },
  );
});
