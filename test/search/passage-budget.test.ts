import { expect, test } from "vitest";

import { createTokenizer } from "../../src/parse/tokenizer.ts";
import type { ExcerptSource, ExcerptPart } from "../../src/search/excerpt.ts";
import { readFences } from "../../src/search/fences.ts";
import { parseQuery } from "../../src/search/parse-query.ts";
import {
  fittingExcerpt,
  maxPassageLines,
  passageBudget,
  maxResultsWithin,
  estimateTokens,
} from "../../src/search/passage-budget.ts";

const query = parseQuery("revoke token", createTokenizer());
const ALONE = { isWeak: false, first: 0.9, isNeighbor: false };

function fileOf(lines: readonly string[], isProse = false): ExcerptSource {
  return { lines, isProse, fences: readFences(lines) };
}

function sumOf(lines: readonly number[]): number {
  return lines.reduce((total, one) => total + one, 0);
}

/** Returns a function of `count` lines, one of which matches the query. */
function body(count: number): string[] {
  const lines = Array.from({ length: count }, (_, n) => `  step${n}();`);
  return ["function serve(options) {", ...lines.with(count - 10, "  revokeToken(id);"), "}"];
}

function partOf(lines: readonly string[], more: Partial<ExcerptPart> = {}): ExcerptPart {
  return { startLine: 1, endLine: lines.length, symbol: "serve", maxLines: 30, ...more };
}

test("the best passages take more lines, later ones are summaries", () => {
  const allowed = Array.from({ length: 8 }, (_, rank) => maxPassageLines(rank, ALONE));
  expect(allowed).toEqual(allowed.toSorted((one, other) => other - one));
  expect([allowed[0], maxPassageLines(5, ALONE), maxPassageLines(40, ALONE)]).toEqual([28, 1, 1]);
});

test("if the first passage is probably wrong, those below it take some of its lines", () => {
  const likely = [0, 1, 2, 3, 4].map((rank) => maxPassageLines(rank, ALONE));
  const unlikely = [0, 1, 2, 3, 4].map((rank) => maxPassageLines(rank, { ...ALONE, first: 0.3 }));
  expect(unlikely[0]).toBeLessThan(likely[0] ?? 0);
  expect(unlikely[4]).toBeGreaterThan(likely[4] ?? 0);
  expect(sumOf(unlikely)).toBe(sumOf(likely));
});

test("neighbours take less, and in a weak answer all are summaries", () => {
  expect(maxPassageLines(0, { ...ALONE, isNeighbor: true })).toBe(7);
  expect(maxPassageLines(0, { ...ALONE, isWeak: true })).toBe(1);
});

test("half of the tokens are for passages, and there is always room for a result", () => {
  expect([maxResultsWithin(2000), maxResultsWithin(200), maxResultsWithin(1)]).toEqual([33, 3, 1]);
  const result = { path: "src/tokens.ts", symbol: "revokeToken" };
  for (const maxTokens of [100, 200, 500, 2000]) {
    const results = Array.from({ length: maxResultsWithin(maxTokens) }, () => result);
    const budget = passageBudget(maxTokens, results);
    expect(budget).toBeGreaterThan(maxTokens / 4);
    expect(budget).toBeLessThan(maxTokens);
    const long = results.with(0, { ...result, path: "folder/".repeat(40) });
    expect(passageBudget(maxTokens, long)).toBeLessThan(budget);
  }
  expect(
    passageBudget(
      100,
      Array.from({ length: 50 }, () => result),
    ),
  ).toBe(0);
  expect([estimateTokens(""), estimateTokens("abcd"), estimateTokens("abcde")]).toEqual([0, 1, 2]);
});

test("with little room a passage shows fewer lines, including those that match the query", () => {
  const lines = body(60);
  const fitting = (maxTokens: number): string =>
    fittingExcerpt(fileOf(lines), [partOf(lines)], { query, maxTokens });
  const sizes = [200, 60, 40, 30].map((maxTokens) => {
    const shown = fitting(maxTokens);
    expect(estimateTokens(shown)).toBeLessThanOrEqual(maxTokens);
    expect(shown).toContain("revokeToken(id);");
    return shown.split("\n").length;
  });
  expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
  expect(new Set(sizes).size).toBeGreaterThan(2);
  expect(fitting(10)).toBe("function serve(options) {\n…");
  expect(fitting(5)).toBe("");
});

test("a passage of long lines has fewer of them", () => {
  const lines = body(60).map((line) => `${line} // ${"words ".repeat(30)}`);
  const shown = fittingExcerpt(fileOf(lines), [partOf(lines)], { query, maxTokens: 10_000 });
  expect(estimateTokens(shown)).toBeLessThanOrEqual(30 * 15);
  expect(shown).toContain("revokeToken(id);");
});

test("chunks are shown in the order of the file, whichever is the best", () => {
  const lines = [...body(10), ...body(10).map((line) => line.replace("serve", "other"))];
  const parts = [
    partOf(lines, { startLine: 13, endLine: 24, symbol: "other" }),
    partOf(lines, { endLine: 12, maxLines: 1 }),
  ];
  const shown = fittingExcerpt(fileOf(lines), parts, { query, maxTokens: 1000 });
  expect(shown).toMatch(/^function serve\(options\) \{\n…\nfunction other\(options\) \{\n/);
});

test("a short chunk is shown whole, even if its lines are long", () => {
  const lines = [`A token is revoked ${"by its id ".repeat(30)}.`];
  const part = partOf(lines, { symbol: "" });
  expect(fittingExcerpt(fileOf(lines, true), [part], { query, maxTokens: 1000 })).toBe(lines[0]);
});
