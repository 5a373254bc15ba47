import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { chunkFile, needsSyntax } from "../../src/chunk/chunk.ts";
import { DEFINITION_RULES } from "../../src/parse/languages/definition-rules-by-language.ts";
import { NO_REFERENCES } from "../../src/parse/references/references.ts";
import { chunk, sharedGrammars, tilingFault } from "./helpers.ts";

/** Returns the chunks as `start-end symbol`. */
async function places(language: string | undefined, text: string): Promise<string[]> {
  const chunked = await chunk(language, text);
  expect(tilingFault(text, chunked)).toBeUndefined();
  return chunked.chunks.map((each) => `${each.startLine}-${each.endLine} ${each.symbol}`.trim());
}

const body = (count: number, indent = "    "): string =>
  Array.from({ length: count }, (_, index) => `${indent}value_${index} = ${index}`).join("\n");

const method = (name: string, lines: number): string =>
  `    def ${name}(self):\n${body(lines - 1, "        ")}\n`;

const inner = (name: string): string => `  function ${name} () {\n${body(40)}\n  }\n`;

const paragraphs = (count: number): string => "Some words.\n\n".repeat(count);

describe("chunk boundaries in code", () => {
  it("keep a definition together with its comment and decorators", async () => {
    const text = `import os\nimport sys\nimport re\nimport json\n\n# Why.\n@cached\n@logged\ndef load():\n${body(10)}\n`;
    expect(await places("python", text)).toEqual(["1-4", "6-19 load"]);
  });

  it("keep a class of up to 60 lines whole", async () => {
    const text = `class Small:\n    """Fits."""\n\n${method("one", 20)}\n${method("two", 20)}`;
    expect(await places("python", text)).toEqual(["1-44 Small"]);
  });

  it("give a larger class a header with its fields and a chunk for each method", async () => {
    const text = `class Large:\n    """Does not fit."""\n\n    limit = 1\n\n${method("one", 30)}\n${method("two", 40)}`;
    expect(await places("python", text)).toEqual([
      "1-4 Large",
      "6-35 Large.one",
      "37-76 Large.two",
    ]);
  });

  it("put tiny neighbours together, with the names of all", async () => {
    const functions = Array.from({ length: 30 }, (_, index) => `function f${index}() {}\n`).join(
      "\n",
    );
    const { chunks } = await chunk("javascript", functions);
    expect(chunks.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
      [1, 39],
      [41, 59],
    ]);
    expect(chunks[1]?.names).toEqual(Array.from({ length: 10 }, (_, index) => `f${index + 20}`));
  });

  it("merge short imports with the tiny code after them", async () => {
    expect(await places("go", 'package a\n\nimport "fmt"\n\nfunc F() {}\n')).toEqual(["1-5 F"]);
  });

  it("split a long function between statements and repeat its symbol", async () => {
    const blocks = `  if (a) {\n${body(8)}\n  }\n`.repeat(12);
    const { chunks } = await chunk("javascript", `function long (a) {\n${blocks}}\n`);
    expect(chunks.map(({ symbol }) => symbol)).toEqual(["long", "long"]);
    // Line 62 begins an `if`: 1 + 6 * 10 lines precede it.
    expect(chunks[1]?.startLine).toBe(62);
  });

  it("split a long function at the functions inside and name them", async () => {
    const text = `function plugin (app) {\n  const a = 1\n\n${inner("first")}\n${inner("second")}}\n`;
    expect(await places("javascript", text)).toEqual(["1-45 plugin", "47-89 plugin.second"]);
  });

  it("count long lines several times", async () => {
    const line = `const a = "${"x ".repeat(600)}";`;
    const { chunks } = await chunk("javascript", Array.from({ length: 40 }, () => line).join("\n"));
    expect(chunks.length).toBeGreaterThan(5);
  });
});

describe("chunk boundaries in prose", () => {
  it("keep short sections of one parent together", async () => {
    const text = `# Guide\n\n## One\n\n${paragraphs(2)}## Two\n\n${paragraphs(2)}`;
    expect(await places("markdown", text)).toEqual(["1-13 Guide"]);
  });

  it("name a section by the path of its headings", async () => {
    const text = `# Guide\n\n${paragraphs(15)}## Install\n\n${paragraphs(15)}### Linux\n\n${paragraphs(15)}`;
    expect(await places("markdown", text)).toEqual([
      "1-31 Guide",
      "33-63 Guide > Install",
      "65-95 Guide > Install > Linux",
    ]);
  });

  it("split a long section between paragraphs", async () => {
    const text = `# Long\n\n${"One line.\nAnother line.\nA third.\n\n".repeat(25)}`;
    const { chunks } = await chunk("markdown", text);
    expect(chunks.map(({ symbol }) => symbol)).toEqual(["Long", "Long", "Long"]);
    for (const { startLine } of chunks.slice(1)) expect(startLine % 4).toBe(3);
  });
});

describe("symbols", () => {
  it("have a signature of one line and up to 200 characters", async () => {
    const parameters = Array.from({ length: 60 }, (_, index) => `  argument${index}: string,`);
    const { symbols } = await chunk("typescript", `function f(\n${parameters.join("\n")}\n) {}\n`);
    expect(symbols[0]?.signature).toHaveLength(200);
    expect(symbols[0]?.signature).toMatch(/^function f\( argument0: string, .*…$/);
  });

  it("are the same for a C++ header whether its language is given as C or as C++", async () => {
    const text = "namespace a {\nclass B {\n public:\n  void c();\n};\n}\n";
    const asC = await chunk("c", text, "b.h");
    const asCpp = await chunk("cpp", text, "b.hpp");
    expect(asC.symbols).toEqual(asCpp.symbols);
    expect(asC.symbols.map(({ qualifiedName }) => qualifiedName)).toEqual(["a", "B", "B.c"]);
  });

  it("are found in Rust items that a macro wraps", async () => {
    const { symbols } = await chunk("rust", "cfg_rt! {\n    /// Runs.\n    pub fn spawn() {}\n}\n");
    expect(symbols).toMatchObject([{ name: "spawn", docLine: "Runs.", startLine: 2, endLine: 3 }]);
  });
});

describe("odd input", () => {
  it("gives nothing for an empty file and for blank lines", async () => {
    for (const language of [undefined, "python", "markdown", "sql"]) {
      for (const text of ["", "\n", "  \n\t\n\r\n"]) {
        expect(await chunk(language, text)).toEqual({
          chunks: [],
          symbols: [],
          references: NO_REFERENCES,
        });
      }
    }
  });

  it("cuts a file with CRLF line breaks like the same file with LF", async () => {
    for (const language of ["typescript", "python", "markdown", "swift", "rst"]) {
      const text =
        "# A\n\nclass A {\n  b() {\n    return 1;\n  }\n}\n\nfunc c() {\n  d\n}\n\nTitle\n=====\n\nText.\n";
      const unix = await chunk(language, text);
      const windows = await chunk(language, text.replaceAll("\n", "\r\n"));
      expect(windows).toEqual(unix);
    }
  });

  it("parses a long file of code with the grammar, and cuts a long table by line patterns", async () => {
    const code = "function a() {\n  return b();\n}\n".repeat(10_000);
    const table = `const rows = [\n${"  [1, b()],\n".repeat(30_000)}];\n${code.slice(0, 600)}`;
    const tooLong = code.repeat(12);
    const parsed = await Promise.all(
      [code, table, tooLong].map(async (text) => {
        const { chunks, references, problem } = await chunk("javascript", text);
        expect(problem).toBeUndefined();
        const input = { chunks, symbols: [], references: NO_REFERENCES };
        expect(tilingFault(text, input)).toBeUndefined();
        const needs = needsSyntax({ path: "a.js", language: "javascript", text });
        return { needs, uses: references.uses.length };
      }),
    );
    expect(needsSyntax({ path: "a.d.ts", language: "typescript", text: code })).toBe(false);
    expect(parsed).toEqual([
      { needs: true, uses: 10_000 },
      { needs: false, uses: 0 },
      { needs: false, uses: 0 },
    ]);
  });

  it("parses a long file of Haskell if it has equations of several lines", () => {
    const code = "check _ token =\n  go token\n  where go = id\n".repeat(8000);
    const table = "row 1 = 2\n".repeat(30_000);
    const needs = [code, table].map((text) =>
      needsSyntax({ path: "A.hs", language: "haskell", text }),
    );
    expect(needs).toEqual([true, false]);
  });

  it("leaves one huge line in one chunk", async () => {
    const text = "var a=function(){return 1};".repeat(5000);
    const { chunks } = await chunk("javascript", text);
    expect(chunks).toMatchObject([{ startLine: 1, endLine: 1, symbol: "a" }]);
  });

  it("still finds definitions around syntax errors", async () => {
    const text =
      "function before() {\n  return 1;\n}\n\nconst = = ;\n\nfunction after() {\n  return 2;\n}\n";
    const { symbols, problem } = await chunk("typescript", text);
    expect(symbols.map(({ name }) => name)).toEqual(["before", "after"]);
    expect(problem).toBeUndefined();
  });

  it("survives nesting that is 10,000 levels deep", async () => {
    const depth = 10_000;
    const cases: [string, string][] = [
      ["javascript", `${"function a(){\n".repeat(depth)}${"}\n".repeat(depth)}`],
      ["typescript", `${"namespace a {\n".repeat(depth)}${"}\n".repeat(depth)}`],
      ["cpp", `${"namespace a {\n".repeat(depth)}${"}\n".repeat(depth)}`],
      ["python", `x = ${"(\n".repeat(depth)}${")\n".repeat(depth)}`],
      ["swift", `${"class A {\n".repeat(depth)}${"}\n".repeat(depth)}`],
      ["markdown", `${"> ".repeat(depth)}text\n`],
    ];
    for (const [language, text] of cases) {
      expect(tilingFault(text, await chunk(language, text))).toBeUndefined();
    }
  });

  it("tiles a text that repeats one token, without a grammar", () => {
    const parts = [" ", "\n", "{", "{\n", "}\n", "class A {\n", "( ", "# [a](", "int a(\n"];
    for (const part of parts) {
      const text = part.repeat(Math.ceil(200_000 / part.length));
      for (const language of ["java", "c", "javascript", "markdown", "sql", "css", undefined]) {
        const chunked = chunkFile({ path: "a", language, text });
        expect(tilingFault(text, chunked)).toBeUndefined();
        expect(chunked.chunks.length).toBeLessThanOrEqual(text.split("\n").length);
        expect(chunked.chunks.length > 0).toBe(part.trim() !== "");
      }
    }
  });

  it("cuts by indentation when there is no grammar", () => {
    const text = "class A:\n    def b(self):\n        return 1\n\n\ndef c():\n    return 2\n";
    const { symbols, problem } = chunkFile({ path: "a.py", language: "python", text });
    expect(symbols.map(({ qualifiedName }) => qualifiedName)).toEqual(["A", "A.b", "c"]);
    expect(problem).toBeUndefined();
  });
});

describe("tiling", () => {
  const words = fc.constantFrom(
    ..."{ } ( ) [ ] ; , : = => \" ' ` # // /* */ <!-- --- ``` = == @ \\ \t \r".split(" "),
    ..."class def function fn func module end if else import struct impl describe it test a b C 1 é 🙂".split(
      " ",
    ),
    "\n",
    "\n",
    "\n  ",
    "\n    ",
    " ",
  );
  const texts = fc.array(words, { maxLength: 250 }).map((parts) => parts.join(" "));
  const languages = fc.constantFrom(
    undefined,
    ...DEFINITION_RULES.keys(),
    ..."markdown rst asciidoc org tex pod protobuf graphql thrift swift sql yaml toml css erlang cobol".split(
      " ",
    ),
  );

  it("puts every line that is not blank into exactly one chunk", async () => {
    const grammars = await sharedGrammars();
    fc.assert(
      fc.property(languages, texts, (language, text) => {
        const chunked = chunkFile({ path: "a", language, text }, grammars);
        expect(tilingFault(text, chunked)).toBeUndefined();
        for (const { startLine, endLine } of chunked.symbols) {
          expect(startLine).toBeLessThanOrEqual(endLine);
        }
      }),
      { numRuns: 1500, seed: 7 },
    );
  });

  it("is deterministic", async () => {
    const grammars = await sharedGrammars();
    fc.assert(
      fc.property(languages, texts, (language, text) => {
        const file = { path: "a", language, text };
        expect(chunkFile(file, grammars)).toEqual(chunkFile(file, grammars));
      }),
      { numRuns: 200, seed: 7 },
    );
  });
});
