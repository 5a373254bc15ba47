import * as fc from "fast-check";
import { expect, test } from "vitest";

import { fitResults, linesIn, terminalRows } from "../../../src/cli/print/fit-results.ts";

test.each([
  { what: "all of few", heights: [3, 2], rows: 24, text: [3, 2], isComplete: true },
  { what: "no result", heights: [], rows: 24, text: [], isComplete: true },
  {
    what: "the best ones whole, the beginning of the next, the others as one line",
    heights: [8, 8, 8, 8],
    rows: 24,
    text: [8, 8, 4, 0],
    isComplete: false,
  },
  {
    what: "three lines of the third, before all lines of the second",
    heights: [8, 8, 8, 8],
    rows: 22,
    text: [8, 7, 3, 0],
    isComplete: false,
  },
  {
    what: "lines of the second rather than of the third",
    heights: [20, 20, 20, ...Array<number>(9).fill(2)],
    rows: 22,
    text: [6, 4, 0, ...Array<number>(9).fill(0)],
    isComplete: false,
  },
  {
    what: "a part of a best one that is too long",
    heights: [40, 5, 2],
    rows: 24,
    text: [16, 3, 2],
    isComplete: false,
  },
  {
    what: "no more than five with lines",
    heights: [1, 1, 1, 1, 1, 1],
    rows: 24,
    text: [1, 1, 1, 1, 1, 0],
    isComplete: false,
  },
  {
    what: "results without lines",
    heights: [0, 0, 0],
    rows: 24,
    text: [0, 0, 0],
    isComplete: true,
  },
  {
    what: "as many results as there is room for",
    heights: Array<number>(50).fill(4),
    rows: 24,
    text: [4, ...Array<number>(19).fill(0)],
    isComplete: false,
  },
  {
    what: "the best one in a tiny window",
    heights: [9, 9],
    rows: 3,
    text: [6],
    isComplete: false,
  },
])("a window shows $what", ({ heights, rows, text, isComplete }) => {
  const results = heights.map((height) => ({ head: 1, text: height }));
  expect(fitResults(results, rows)).toEqual({ text, isComplete });
});

test("results fill no more than the window, and the best one is always there", () => {
  const result = fc.record({ head: fc.integer({ min: 1, max: 4 }), text: fc.nat(60) });
  const results = fc.array(result, { minLength: 1, maxLength: 60 });
  const property = fc.property(results, fc.integer({ min: 10, max: 100 }), (given, rows) => {
    const { text } = fitResults(given, rows);
    const used = text.reduce((sum, shown, at) => sum + shown + (given[at]?.head ?? 0), 0);
    expect(used).toBeLessThanOrEqual(rows);
    expect(text[0]).toBeGreaterThanOrEqual(Math.min(given[0]?.text ?? 0, 6));
    for (const [at, shown] of text.entries())
      expect(shown).toBeLessThanOrEqual(given[at]?.text ?? 0);
  });
  fc.assert(property);
});

test("a long line takes several rows, and is shown whole or not at all", () => {
  const lines = ["a", "", "b".repeat(25), "c"];
  expect(terminalRows(lines, 10)).toBe(6);
  const all = { columns: 10, words: [] };
  expect(linesIn(lines, 6, all)).toEqual(lines);
  expect(linesIn(lines, 5, all)).toEqual(lines.slice(0, 3));
  expect(linesIn(lines, 4, all)).toEqual(["a", ""]);
  expect(linesIn(lines, 0, all)).toEqual([]);
});

test("of more lines than fit, those with the words of the query are shown, from the beginning of a paragraph", () => {
  const lines = [
    "  …",
    "  }",
    "  ----",
    "",
    "  Rollback of a transaction",
    "  for a checked exception:",
    "",
    "  transaction",
  ];
  const words = ["transactions", "checked", "exceptions"];
  expect(linesIn(lines, 3, { columns: 80, words })).toEqual([
    "  …",
    "  Rollback of a transaction",
    "  for a checked exception:",
  ]);
  expect(linesIn(lines, 8, { columns: 80, words })).toEqual(lines);
  expect(linesIn(lines, 2, { columns: 80, words: ["nothing"] })).toEqual(lines.slice(0, 2));
});
