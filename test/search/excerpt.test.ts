import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import * as fc from "fast-check";
import { expect, test } from "vitest";

import { chunkFile } from "../../src/chunk/chunk.ts";
import { createTokenizer } from "../../src/parse/tokenizer.ts";
import { excerpt, type ExcerptPart } from "../../src/search/excerpt.ts";
import { readFences } from "../../src/search/fences.ts";
import { parseQuery } from "../../src/search/parse-query.ts";
import { fenceLines } from "../helpers/fence-lines.ts";
import { arbitraryProse } from "./arbitrary-prose.ts";

const tokenizer = createTokenizer();

interface Options {
  readonly question?: string;
  readonly parts?: readonly Partial<ExcerptPart>[];
  readonly maxLines?: number;
  readonly symbol?: string;
  readonly isProse?: boolean;
}

/** Returns the lines shown of a file, by default of all of it as one chunk. */
function excerptOf(
  lines: readonly string[],
  { question = "revoke token", parts = [{}], maxLines = 6, symbol = "", isProse = false }: Options,
): string[] {
  const query = parseQuery(question, tokenizer);
  const whole = { startLine: 1, endLine: lines.length, symbol, maxLines };
  const file = { lines, isProse, fences: readFences(lines) };
  const chosen = parts.map((part) => ({ ...whole, ...part }));
  return excerpt(file, chosen, query).split("\n");
}

/** Returns a function of 40 lines whose line `at`, 0-based, is `line`. */
function body(at: number, line: string): string[] {
  const lines = [
    "function serve(options) {",
    ...Array.from({ length: 38 }, (_, n) => `  step${n}();`),
    "}",
  ];
  lines[at] = line;
  return lines;
}

/** Checks that every line shown is a line of the file, or a piece of one, in the order of the file. */
function expectLinesOf(lines: readonly string[], shown: readonly string[]): void {
  let from = 0;
  for (const line of shown) {
    const piece = line.replace(/^…|…$/g, "");
    if (piece.trim() === "") continue;
    const at = lines.findIndex((one, index) => index >= from && one.includes(piece));
    expect(at).toBeGreaterThanOrEqual(from);
    from = at + 1;
  }
}

test("a chunk that fits is shown whole, without the blank lines around it", () => {
  expect(excerptOf(["", "a", "", "b", "  "], { maxLines: 3 })).toEqual(["a", "", "b"]);
});

test("a long chunk keeps its signature and the lines that match the query", () => {
  const lines = body(30, "  revokeToken(id);");
  expect(excerptOf(lines, { symbol: "serve", maxLines: 7 })).toMatchInlineSnapshot(`
    [
      "function serve(options) {",
      "…",
      "  step28();",
      "  revokeToken(id);",
      "  step30();",
      "  step31();",
      "  step32();",
      "  step33();",
      "…",
    ]
  `);
});

test("when both fit together there is no gap", () => {
  const lines = body(4, "  revokeToken(id);");
  expect(excerptOf(lines, { symbol: "serve", maxLines: 6 })).toMatchInlineSnapshot(`
    [
      "function serve(options) {",
      "  step0();",
      "  step1();",
      "  step2();",
      "  revokeToken(id);",
      "  step4();",
      "…",
    ]
  `);
});

test("a piece of a definition without its signature is shown as it is", () => {
  expect(excerptOf(body(30, "  revokeToken(id);").slice(10), { symbol: "serve" })[0]).toBe("…");
});

test("a match is shown wherever it is", () => {
  for (let at = 0; at < 40; at += 1) {
    for (const maxLines of [4, 6, 10, 20]) {
      const shown = excerptOf(body(at, "  revokeToken(id);"), { symbol: "serve", maxLines });
      expect(shown).toContain("  revokeToken(id);");
    }
  }
});

test("when the match is at the end the end is shown", () => {
  const lines = excerptOf(body(38, "  revokeToken(id);"), { symbol: "serve" });
  expect(lines[0]).toBe("function serve(options) {");
  expect(lines.slice(-2)).toEqual(["  revokeToken(id);", "}"]);
});

test("several query words together win over one that is frequent", () => {
  const lines = body(8, "  token();");
  lines[9] = "  token();";
  lines[25] = "  revoke(token, expired);";
  const shown = excerptOf(lines, { question: "revoke expired token" });
  expect(shown).toContain("  revoke(token, expired);");
});

test("query terms with more weight decide", () => {
  const lines = body(8, "  serve(handler, options);");
  lines[25] = "  revoke();";
  const query = parseQuery("revoke handler", tokenizer);
  const terms = new Map([...query.terms].map(([term]) => [term, term === "handler" ? 0.1 : 1]));
  const file = { lines, isProse: false, fences: readFences(lines) };
  const part = { startLine: 1, endLine: 40, symbol: "", maxLines: 6 };
  expect(excerpt(file, [part], { ...query, terms })).toContain("revoke();");
});

test("a window begins at a statement, not with the end of the previous one", () => {
  const lines = [
    "function serve() {",
    ...Array.from({ length: 12 }, (_, n) => `  step${n}();`),
    "  if (a) {",
    "    b();",
    "  }",
    "",
    "  while (c) {",
    "    if (d) {",
    "      e();",
    "    } else {",
    "      revokeToken(id);",
    "    }",
    "  }",
    ...Array.from({ length: 12 }, (_, n) => `  end${n}();`),
    "}",
  ];
  expect(excerptOf(lines, { symbol: "serve", maxLines: 9 })).toMatchInlineSnapshot(`
    [
      "function serve() {",
      "…",
      "  while (c) {",
      "    if (d) {",
      "      e();",
      "    } else {",
      "      revokeToken(id);",
      "    }",
      "  }",
      "  end0();",
      "…",
    ]
  `);
});

test("a comment is shown with the signature if it is short, or matches", () => {
  const comment = ["/**", ...Array.from({ length: 12 }, (_, n) => ` * Line ${n}.`), " */"];
  const lines = [...comment, ...body(3, "  revokeToken(id);")];
  expect(excerptOf(lines, { symbol: "serve", maxLines: 10 })[1]).toBe("function serve(options) {");
  const short = ["// Serves.", ...body(3, "  revokeToken(id);")];
  expect(excerptOf(short, { symbol: "serve", maxLines: 10 })[0]).toBe("// Serves.");
  const answer = lines.with(5, " * To revoke a token call it.");
  const shown = excerptOf(answer.with(17, "  a();"), { symbol: "serve", maxLines: 10 });
  expect(shown).toContain(" * To revoke a token call it.");
});

const PAGE = [
  "# Tokens",
  "",
  ...Array.from({ length: 10 }, (_, n) => `Line ${n} about other things.`),
  "",
  "## Revocation",
  "",
  "A token is revoked by its id:",
  "",
  "```js",
  ...Array.from({ length: 10 }, (_, n) => `step${n}();`),
  "revokeToken(id);",
  ...Array.from({ length: 10 }, (_, n) => `last${n}();`),
  "```",
  "",
  "## Keys",
  "",
  "Keys are no tokens.",
];

test("prose begins at the heading, and a fence has both its lines", () => {
  expect(excerptOf(PAGE, { isProse: true, maxLines: 9 })).toMatchInlineSnapshot(`
    [
      "# Tokens",
      "…",
      "## Revocation",
      "",
      "A token is revoked by its id:",
      "",
      "\`\`\`js",
      "step0();",
      "step1();",
      "step2();",
      "…",
      "\`\`\`",
      "…",
    ]
  `);
});

test("a passage that begins and ends inside of a fence shows the lines around it", () => {
  const parts = [{ startLine: 22, endLine: 35 }];
  expect(excerptOf(PAGE, { isProse: true, parts, maxLines: 5 })).toMatchInlineSnapshot(`
    [
      "\`\`\`js",
      "…",
      "step9();",
      "revokeToken(id);",
      "last0();",
      "last1();",
      "last2();",
      "…",
      "\`\`\`",
    ]
  `);
  expect(excerptOf(PAGE, { isProse: true, parts, maxLines: 40 })).toMatchInlineSnapshot(`
    [
      "\`\`\`js",
      "…",
      "step3();",
      "step4();",
      "step5();",
      "step6();",
      "step7();",
      "step8();",
      "step9();",
      "revokeToken(id);",
      "last0();",
      "last1();",
      "last2();",
      "last3();",
      "last4();",
      "last5();",
      "…",
      "\`\`\`",
    ]
  `);
});

test("a fence in a comment of a program is complete where any of it is shown", () => {
  const lines = [
    "/**",
    " * Serves.",
    "```js",
    "serve();",
    "revokeToken(id);",
    ...Array.from({ length: 10 }, () => "serve();"),
    "```",
    " */",
    ...body(3, ""),
  ];
  const shown = excerptOf(lines, { symbol: "serve", maxLines: 8 });
  expect(shown).toContain("revokeToken(id);");
  expect(shown.filter((line) => line.startsWith("```"))).toEqual(["```js", "```"]);
  // A part far from any fence line gets no fence.
  const parts = [{ startLine: 7, endLine: 10 }];
  expect(excerptOf(lines, { parts })).toEqual(lines.slice(6, 10));
});

test("a file that is one fence, with or without its end", () => {
  const code = Array.from({ length: 30 }, (_, n) => `step${n}();`).with(20, "revokeToken(id);");
  const whole = ["```js", ...code, "```"];
  expect(excerptOf(whole, { isProse: true, maxLines: 4 })).toMatchInlineSnapshot(`
    [
      "\`\`\`js",
      "…",
      "step19();",
      "revokeToken(id);",
      "step21();",
      "step22();",
      "…",
      "\`\`\`",
    ]
  `);
  const unfinished = excerptOf(["```js", ...code], { isProse: true, maxLines: 4 });
  expect(unfinished).toContain("revokeToken(id);");
  expect(fenceLines(unfinished.join("\n"))).toBe(0);
  expect(excerptOf(["```"], { isProse: true })).toEqual([""]);
});

test("no block is named json", () => {
  const lines = ["Tokens:", "```json", '{ "path": "src/tokens.ts" }', "```"];
  const shown = excerptOf(lines, { isProse: true }).join("\n");
  expect(shown).toBe('Tokens:\n```…\n{ "path": "src/tokens.ts" }\n```');
});

test("carriage returns and trailing blanks are removed", () => {
  const lines = ["```js\r", "a();  \r", "\r", "b();\r", "```\r"];
  expect(excerptOf(lines, { isProse: true })).toEqual(["```js", "a();", "", "b();", "```"]);
});

test("very long lines show the piece that matches the query", () => {
  const long = `${"x ".repeat(50_000)}revoke the token ${"y ".repeat(50_000)}`;
  const shown = excerptOf([long, "a", "b"], {});
  expect(shown[0]).toContain("revoke the token");
  expect(shown[0]?.length).toBeLessThan(250);
  expect(excerptOf([`\`\`\`${long}`, "a", "```"], { isProse: true })[0]).toMatch(/^```x x/);
});

test("a summary is the signature, of prose the matching sentence", () => {
  const code = body(20, "  revokeToken(id);");
  expect(excerptOf(code, { symbol: "serve", maxLines: 1 })).toEqual([
    "function serve(options) {",
    "…",
  ]);
  expect(excerptOf(code.slice(5), { symbol: "serve", maxLines: 1 })).toEqual([
    "…",
    "  revokeToken(id);",
    "…",
  ]);
  expect(excerptOf(PAGE, { isProse: true, maxLines: 1 })).toEqual([
    "…",
    "A token is revoked by its id:",
    "…",
  ]);
  const broken = ["# A", "", "Some are", "revoked by", "their id.", "", "b", "", "c"];
  expect(excerptOf(broken, { isProse: true, maxLines: 1 })).toEqual([
    "…",
    "revoked by",
    "their id.",
    "…",
  ]);
  expect(excerptOf(["# Token", "", "a", "", "b"], { isProse: true, maxLines: 1 })).toEqual([""]);
});

test("neighbours are shown as one excerpt, with an ellipsis between them", () => {
  const lines = [...body(20, "  revokeToken(id);"), "", ...body(30, "  revokeToken(other);")];
  const parts = [
    { startLine: 1, endLine: 40, symbol: "serve", maxLines: 5 },
    { startLine: 42, endLine: 81, symbol: "serve", maxLines: 4 },
  ];
  expect(excerptOf(lines, { parts })).toMatchInlineSnapshot(`
    [
      "function serve(options) {",
      "…",
      "  step18();",
      "  revokeToken(id);",
      "  step20();",
      "  step21();",
      "…",
      "function serve(options) {",
      "…",
      "  revokeToken(other);",
      "  step30();",
      "  step31();",
      "…",
    ]
  `);
});

test("lines without text give an empty excerpt", () => {
  expect(excerptOf([], {})).toEqual([""]);
  expect(excerptOf(["", "  "], {})).toEqual([""]);
});

const arbitraryParts = fc
  .uniqueArray(fc.integer({ min: 1, max: 80 }), { minLength: 2, maxLength: 6 })
  .map((lines) => lines.toSorted((one, other) => one - other))
  .chain((lines) =>
    fc.tuple(
      ...lines.slice(1).map((endLine, at) =>
        fc.record({
          startLine: fc.constant((lines[at] ?? 0) + (at > 0 ? 1 : 0)),
          endLine: fc.constant(endLine),
          maxLines: fc.integer({ min: 0, max: 40 }),
        }),
      ),
    ),
  );

test("for any parts of any file, fences are complete and lines are those of the file", () => {
  fc.assert(
    fc.property(arbitraryProse(), arbitraryParts, fc.boolean(), (lines, parts, isProse) => {
      const shown = excerptOf(lines, { parts, isProse });
      expect(fenceLines(shown.join("\n")) % 2).toBe(0);
      expect(shown.join("\n")).not.toMatch(/```json\s*\n/);
      expectLinesOf(lines, shown);
    }),
    { numRuns: 500 },
  );
});

test("an excerpt has at most its maximum of lines, not counting gaps and fence lines", () => {
  const prose = fc.tuple(arbitraryProse(), fc.integer({ min: 4, max: 30 }), fc.boolean());
  fc.assert(
    fc.property(prose, ([lines, maxLines, isProse]) => {
      const shown = excerptOf(lines, { maxLines, isProse });
      const texts = shown.filter((line) => line !== "…" && !/^\s*(?:```|~~~)/.test(line));
      // A few more lines where an ellipsis would take as much space.
      expect(texts.length).toBeLessThanOrEqual(maxLines + 4);
    }),
  );
});

test("fences are complete for every chunk of this repository's documents and sources, in any size", () => {
  const root = join(import.meta.dirname, "../..");
  const paths = globSync("{*.md,docs/**/*.md,bench/*.md,src/search/*.ts,test/search/*.ts}", {
    cwd: root,
  });
  expect(paths.length).toBeGreaterThan(40);
  for (const path of paths) {
    const text = readFileSync(join(root, path), "utf8");
    const lines = text.split(/\r?\n/);
    const isProse = path.endsWith(".md");
    const { chunks } = chunkFile({ path, language: isProse ? "markdown" : "typescript", text });
    for (const chunk of chunks) {
      for (const maxLines of [1, 5, 12, 40]) {
        const shown = excerptOf(lines, {
          parts: [{ ...chunk, maxLines }],
          isProse,
          question: "index of words",
        });
        expect(fenceLines(shown.join("\n")) % 2).toBe(0);
        expectLinesOf(lines, shown);
      }
    }
  }
});
