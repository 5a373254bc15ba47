import { expect, test } from "vitest";

import { linesInCommon, textSimilarity } from "../../../src/search/copies/same-text.ts";

const WORDS = Array.from({ length: 40 }, (_, at) => `word${at}`);
const TEXT = WORDS.join(" ");

test("texts are as similar as they share pairs of words, whatever is between these", () => {
  expect(textSimilarity(TEXT, WORDS.join(";\n  "))).toBe(1);
  expect(textSimilarity(TEXT, TEXT.replace("word20", "other"))).toBeCloseTo(37 / 39);
  expect(textSimilarity(TEXT, TEXT.replaceAll("word", "other"))).toBe(0);
});

test("a text that contains the other one counts, unless it is far longer", () => {
  const longer = [...WORDS, ...WORDS.slice(0, 30).map((word) => `${word}x`)].join(" ");
  expect(textSimilarity(TEXT, longer)).toBe(1);
  expect(textSimilarity(WORDS.slice(0, 15).join(" "), TEXT)).toBe(0);
});

test("a few words are the same only as a whole", () => {
  expect(textSimilarity("export const a = 1", "export const a = 1;")).toBe(1);
  expect(textSimilarity("export const a = 1", "export const a = 2")).toBe(0);
  expect(textSimilarity("", "")).toBe(1);
});

test("files share lines without regard to indentation and blank lines", () => {
  expect(linesInCommon(["a", "", "  b"], ["\ta", "b"])).toEqual({ shared: 1, amalgamated: 0 });
  expect(linesInCommon(["a", "b", "c"], ["a", "b", "d"]).shared).toBe(0.5);
  expect(linesInCommon([], []).shared).toBe(0);
});

test("a file with many times the lines may contain the other one", () => {
  const part = Array.from({ length: 20 }, (_, at) => `part ${at}`);
  const rest = Array.from({ length: 60 }, (_, at) => `rest ${at}`);
  expect(linesInCommon(part, [...rest, ...part])).toEqual({ shared: 0.25, amalgamated: 1 });
  expect(linesInCommon(part.slice(1), [...rest, ...part]).amalgamated).toBe(0);
});
