import * as fc from "fast-check";
import { expect, test } from "vitest";

import { createTokenizer } from "../../src/chunk/words.ts";
import { parseQuery } from "../../src/search/parse-query.ts";
import {
  excerpt,
  fittingExcerpt,
  linesAllowed,
  passageBudget,
  tokensOf,
} from "../../src/search/passages.ts";

const tokenizer = createTokenizer();

/** The excerpt of these lines for a question. */
function call(lines: readonly string[], question: string, maxLines: number): string[] {
  const query = parseQuery(question, tokenizer);
  return excerpt({ startLine: 1, lines }, { query, tokenizer, maxLines }).split("\n");
}

/** A function of 40 lines whose line `at` is `line`. */
function body(at: number, line: string): string[] {
  const lines = [
    "function serve(options) {",
    ...Array.from({ length: 38 }, (_, n) => `  step${n}();`),
    "}",
  ];
  lines[at] = line;
  return lines;
}

test("a chunk that fits is shown whole, without the blank lines around it", () => {
  expect(call(["", "a", "", "b", "  "], "anything", 3)).toEqual(["a", "", "b"]);
});

test("a long one keeps its signature and the lines that hold the question", () => {
  expect(call(body(30, "  revokeToken(id);"), "revoke token", 6)).toMatchInlineSnapshot(`
    [
      "function serve(options) {",
      "…",
      "  step28();",
      "  revokeToken(id);",
      "  step30();",
      "  step31();",
      "…",
    ]
  `);
});

test("when the question is near the beginning there is no gap", () => {
  expect(call(body(2, "  revokeToken(id);"), "revoke token", 5)).toMatchInlineSnapshot(`
    [
      "function serve(options) {",
      "  step0();",
      "  revokeToken(id);",
      "  step2();",
      "…",
    ]
  `);
});

test("what was found is shown wherever it stands", () => {
  for (let at = 0; at < 40; at += 1) {
    for (const maxLines of [3, 6, 10]) {
      expect(call(body(at, "  revokeToken(id);"), "revoke token", maxLines)).toContain(
        "  revokeToken(id);",
      );
    }
  }
});

test("when the question is at the end the end is shown", () => {
  const lines = call(body(38, "  revokeToken(id);"), "revoke token", 6);
  expect(lines[0]).toBe("function serve(options) {");
  expect(lines.slice(-2)).toEqual(["  revokeToken(id);", "}"]);
});

test("the window with several words of the question wins over one with a single word", () => {
  const lines = body(8, "  token();");
  lines[25] = "  revoke();";
  lines[26] = "  token(expired);";
  expect(call(lines, "revoke expired token", 6)).toContain("  revoke();");
});

test("long lines are clipped, and never in the middle of a character", () => {
  const [clipped = ""] = call([`${"x".repeat(239)}😀${"y".repeat(100)}`], "xyz", 5);
  expect(clipped.length).toBeLessThanOrEqual(241);
  expect(clipped).toMatch(/…$/);
  expect(clipped.isWellFormed()).toBe(true);
  expect(call(["x".repeat(240)], "xyz", 5)).toEqual(["x".repeat(240)]);
});

test("the ends of CRLF lines are left out", () => {
  expect(call(["a();\r", "\r", "b();\r"], "anything", 9)).toEqual(["a();", "", "b();"]);
});

test("lines without text give nothing", () => {
  expect(call([], "anything", 9)).toEqual([""]);
  expect(call(["", "  "], "anything", 9)).toEqual([""]);
});

test("an excerpt is never longer than it may be, and holds only lines of the chunk in order", () => {
  const lines = fc.array(fc.constantFrom<string[]>("a();", "revoke(token);", "", "  b;", "token"), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(lines, fc.integer({ min: 3, max: 30 }), (all, maxLines) => {
      const shown = call(all, "revoke token", maxLines).filter((line) => line !== "…");
      expect(shown.length).toBeLessThanOrEqual(maxLines);
      let from = 0;
      for (const line of shown.filter((one) => one !== "")) {
        const at = all.indexOf(line, from);
        expect(at).toBeGreaterThanOrEqual(0);
        from = at + 1;
      }
    }),
  );
});

test("the best passages take more lines, later ones are pointers", () => {
  const allowed = Array.from({ length: 8 }, (_, rank) => linesAllowed(rank));
  expect(allowed).toEqual(allowed.toSorted((one, other) => other - one));
  expect([allowed[0], linesAllowed(40)]).toEqual([30, 0]);
});

test("the budget leaves room for a pointer to each result and is never negative", () => {
  expect(passageBudget(2000, 10)).toBeLessThan(2000);
  expect(passageBudget(100, 50)).toBe(0);
  expect([tokensOf(""), tokensOf("abcd"), tokensOf("abcde")]).toEqual([0, 1, 2]);
});

test("where the room is short a passage shows fewer lines, those of the question still among them", () => {
  const query = parseQuery("revoke token", tokenizer);
  const text = { startLine: 1, lines: body(30, "  revokeToken(id);") };
  const fitting = (maxTokens: number): string =>
    fittingExcerpt(text, { query, tokenizer, maxLines: 30 }, maxTokens);
  const sizes = [200, 60, 40, 30].map((maxTokens) => {
    const shown = fitting(maxTokens);
    expect(tokensOf(shown)).toBeLessThanOrEqual(maxTokens);
    expect(shown).toContain("revokeToken(id);");
    return shown.split("\n").length;
  });
  expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
  expect(new Set(sizes).size).toBeGreaterThan(2);
  expect(fitting(10)).toBe("");
});
