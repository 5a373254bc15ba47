import { describe, expect, it } from "vitest";

import type { DocumentHeading, PlaceStart } from "../../src/base/documents/document.ts";
import { chunkFile, needsSyntax, type ChunkedFile } from "../../src/chunk/chunk.ts";
import { notebookText } from "../helpers/notebook-text.ts";
import { sharedGrammars, show, tilingFault } from "./helpers.ts";

async function notebook(cells: readonly string[], kernel?: string): Promise<ChunkedFile> {
  const document = notebookText(cells, kernel);
  const file = { path: "a.ipynb", language: "notebook", text: document.text, document };
  const chunked = chunkFile(file, await sharedGrammars());
  expect(tilingFault(document.text, chunked)).toBeUndefined();
  return chunked;
}

function calls(count: number): string {
  return Array.from({ length: count }, (_, line) => `call(${line})`).join("\n");
}

describe("a notebook", () => {
  it("has a section and its cells in one chunk if they fit, with what the cells define", async () => {
    const chunked = await notebook([
      "import os",
      "# Tour\n\nText.",
      "## Load",
      "LIMIT = 1\ndef load(path):\n    '''Loads a file.'''\n    return path",
      "class Grid:\n    def mean(self):\n        pass",
      "grid = load('a')\ngrid = load('b')",
    ]);
    expect(show(chunked)).toBe(`1-19 section Tour [Tour, Load, load, Grid, mean]

3-19 section Tour: Tour
7-19 section Tour > Load: Load
9-9 constant LIMIT: LIMIT = 1
10-12 function load: def load(path) // Loads a file.
14-16 class Grid: class Grid
15-16 method Grid.mean: def mean(self)
18-18 constant grid: grid = load('a')
`);
    expect(chunked.symbols.map(({ access }) => access)).toEqual([
      "exported",
      "exported",
      "private",
      "internal",
      "internal",
      "exported",
      "private",
    ]);
  });

  it("is cut at headings, then between cells", async () => {
    const cells = ["# Tour", "## One", calls(25), "## Two", calls(25), calls(30), calls(30)];
    expect((await notebook(cells)).chunks.map((one) => [one.startLine, one.endLine])).toEqual([
      [1, 29],
      [31, 88],
      [90, 119],
    ]);
  });

  it("has chunks of their own for long functions, which are named after them", async () => {
    const body = calls(30).replaceAll(/^/gmu, "    ");
    const cells = ["# Tour", calls(9), `def run():\n${body}`, `def stop():\n${body}`, calls(9)];
    const { chunks } = await notebook(cells);
    expect(chunks.map(({ symbol, kind, names }) => [symbol, kind, names])).toEqual([
      ["Tour", "section", ["Tour"]],
      ["run", "function", ["Tour", "run"]],
      ["stop", "function", ["Tour", "stop"]],
      ["Tour", "section", ["Tour"]],
    ]);
  });

  it("has definitions of its main language by grammar, of others by line patterns", async () => {
    const { symbols, references } = await notebook([
      "def first():\n    pass",
      "%%bash\nsecond() {\n  ls\n}",
      "%%html\n<h1 id='no'>No</h1>",
      "%matplotlib inline\n!ls\ndef third():\n    first()",
    ]);
    expect(symbols.map((one) => `${one.startLine}-${one.endLine} ${one.name}`)).toEqual([
      "1-2 first",
      "5-7 second",
      "14-15 third",
    ]);
    expect(references.uses.map(({ name, line, owner }) => ({ name, line, owner }))).toEqual([
      { name: "first", line: 15, owner: 2 },
    ]);
  });

  it("has no references in a language by whose rules notebooks are not resolved", async () => {
    const { symbols, references } = await notebook(["f <- function(x) g(x)\nf(1)"], "R");
    expect(symbols.map(({ name }) => name)).toEqual(["f"]);
    expect(references.uses).toEqual([]);
  });

  it("keeps what is after a cell that is not Python", async () => {
    const { symbols } = await notebook([
      "def first():\n    pass",
      "def broken(:\n    '''not closed\n",
      "# Next",
      "text that is no code (",
      "def last():\n    pass",
    ]);
    expect(symbols.map(({ name }) => name)).toEqual(expect.arrayContaining(["first", "Next"]));
    for (const { kind, startLine, endLine } of symbols) {
      expect(kind === "section" || endLine - startLine < 3, `${startLine}-${endLine}`).toBe(true);
    }
  });

  it("is read without a grammar at first, and needs one if it has code for it", async () => {
    const document = notebookText(["# Tour", "def load(path):\n    return path"]);
    const file = { path: "a.ipynb", language: "notebook", text: document.text, document };
    expect(chunkFile(file).symbols.map(({ name }) => name)).toEqual(["Tour", "load"]);
    expect(needsSyntax(file)).toBe(true);
    const prose = notebookText(["# Tour", "## Text"]);
    expect(needsSyntax({ ...file, text: prose.text, document: prose })).toBe(false);
    const unknown = notebookText(["x"], "unknown");
    expect(needsSyntax({ ...file, text: unknown.text, document: unknown })).toBe(false);
    const long = notebookText([calls(30_000)]);
    expect(needsSyntax({ ...file, text: long.text, document: long })).toBe(false);
    const longFile = { ...file, text: long.text, document: long };
    expect(tilingFault(long.text, chunkFile(longFile, await sharedGrammars()))).toBeUndefined();
  });
});

function pdf(
  text: string,
  headings: readonly DocumentHeading[],
  places: readonly PlaceStart[] = [],
): ChunkedFile {
  const code = [{ startLine: 3, endLine: 4, language: "python" }];
  const document = { headings, code, places, unit: "page" } as const;
  const file = { path: "a.pdf", language: "pdf", text, document };
  expect(needsSyntax(file)).toBe(false);
  const chunked = chunkFile(file);
  expect(tilingFault(text, chunked)).toBeUndefined();
  return chunked;
}

describe("a document without program code", () => {
  it("has the sections that are given, and defines nothing in its examples", () => {
    const text = "1 Intro\n\ndef f():\n    pass\n\n# no heading\n\n1.1 Aims\ntext\n";
    const headings = [
      { line: 1, level: 1, title: "Intro" },
      { line: 8, level: 2, title: "Aims" },
    ];
    expect(show(pdf(text, headings))).toBe(`1-9 section Intro [Intro, Aims]

1-9 section Intro: Intro
8-9 section Intro > Aims: Aims
`);
  });

  it("is cut at paragraphs if it has no headings", () => {
    const text = `${"Words of a paragraph.\n".repeat(18)}\n`.repeat(12);
    const { chunks, symbols } = pdf(text, []);
    expect(symbols).toEqual([]);
    expect(chunks.map(({ startLine }) => startLine % 19)).toEqual(chunks.map(() => 1));
    expect(chunks.length).toBeGreaterThan(4);
  });

  it("may have headings after its end, at any level and in any number", () => {
    const text = "line\n".repeat(30_000);
    const headings = Array.from({ length: 40_000 }, (_, at) => ({
      line: at + 1,
      level: at + 1,
      title: "t",
    }));
    const { symbols } = pdf(text, headings);
    expect(symbols).toHaveLength(30_001);
    expect(Math.max(...symbols.map(({ qualifiedName }) => qualifiedName.length))).toBeLessThan(80);
  });
});

function ranges({ chunks }: ChunkedFile): readonly string[] {
  return chunks.map(({ startLine, endLine, symbol }) => `${startLine}-${endLine} ${symbol}`);
}

describe("a document with pages", () => {
  const headings = [
    { line: 1, level: 1, title: "Guide" },
    { line: 3, level: 2, title: "Install" },
    { line: 9, level: 2, title: "Remove" },
  ];
  const text = "Guide\n\nInstall\none\ntwo\nthree\nfour\n\nRemove\nfive\nsix\n";
  it("is one chunk on one page", () => {
    const page = { line: 1, name: "1" };
    expect(ranges(pdf(text, headings, [page]))).toEqual(["1-11 Guide"]);
  });

  it("has no chunk that goes on across pages, also within a section", () => {
    const pages = [
      { line: 1, name: "1" },
      { line: 6, name: "2" },
      { line: 9, name: "3" },
    ];
    expect(ranges(pdf(text, headings, pages))).toEqual([
      "1-5 Guide",
      "6-7 Guide > Install",
      "9-11 Guide > Remove",
    ]);
  });

  it("goes on across an empty page", () => {
    const pages = [
      { line: 1, name: "1" },
      { line: 8, name: "2" },
      { line: 8, name: "3" },
    ];
    expect(ranges(pdf(text, headings, pages))).toEqual(["1-7 Guide", "9-11 Guide > Remove"]);
  });
});
