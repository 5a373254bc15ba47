import { describe, expect, it } from "vitest";

import { DocumentError } from "../../src/base/documents/document.ts";
import { DocumentWriter } from "../../src/extract/document-writer.ts";

describe("DocumentWriter", () => {
  it("separates blocks by one empty line and counts lines from 1", () => {
    const writer = new DocumentWriter("page");
    writer.place("1");
    writer.heading(1, "Install");
    writer.block("One.\r\nTwo.");
    writer.place("2");
    writer.code("a = 1\n", "python");
    expect(writer.finish()).toEqual({
      text: "Install\n\nOne.\nTwo.\n\na = 1\n",
      unit: "page",
      places: [
        { line: 1, name: "1" },
        { line: 6, name: "2" },
      ],
      headings: [{ line: 1, level: 1, title: "Install" }],
      code: [{ startLine: 6, endLine: 6, language: "python" }],
      omission: undefined,
    });
  });

  it("names sections after their headings, each name once", () => {
    const writer = new DocumentWriter("section");
    writer.heading(1, "First steps!");
    writer.heading(2, "First  Steps");
    writer.heading(2, "???");
    expect(writer.finish().places.map(({ name }) => name)).toEqual([
      "first-steps",
      "first-steps-1",
      "section",
    ]);
  });

  it("keeps the line numbers of code, empty lines included", () => {
    const writer = new DocumentWriter("cell");
    writer.block("Text.");
    writer.place("2", 1);
    writer.code("\n\nimport os\n\n\nx = 1\n\n \n", "python");
    expect(writer.finish()).toMatchObject({
      text: "Text.\n\n\n\nimport os\n\n\nx = 1\n",
      places: [{ line: 3, name: "2", firstNumber: 1 }],
      code: [{ startLine: 3, endLine: 8, language: "python" }],
    });
  });

  it("has headings in blocks, whose lines stay as they are", () => {
    const writer = new DocumentWriter("section");
    writer.block("Text.");
    const headings = [
      { line: 2, level: 0, title: " Set \n up " },
      { line: 4, level: 2, title: "" },
      { line: 9, level: 2, title: "After the text" },
    ];
    writer.block("\n# Set up\n\n##", headings);
    expect(writer.finish()).toMatchObject({
      text: "Text.\n\n\n# Set up\n\n##\n",
      places: [{ line: 4, name: "set-up" }],
      headings: [{ line: 4, level: 1, title: "Set up" }],
    });
  });

  it("has no place for a part without text", () => {
    const writer = new DocumentWriter("page");
    writer.place("1");
    writer.place("2");
    writer.block("Text.");
    writer.place("3");
    expect(writer.finish().places).toEqual([{ line: 1, name: "2" }]);
  });

  it("removes control characters, which terminals obey, and lone surrogates", () => {
    const writer = new DocumentWriter(undefined);
    writer.block("a\u{1b}[31mb\u{0}c\u{d800}d");
    expect(writer.finish().text).toBe("a[31mbc\u{fffd}d\n");
  });

  it("leaves out text after the limit, and says so", () => {
    const writer = new DocumentWriter(undefined);
    for (let at = 0; at < 50; at += 1) writer.block("x".repeat(100_000));
    const { text, omission } = writer.finish();
    expect(text.length).toBeLessThan(4.3 * (1 << 20));
    expect(omission).toBe("The text after the first 4 MiB was left out.");
  });

  it("has no text if nothing was added", () => {
    const writer = new DocumentWriter("page");
    writer.place("1");
    writer.block("  ");
    expect(() => writer.finish()).toThrow(new DocumentError("document-empty"));
  });
});
