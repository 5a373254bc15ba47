import { describe, expect, it } from "vitest";

import type { DocumentText } from "../../../src/base/documents/document.ts";
import { extractSlides } from "../../../src/extract/slides/extract-slides.ts";
import { extractSpreadsheet } from "../../../src/extract/spreadsheet/extract-spreadsheet.ts";
import { extractWord } from "../../../src/extract/word/extract-word.ts";
import { failureOf, zipOf } from "../../helpers/office-files.ts";

function openDocument(kind: string, body: string, styles = ""): Uint8Array {
  return zipOf({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    "content.xml": `<o:document-content xmlns:o="o"><o:automatic-styles>${styles}</o:automatic-styles><o:body>${body}</o:body></o:document-content>`,
    "styles.xml":
      '<o:styles xmlns:o="o"><o:style o:family="paragraph" o:name="Preformatted_20_Text"/><o:style o:family="paragraph" o:name="Title"/></o:styles>',
  });
}

function textOf(body: string, styles?: string): DocumentText {
  return extractWord(openDocument("text", body, styles));
}

const cell = (text: string, more = ""): string => `<table-cell ${more}><p>${text}</p></table-cell>`;

const item = (text: string, more = ""): string => `<list-item><p>${text}</p>${more}</list-item>`;

const codeLine = (text: string): string =>
  `<p><span style-name="Source_20_Text">${text}</span></p>`;

describe("extractWord, of ODT files", () => {
  it("reads headings, code, spaces, notes, comments and text boxes", () => {
    const { text, headings, code } = textOf(
      '<p style-name="Title">Report</p><table-of-content><p>First 1</p></table-of-content>' +
        '<h outline-level="2">Fi<span>rst</span></h><p>  One\n  <s c="2"/>two<tab/>three<line-break/>four' +
        "<note><note-citation>9</note-citation><note-body><p>Foot.</p></note-body></note>" +
        "<annotation><creator>Ann</creator><date>2024</date><p>Why?</p></annotation>" +
        "<frame><title>A map</title><text-box><p>Box.</p></text-box></frame></p>" +
        '<p style-name="P1">if (a)<s c="1"/>{</p><p style-name="P1"><s c="2"/>b</p>' +
        '<section display="none"><p>no</p></section><tracked-changes><p>no</p></tracked-changes>',
      '<style family="paragraph" name="P1" parent-style-name="Preformatted_20_Text"/>',
    );
    expect(text).toBe(
      "Report\n\nFirst\n\nOne   two\tthree\nfour[1][Image: A map]\n\nBox.\n\nif (a) {\n  b\n\n[1] Foot.\n\nComment by Ann: Why?\n",
    );
    expect(headings.map(({ level, title }) => [level, title])).toEqual([
      [1, "Report"],
      [2, "First"],
    ]);
    expect(code).toEqual([{ startLine: 10, endLine: 11, language: "" }]);
  });

  it("keeps a program line by line whose words have a style of code", () => {
    const { text, code } = textOf(
      `<p>Set <span style-name="Source_20_Text">a</span>:</p>${codeLine("if (a) {")}${codeLine('<s c="2"/>b')}${codeLine("}")}` +
        `<table><table-row><table-cell>${codeLine("c")}${codeLine('<s c="2"/>d')}</table-cell></table-row></table>`,
      '<style family="text" name="Source_20_Text"/>',
    );
    expect(text).toBe("Set a:\n\nif (a) {\n  b\n}\nc\n  d\n");
    expect(code).toEqual([{ startLine: 3, endLine: 7, language: "" }]);
  });

  it("numbers lists and writes tables as rows", () => {
    const styles =
      '<list-style name="L"><list-level-style-number level="1" num-format="1" num-suffix="."/>' +
      '<list-level-style-number level="2" num-format="a" num-suffix=")" display-levels="2"/></list-style>';
    expect(
      textOf(
        `<list style-name="L">${item("one", `<list>${item("inner")}</list>`)}${item("two")}</list><p>Break.</p>` +
          `<list style-name="L" continue-numbering="true">${item("three")}</list><list>${item("dot")}</list>` +
          `<table><table-row>${cell("a")}${cell("b")}</table-row><table-row><table-cell number-columns-repeated="9999999"/>` +
          `</table-row><table-row>${cell("c")}<table-cell><table><table-row>${cell("x")}${cell("y")}</table-row></table>` +
          "</table-cell></table-row></table>",
        styles,
      ).text,
    ).toBe("1. one\n  1.a) inner\n2. two\n\nBreak.\n\n3. three\n- dot\n\na | b\nc | x | y\n");
  });

  it("refuses encrypted and empty files, and stops at circles and nesting", () => {
    const encrypted = zipOf({
      mimetype: "application/vnd.oasis.opendocument.text",
      "content.xml": "noise",
      "META-INF/manifest.xml": "<manifest><file-entry><encryption-data/></file-entry></manifest>",
    });
    expect(failureOf(() => extractWord(encrypted))).toBe("document-encrypted");
    expect(failureOf(() => extractSpreadsheet(encrypted))).toBe("document-encrypted");
    expect(failureOf(() => textOf(""))).toBe("document-empty");
    const circle =
      '<style family="paragraph" name="A" parent-style-name="B"/><style family="paragraph" name="B" parent-style-name="A"/>';
    expect(textOf('<p style-name="A">Good.</p>', circle).text).toBe("Good.\n");
    expect(textOf(`<p>Good.</p>${"<list><list-item>".repeat(50_000)}`).text).toBe("Good.\n");
  });
});

describe("extractSlides, of ODP files", () => {
  it("counts pages, and puts the title first and the notes last", () => {
    const { text, places, headings } = extractSlides(
      openDocument(
        "presentation",
        "<page><frame><text-box><p>Text.</p></text-box></frame>" +
          '<frame class="title"><text-box><p>Plan</p></text-box></frame><frame class="footer"><text-box><p>no</p></text-box></frame>' +
          '<notes><frame class="notes"><text-box><p>Say it.</p></text-box></frame></notes></page><page/>' +
          "<page><custom-shape><p>Third.</p></custom-shape></page>",
      ),
    );
    expect(text).toBe("Plan\n\nText.\n\nNotes: Say it.\n\nThird.\n");
    expect(places).toEqual([
      { line: 1, name: "1" },
      { line: 7, name: "3" },
    ]);
    expect(headings).toEqual([{ line: 1, level: 1, title: "Plan" }]);
  });
});

describe("extractSpreadsheet, of ODS files", () => {
  it("keeps the numbers of rows, and shows dates and booleans in one form", () => {
    const { text, places, unit } = extractSpreadsheet(
      openDocument(
        "spreadsheet",
        `<table name="Costs"><table-row number-rows-repeated="4"><table-cell/></table-row><table-row>${cell("a")}` +
          `${cell("31.5.24", 'date-value="2024-05-31T00:00:00"')}${cell("wahr", 'boolean-value="true"')}</table-row>` +
          `<table-row number-rows-repeated="2">${cell("b")}<covered-table-cell number-columns-repeated="2"/>${cell("c")}</table-row>` +
          '<table-row number-rows-repeated="1048000"><table-cell number-columns-repeated="16384"/></table-row>' +
          `<table-row><table-cell><annotation><p>Why?</p></annotation><p>d</p><p>e</p></table-cell></table-row></table>`,
      ),
    );
    expect(text).toBe(
      "a | 2024-05-31 00:00:00 | TRUE\nb |  |  | c\nb |  |  | c\n\nd e\n\nComment on A1048008: Why?\n",
    );
    expect(unit).toBe("sheet");
    expect(places).toEqual([
      { line: 1, name: "Costs", firstNumber: 5 },
      { line: 5, name: "Costs", firstNumber: 1_048_008 },
      { line: 7, name: "Costs" },
    ]);
  });

  it("bounds repeated rows and cells", () => {
    const { text, omission } = extractSpreadsheet(
      openDocument(
        "spreadsheet",
        `<table name="A"><table-row number-rows-repeated="1000000">${cell("x", 'number-columns-repeated="16000"')}</table-row></table>`,
      ),
    );
    expect(text.split("\n")).toHaveLength(20_001);
    expect(text.split("\n")[0]).toHaveLength(50 + 49 * 3);
    expect(omission).toBe("Rows after the first 20,000 of a sheet were left out.");
  });
});
