import { expect, test } from "vitest";
import { tokensOf } from "../../src/web/code-tokens.ts";

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
  ["typescript", "`a`; `b\\", ["string:`a`", "string:`b\\"]],
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
