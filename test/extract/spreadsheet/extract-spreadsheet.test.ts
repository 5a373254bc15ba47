import { describe, expect, it } from "vitest";

import { extractSpreadsheet } from "../../../src/extract/spreadsheet/extract-spreadsheet.ts";
import { failureOf, relationships, zipOf } from "../../helpers/office-files.ts";

function workbook(
  sheets: Readonly<Record<string, string>>,
  parts: Readonly<Record<string, string>> = {},
  properties = "",
): Uint8Array {
  const names = Object.keys(sheets);
  return zipOf({
    "_rels/.rels": relationships({ r1: ["officeDocument", "xl/workbook.xml"] }),
    "xl/workbook.xml": `<workbook>${properties}<sheets>${names.map((name, index) => `<sheet name="${name}" sheetId="${index + 9}" r:id="r${index}"/>`).join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relationships({
      ...Object.fromEntries(
        names.map((_, index) => [
          `r${index}`,
          ["worksheet", `sheets/s${names.length - index}.xml`],
        ]),
      ),
      s: ["sharedStrings", "strings.xml"],
      f: ["styles", "styles.xml"],
    }),
    "xl/strings.xml":
      "<sst><si><t>Name</t></si><si><r><t>Total </t></r><r><t>cost</t></r><rPh><t>no</t></rPh></si></sst>",
    "xl/styles.xml":
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm"/><numFmt numFmtId="165" formatCode="0.00&quot;days&quot;"/></numFmts>' +
      '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="20"/></cellXfs></styleSheet>',
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/sheets/s${names.length - index}.xml`,
        `<worksheet><sheetData>${sheets[name]}</sheetData></worksheet>`,
      ]),
    ),
    ...parts,
  });
}

const cell = (place: string, value: string, more = ""): string =>
  `<c r="${place}" ${more}><v>${value}</v></c>`;
const row = (number: number, ...cells: readonly string[]): string =>
  `<row r="${number}">${cells.join("")}</row>`;

describe("extractSpreadsheet", () => {
  it("shows as many digits of a fraction as a cell does, and all of a whole number", () => {
    const { text } = extractSpreadsheet(
      workbook({
        A: row(
          1,
          cell("A1", "2963366.42999998"),
          cell("B1", "0.1234567890123"),
          cell("C1", "123456789012345"),
        ),
      }),
    );
    expect(text).toContain("2963366.43 | 0.12345678901 | 123456789012345");
  });

  it("shows values of all types", () => {
    const { text } = extractSpreadsheet(
      workbook({
        A: row(
          1,
          cell("A1", "0", 't="s"'),
          cell("B1", "1", 't="s"'),
          '<c r="C1" t="inlineStr"><is><t>in\nline</t></is></c>',
          cell("D1", "1", 't="b"'),
          cell("E1", "#N/A", 't="e"'),
          '<c r="F1" t="str"><f>A1&amp;B1</f><v>joined</v></c>',
          cell("G1", "0.30000000000000004"),
          cell("H1", "2024-05-31T10:00:00", 't="d"'),
          cell("I1", "99", 't="s"'),
          cell("J1", "1e400"),
        ),
      }),
    );
    expect(text).toBe(
      "Name | Total cost | in line | TRUE | #N/A | joined | 0.3 | 2024-05-31 10:00:00 |  | 1e400\n",
    );
  });

  it("shows dates as in ISO 8601, in both systems of days", () => {
    const cells = row(
      1,
      cell("A1", "45443", 's="1"'),
      cell("B1", "45443.604166666664", 's="2"'),
      cell("C1", "45443", 's="3"'),
      cell("D1", "0.25", 's="4"'),
      cell("E1", "1", 's="1"'),
      cell("F1", "99999999", 's="1"'),
    );
    expect(extractSpreadsheet(workbook({ A: cells })).text).toBe(
      "2024-05-31 | 2024-05-31 14:30:00 | 45443 | 06:00:00 | 1900-01-01 | 99999999\n",
    );
    const since1904 = workbook(
      { A: row(1, cell("A1", "43981", 's="1"')) },
      {},
      '<workbookPr date1904="1"/>',
    );
    expect(extractSpreadsheet(since1904).text).toBe("2024-05-31\n");
  });

  it("keeps the numbers of rows and the columns of cells", () => {
    const { text, places, unit } = extractSpreadsheet(
      workbook({
        "Q1 &amp; Q2":
          row(2, cell("B2", "1"), cell("D2", "2")) +
          row(3, cell("C3", "3")) +
          row(4) +
          row(5, cell("B5", "5")),
        Empty: row(1, cell("A1", "")),
        Last: `<row><c><v>7</v></c><c><v>8</v></c></row>${row(12, cell("A12", "9\u{85}9", 't="str"'))}${row(13, cell("A13", "x"))}`,
      }),
    );
    expect(text).toBe("1 |  | 2\n | 3\n\n5\n\n7 | 8\n\n9 9\nx\n");
    expect(unit).toBe("sheet");
    expect(places).toEqual([
      { line: 1, name: "Q1 & Q2", firstNumber: 2 },
      { line: 6, name: "Last", firstNumber: 1 },
      { line: 8, name: "Last", firstNumber: 12 },
    ]);
  });

  it("adds comments after the rows of their sheet", () => {
    const file = workbook(
      { A: row(1, cell("A1", "1")), B: row(1, cell("A1", "2")) },
      {
        "xl/sheets/_rels/s2.xml.rels": relationships({ c: ["comments", "../c.xml"] }),
        "xl/c.xml":
          '<comments><authors><author>Ann</author></authors><comment ref="A1"><text><r><t>Why?</t></r></text></comment></comments>',
      },
    );
    const { text, places } = extractSpreadsheet(file);
    expect(text).toBe("1\n\nComment on A1: Why?\n\n2\n");
    expect(places[1]).toEqual({ line: 3, name: "A" });
  });

  it("bounds rows, the length of a row, and gaps between cells", () => {
    const many = Array.from({ length: 20_005 }, (_, at) => row(at + 1, cell("A", String(at)))).join(
      "",
    );
    const { text, omission } = extractSpreadsheet(workbook({ A: many }));
    expect(text.split("\n")).toHaveLength(20_001);
    expect(omission).toBe("Rows after the first 20,000 of a sheet were left out.");
    const long = `<sst><si><t>${"x".repeat(40_000)}</t></si></sst>`;
    const wide = row(1, ...Array.from({ length: 16_000 }, () => '<c t="s"><v>0</v></c>'));
    expect(extractSpreadsheet(workbook({ A: wide }, { "xl/strings.xml": long })).text.length).toBe(
      (64 << 10) + 1,
    );
    expect(
      extractSpreadsheet(workbook({ A: row(1, cell("A1", "1"), cell("XFD1", "2")) })).text,
    ).toHaveLength(2 + 51 * 3 + 1);
  });

  it("reads what is there if a sheet is missing or damaged", () => {
    const { text, omission } = extractSpreadsheet(
      workbook({ A: row(1, cell("A1", "1")), B: `${row(1, cell("A1", "2"))}<row><<` }),
    );
    expect(text).toBe("1\n\n2\n");
    expect(omission).toBe("The rest of the document is damaged.");
    expect(failureOf(() => extractSpreadsheet(workbook({})))).toBe("document-empty");
    expect(failureOf(() => extractSpreadsheet(zipOf({ a: "" })))).toBe("document-damaged");
  });
});
