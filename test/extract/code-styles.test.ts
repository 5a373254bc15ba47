import { describe, expect, test } from "vitest";

import { isCodeFont, isCodeStyle, isPastedCode } from "../../src/extract/code-styles.ts";

test.each([
  ["Courier New", true],
  ["Cascadia Code", true],
  ["JetBrains Mono", true],
  ["Monotype Corsiva", false],
  ["Arial", false],
])("isCodeFont(%s)", (font, isCode) => {
  expect(isCodeFont(font)).toBe(isCode);
});

test("a style is one of code by its name", () => {
  expect(isCodeStyle("Source Code")).toBe(true);
  expect(isCodeStyle("Code of conduct")).toBe(false);
});

describe("isPastedCode", () => {
  test.each<[string, string, number, boolean]>([
    ["all characters are code", "if (a) b;", 7, true],
    ["some are not", "set a", 1, false],
    ["nothing is", "", 0, false],
    ["a paragraph of prose in a font of code", "word ".repeat(60), 240, false],
  ])("%s", (_, text, letters, isCode) => {
    expect(isPastedCode(text, letters)).toBe(isCode);
  });
});
