import { expect, test } from "vitest";

import { linesOf } from "../../src/web/code-lines.ts";
import { tokensOf } from "../../src/web/code-tokens.ts";
import { previewOf } from "../../src/web/preview.ts";
import { marksIn, stemsOf } from "../../src/web/query-words.ts";

/** Returns the coloured tokens: "comment:// x". */
function coloured(text: string, language: string): string[] {
  return tokensOf(text, language).map(
    ({ kind, start, end }) => `${kind}:${text.slice(start, end)}`,
  );
}

test.each([
  [
    "typescript",
    'const a = "x\\"y"; // no "string"',
    ["keyword:const", 'string:"x\\"y"', 'comment:// no "string"'],
  ],
  ["typescript", "`a\n${b}` + c.if + if1 + 12", ["string:`a\n${b}`", "literal:12"]],
  ["typescript", " * still said\n */\nif", ["comment: * still said\n */", "keyword:if"]],
  ["typescript", 'glob("src/**/*.ts")', ['string:"src/**/*.ts"']],
  ["rust", "fn a<'a>(b: &'a str) -> char { 'x' }", ["keyword:fn", "string:'x'"]],
  ["python", 'x = """a\n# b""" # c', ['string:"""a\n# b"""', "comment:# c"]],
  ["sql", "SELECT 'it' -- why", ["keyword:SELECT", "string:'it'", "comment:-- why"]],
  ["markdown", "if this is 1", []],
  ["", "if this is 1", []],
])("in %s %j has these colours", (language, text, expected) => {
  expect(coloured(text, language)).toEqual(expected);
});

test("a text with unterminated tokens is tokenized in linear time", () => {
  const texts = [
    '"'.repeat(40_000),
    "/*".repeat(40_000),
    "`\\".repeat(40_000),
    "'''".repeat(40_000),
  ];
  for (const text of texts) {
    for (const language of ["typescript", "python", "rust", "java"]) {
      const tokens = tokensOf(text, language);
      expect(tokens.at(-1)?.end ?? 0).toBeLessThanOrEqual(text.length);
    }
  }
});

test("the pieces joined are the text, whatever overlaps", () => {
  const text = 'let token = "revoke the token"; // a token\n\n/* token\n token */';
  const lines = linesOf(text, tokensOf(text, "typescript"), marksIn(text, stemsOf("revoke token")));
  expect(lines.map((line) => line.map((piece) => piece.text).join("")).join("\n")).toBe(text);
  expect(lines[0]?.filter(({ isMarked }) => isMarked)).toEqual([
    { text: "token", kind: undefined, isMarked: true },
    { text: "revoke", kind: "string", isMarked: true },
    { text: "token", kind: "string", isMarked: true },
    { text: "token", kind: "comment", isMarked: true },
  ]);
});

test("the preview shows the matching words, and the beginning if there are none", () => {
  const body = Array.from({ length: 40 }, (_, at) => (at >= 25 && at < 30 ? "tide" : "sea"));
  const lines = linesOf(body.join("\n"), [], marksIn(body.join("\n"), stemsOf("tide")));
  const { start, end } = previewOf(lines);
  expect(end - start).toBe(12);
  expect(start).toBeLessThanOrEqual(25);
  expect(end).toBeGreaterThanOrEqual(30);
  expect(previewOf(linesOf(body.join("\n"), [], []))).toEqual({ start: 0, end: 12 });
  expect(previewOf(lines.slice(0, 15))).toEqual({ start: 0, end: 15 });
});
