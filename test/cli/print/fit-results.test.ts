import * as fc from "fast-check";
import { expect, test } from "vitest";

import { fitResults } from "../../../src/cli/print/fit-results.ts";

test.each([
  { what: "all of few", heights: [3, 2], rows: 24, lines: [3, 2], isComplete: true },
  { what: "no result", heights: [], rows: 24, lines: [], isComplete: true },
  {
    what: "the best ones whole, the others as one line",
    heights: [8, 8, 8, 8],
    rows: 24,
    lines: [8, 8, 0, 0],
    isComplete: false,
  },
  {
    what: "a part of a best one that is too long",
    heights: [40, 3, 3],
    rows: 24,
    lines: [21, 0, 0],
    isComplete: false,
  },
  {
    what: "no more than five with lines",
    heights: [1, 1, 1, 1, 1, 1],
    rows: 24,
    lines: [1, 1, 1, 1, 1, 0],
    isComplete: false,
  },
  {
    what: "results without lines",
    heights: [0, 0, 0],
    rows: 24,
    lines: [0, 0, 0],
    isComplete: true,
  },
  {
    what: "as many results as there is room for",
    heights: Array<number>(50).fill(4),
    rows: 24,
    lines: [4, ...Array<number>(19).fill(0)],
    isComplete: false,
  },
  {
    what: "the best one in a tiny window",
    heights: [9, 9],
    rows: 3,
    lines: [6],
    isComplete: false,
  },
])("a window shows $what", ({ heights, rows, lines, isComplete }) => {
  expect(fitResults(heights, { rows, head: 1 })).toEqual({ lines, isComplete });
});

test("results fill no more than the window, and the best one is always there", () => {
  const heights = fc.array(fc.nat(60), { minLength: 1, maxLength: 60 });
  const rows = fc.integer({ min: 8, max: 100 });
  const head = fc.integer({ min: 1, max: 2 });
  const property = fc.property(heights, rows, head, (given, height, each) => {
    const { lines } = fitResults(given, { rows: height, head: each });
    const used = lines.reduce((sum, shown) => sum + shown + each, 0);
    expect(used).toBeLessThanOrEqual(height);
    expect(lines[0]).toBeGreaterThanOrEqual(Math.min(given[0] ?? 0, 6));
    for (const [at, shown] of lines.entries()) expect(shown).toBeLessThanOrEqual(given[at] ?? 0);
  });
  fc.assert(property);
});
