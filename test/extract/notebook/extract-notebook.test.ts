import { describe, expect, it } from "vitest";

import { DocumentError, type DocumentText } from "../../../src/base/documents/document.ts";
import { extractNotebook } from "../../../src/extract/notebook/extract-notebook.ts";

const KERNEL = { language_info: { name: "python" } };

function notebookOf(cells: readonly unknown[], metadata: unknown = KERNEL): DocumentText {
  return extract({ nbformat: 4, nbformat_minor: 5, metadata, cells });
}

function extract(notebook: unknown): DocumentText {
  return extractNotebook(Buffer.from(JSON.stringify(notebook)));
}

function code(source: string | readonly string[], outputs: unknown = [], metadata = {}): unknown {
  return { cell_type: "code", metadata, execution_count: 1, source, outputs };
}

function markdown(source: string | readonly string[]): unknown {
  return { cell_type: "markdown", metadata: {}, source };
}

/** The lines of a cell from its first to that of its last text. */
function linesOfCell(document: DocumentText, name: string): readonly string[] {
  const at = document.places.findIndex((place) => place.name === name);
  const start = document.places[at]?.line ?? 0;
  const next = document.places[at + 1]?.line;
  return document.text
    .split("\n")
    .slice(start - 1, next === undefined ? undefined : next - 1)
    .join("\n")
    .trimEnd()
    .split("\n");
}

function languages(cells: readonly unknown[], metadata?: unknown): readonly string[] {
  return notebookOf(cells, metadata).code.map(({ language }) => language);
}

function output(...outputs: readonly unknown[]): readonly string[] {
  const document = notebookOf([code("f()", outputs)]);
  expect(document.code).toEqual([{ startLine: 1, endLine: 1, language: "python" }]);
  return linesOfCell(document, "1").slice(1);
}

describe("the cells of a notebook", () => {
  it("are places in which the lines of the source keep their numbers", () => {
    const source = ["\n", "\n", "import os\n", "\n", "\n", "def f():\n", "    return os\n", "\n"];
    const document = notebookOf([markdown("# Title\n\n\n\ntext"), code(source), code("f()")]);
    expect(document.unit).toBe("cell");
    expect(document.places).toEqual([
      { line: 1, name: "1", firstNumber: 1 },
      { line: 7, name: "2", firstNumber: 1 },
      { line: 15, name: "3", firstNumber: 1 },
    ]);
    expect(linesOfCell(document, "1")).toEqual(["# Title", "", "", "", "text"]);
    expect(linesOfCell(document, "2")).toEqual(source.join("").trimEnd().split("\n"));
    expect(document.code).toEqual([
      { startLine: 7, endLine: 13, language: "python" },
      { startLine: 15, endLine: 15, language: "python" },
    ]);
  });

  it("are counted with those that have no text", () => {
    const document = notebookOf([code("a"), code(""), markdown("  "), "no cell", code("b")]);
    expect(document.places.map(({ name }) => name)).toEqual(["1", "5"]);
  });

  it("keep line numbers where editors of notebooks show no line break", () => {
    const document = notebookOf([code("a = 1\u{2028}2\n\fb = 2\r\nc = 3")]);
    expect(linesOfCell(document, "1")).toEqual(["a = 1 2", " b = 2", "c = 3"]);
  });

  it("have headings of Markdown, but not those in code blocks and not front matter", () => {
    const text = "Intro\n=====\n\n```\n# no\n```\n## Load `data`";
    const document = notebookOf([markdown(text), markdown("---\n# A\n---"), code("# no heading")]);
    expect(document.headings).toEqual([
      { line: 1, level: 1, title: "Intro" },
      { line: 7, level: 2, title: "Load data" },
      { line: 10, level: 1, title: "A" },
    ]);
  });

  it("have headings of HTML on one line", () => {
    const text =
      '<h1 id="a">Load <code>x</code></h1>\n\n## B\n\n```\n<h2>no</h2>\n```\n<H3 align=center>C &amp; D</H3>\nnot <h2>here</h2>';
    expect(notebookOf([markdown(text)]).headings).toEqual([
      { line: 1, level: 1, title: "Load x" },
      { line: 3, level: 2, title: "B" },
      { line: 8, level: 3, title: "C & D" },
    ]);
  });

  it("have no embedded images and no attachments", () => {
    const data = "iVBORw0KGgoAAAANSUhEUgAA".repeat(40);
    const cell = {
      cell_type: "markdown",
      metadata: {},
      attachments: { "a.png": { "image/png": data } },
      source: `![x](data:image/png;base64,${data})\nnext`,
    };
    expect(notebookOf([cell]).text).toBe("![x](data:image/png;base64,…)\nnext\n");
  });

  it("may be raw text", () => {
    const cell = { cell_type: "raw", metadata: {}, source: "# not a heading\ntext" };
    const document = notebookOf([cell]);
    expect(document).toMatchObject({ text: "# not a heading\ntext\n", headings: [], code: [] });
  });
});

describe("the language of a cell", () => {
  it.each([
    [{ language_info: { name: "python" } }, "python"],
    [{ kernelspec: { name: "python3", display_name: "Python 3" } }, "python"],
    [{ kernelspec: { name: "ir", language: "R" } }, "r"],
    [{ kernelspec: { name: "julia-1.10" } }, "julia"],
    [{ language_info: { name: "C++17" }, kernelspec: { name: "xcpp17" } }, "cpp"],
    [{ language_info: { name: "brainfuck" } }, ""],
    [{}, "python"],
    ["damaged", "python"],
    [{ language_info: 7, kernelspec: ["x"] }, "python"],
  ])("is that of the kernel: %j", (metadata, language) => {
    expect(languages([code("x = 1")], metadata)).toEqual([language]);
  });

  it.each([
    ["%%bash\nls", "bash"],
    ["%%html\n<p>", "html"],
    ["%%javascript\nf()", "javascript"],
    ["%%sql\nselect 1", "sql"],
    ["\n%%R -o x\nx <- 1", "r"],
    ["%%time\nf()", "python"],
    ["%%timeit -n 10\nf()", "python"],
    ["%%writefile a.txt\ntext", ""],
    ["%matplotlib inline", "python"],
  ])("is that of its magic: %j", (source, language) => {
    expect(languages([code(source)])).toEqual([language]);
  });

  it("may be its own", () => {
    expect(languages([code("let x = 1", [], { vscode: { languageId: "javascript" } })])).toEqual([
      "javascript",
    ]);
  });
});

describe("the outputs of a cell", () => {
  it("follow a line that names them", () => {
    expect(output({ output_type: "stream", name: "stdout", text: ["a\n", "b\n"] })).toEqual([
      "",
      "Output:",
      "a",
      "b",
    ]);
  });

  it("are plain text, not images and not HTML", () => {
    const data = { "text/plain": "   x\n0  1", "text/html": "<b>no</b>", "image/png": "iVBOR" };
    expect(output({ output_type: "display_data", data })).toEqual(["", "Output:", "   x", "0  1"]);
  });

  it("are the text of the HTML if there is no plain text", () => {
    const html =
      "<style>p {}</style><table><tr><th>a</th><th>b</th></tr><tr><td>1 &lt; 2</td><td>3</td></tr></table>";
    for (const plain of [undefined, "<IPython.core.display.HTML object>"]) {
      const data = { "text/plain": plain, "text/html": html };
      expect(output({ output_type: "display_data", data })).toEqual([
        "",
        "Output:",
        "a | b",
        "1 < 2 | 3",
      ]);
    }
  });

  it("are left out if they only name an object", () => {
    const plain = "<matplotlib.image.AxesImage at 0x7f1c2a>";
    const data = { "text/plain": [plain], "image/png": "iVBOR" };
    const figure = { "text/plain": "<Figure size 640x480 with 1 Axes>" };
    expect(output({ data }, { data: figure })).toEqual([]);
  });

  it("are errors with their message, without the trace", () => {
    const error = { output_type: "error", ename: "KeyError", evalue: "'x'", traceback: ["at"] };
    expect(output(error)).toEqual(["", "Output:", "KeyError: 'x'"]);
  });

  it("have no commands for terminals, and the last state of a progress bar", () => {
    const text = "\u{1b}[31mred\u{1b}[0m\n 1%|\r 50%|\r100%|#|\n";
    expect(output({ output_type: "stream", text })).toEqual(["", "Output:", "red", "100%|#|"]);
  });

  it("are cut after 20 lines, and after 40 lines of one cell", () => {
    const text = Array.from({ length: 100 }, (_, line) => `line ${line}`).join("\n");
    const stream = { output_type: "stream", text };
    expect(output(stream)).toHaveLength(2 + 20 + 1);
    expect(output(stream).at(-1)).toBe("…");
    expect(output(stream, stream, stream, stream)).toHaveLength(2 + 40);
    expect(output({ text: "x".repeat(100_000) })[2]).toHaveLength(301);
  });

  it("may be broken in any way", () => {
    expect(output(null, 7, "x", [], {}, { data: null }, { text: { a: 1 } })).toEqual([]);
    expect(notebookOf([{ cell_type: "code", source: "a", outputs: "b" }]).text).toBe("a\n");
  });
});

describe("older formats", () => {
  it("have worksheets, and cells that are headings", () => {
    const cells = [
      { cell_type: "heading", level: 2, source: ["Steps"] },
      {
        cell_type: "code",
        language: "python",
        input: ["x = 1\n", "x"],
        outputs: [
          { output_type: "pyout", text: ["1"], html: ["<b>1</b>"] },
          { output_type: "pyerr", ename: "E", evalue: "v" },
        ],
      },
    ];
    const document = extract({ nbformat: 3, metadata: { name: "" }, worksheets: [{ cells }] });
    expect(document).toMatchObject({
      text: "Steps\n\nx = 1\nx\n\nOutput:\n1\nE: v\n",
      headings: [{ line: 1, level: 2, title: "Steps" }],
      code: [{ startLine: 3, endLine: 4, language: "python" }],
      places: [
        { line: 1, name: "1" },
        { line: 3, name: "2" },
      ],
    });
  });
});

/** "text", or the reason for a missing text. */
function outcomeOf(bytes: Uint8Array): string {
  try {
    return extractNotebook(bytes).text.endsWith("\n") ? "text" : "no line end";
  } catch (error) {
    return error instanceof DocumentError ? error.failure : String(error);
  }
}

describe("a file that is no notebook", () => {
  it.each(["", "{", "[]", "null", '"x"', "{}", '{"cells": {}}', '{"nbformat": 4}', "\u{0}\u{ff}"])(
    "is damaged: %j",
    (text) => {
      expect(() => extractNotebook(Buffer.from(text))).toThrow(
        new DocumentError("document-damaged"),
      );
    },
  );

  it("is damaged if it is cut off or nested without end", () => {
    const whole = JSON.stringify({ cells: [code("x = 1")] });
    for (let length = 0; length < whole.length; length += 1) {
      expect(() => extractNotebook(Buffer.from(whole.slice(0, length)))).toThrow(DocumentError);
    }
    expect(() => extractNotebook(Buffer.from("[".repeat(1_900_000)))).toThrow(DocumentError);
  });

  it("is too large if it has millions of values", () => {
    for (const piece of ['"a",', "1,", "[", '{"cells":[', '{"a":'])
      expect(outcomeOf(Buffer.from(`{"cells":[${piece.repeat(2_100_000)}`))).toBe(
        "document-too-large",
      );
    // Brackets and commas in strings are not values.
    expect(notebookOf([code(`x = "${'[,\\"{'.repeat(600_000)}"`)]).places).toHaveLength(1);
  });

  it("is empty if no cell has text", () => {
    expect(() => notebookOf([])).toThrow(new DocumentError("document-empty"));
    expect(() => extract({ worksheets: [7, {}, { cells: [null] }] })).toThrow(
      new DocumentError("document-empty"),
    );
  });

  it("never fails in another way when bytes are flipped", () => {
    const whole = Buffer.from(
      JSON.stringify({
        metadata: KERNEL,
        cells: [
          markdown(["# A\n", "b"]),
          code("%%bash\nls", [{ output_type: "stream", text: ["x"] }]),
          code("x", [{ data: { "text/html": "<table><td>1</td></table>" } }]),
        ],
      }),
    );
    for (let at = 0; at < whole.length; at += 1) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8));
      expect(outcomeOf(damaged), `byte ${at}`).toBeOneOf(["text", "document-damaged"]);
    }
  });
});

it("leaves out the cells after 4 MiB of text", () => {
  const document = notebookOf(
    Array.from({ length: 100 }, () => code(`x = "${"y".repeat(99_000)}"`)),
  );
  expect(document.text.length).toBeLessThan(4.3 * (1 << 20));
  expect(document.omission).toBe("The text after the first 4 MiB was left out.");
});

it("takes linear time for hostile outputs", () => {
  const hostile = [
    "<".repeat(2_000_000),
    "<style".repeat(300_000),
    "</td> ".repeat(300_000),
    "\u{1b}]".repeat(1_000_000),
    "\r".repeat(2_000_000),
  ];
  const cells = hostile.map((text) => code("f()", [{ text }, { data: { "text/html": text } }]));
  const others = [
    code(`%%${"-".repeat(2_000_000)}x`),
    markdown("data:a/b;base64,".repeat(200_000)),
  ];
  // A pattern that takes quadratic time would need hours for this.
  expect(notebookOf([...cells, ...others]).places).toHaveLength(7);
});
