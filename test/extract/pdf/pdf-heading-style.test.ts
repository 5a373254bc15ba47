import { describe, expect, it } from "vitest";

import { headingsByStyle } from "../../../src/extract/pdf/pdf-heading-style.ts";
import type { PdfLine } from "../../../src/extract/pdf/pdf-lines.ts";

/** A line of pieces as `font:text`; `y` is the distance from the top. */
function line(y: number, pieces: readonly string[], size = 10): PdfLine {
  const parts = pieces.map((piece) => {
    const [font = "", text = ""] = piece.split(":");
    return { font, text, x: 0, width: 50, size };
  });
  return { text: parts.map(({ text }) => text).join(" "), pieces: parts, x: 0, y: -y, size };
}

/** A page of headings, each above a paragraph of the text. */
function page(headings: readonly (readonly PdfLine[])[]): readonly PdfLine[] {
  let y = 0;
  return headings.flatMap((own) => {
    const placed = own.map((each, at) => ({ ...each, y: -(y + at * 12) }));
    y += own.length * 12 + 200;
    const text = Array.from({ length: 12 }, (_, at) =>
      line(y - 200 + 8 + at * 12, [
        "body:Text of the body of the document, line after line of it.",
      ]),
    );
    return [...placed, ...text];
  });
}

/** The headings as `level title (lines)`. */
function found(...headings: (readonly PdfLine[])[]): readonly string[] {
  return headingsByStyle([page(headings)], (font) => font === "code")
    .flat()
    .map(({ level, title, lineCount }) => `${level} ${title} (${lineCount})`);
}

describe("headings by the style of letters", () => {
  it("are larger, or in a font of their own and apart from the text", () => {
    expect(
      found([line(0, ["body:Large"], 14)], [line(0, ["bold:Bold"])], [line(0, ["code:Code"])]),
    ).toEqual(["1 Large (1)", "2 Bold (1)"]);
  });

  it("may take three lines, not more", () => {
    const lines = (count: number): readonly PdfLine[] =>
      Array.from({ length: count }, () =>
        line(0, ["bold:What if the question goes on for several lines"]),
      );
    expect(found(lines(3))).toEqual([
      `1 ${Array(3).fill("What if the question goes on for several lines").join(" ")} (3)`,
    ]);
    expect(found(lines(4))).toEqual([]);
    expect(found([line(0, ["bold:Usage"]), line(0, ["bold:Important"])])).toEqual([]);
  });

  it("have levels by their numbers, and words in several fonts", () => {
    const mixed = line(0, ["bold:2.1. Groups and Units,", "code:bnf."]);
    expect(found([line(0, ["bold:2. Groups"])], [mixed])).toEqual([
      "1 2. Groups (1)",
      "2 2.1. Groups and Units, bnf (1)",
    ]);
  });

  it("may begin a paragraph if they have a number", () => {
    const beginning = line(0, [
      "bold:2.2.5. Documenting methods.",
      "body:A method can have a short",
    ]);
    const term = line(0, ["bold:Documenting methods.", "body:A method can have a short"]);
    expect(found([beginning], [term])).toEqual(["3 2.2.5. Documenting methods (0)"]);
  });

  it("are no lines of tables or of contents", () => {
    const rows = ["bold:Column 1  Column 2", "bold:1 Introduction  9", "bold:Introduction ... 9"];
    expect(
      found(...rows.map((row) => [line(0, [row])]), [line(0, ["bold:1  Introduction"])]),
    ).toEqual(["1 1  Introduction (1)"]);
  });
});
