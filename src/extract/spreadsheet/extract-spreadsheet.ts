import { DocumentError, type DocumentText } from "../../base/documents/document.ts";
import { DocumentParts } from "../archive/document-parts.ts";
import { attributeOf, relationshipOf } from "../archive/xml-reader.ts";
import { DocumentWriter } from "../document-writer.ts";
import { isOpenDocument } from "../opendocument/opendocument-package.ts";
import { NumberFormats } from "./number-formats.ts";
import { writeOpenDocumentSheets } from "./opendocument-sheets.ts";
import { SheetRows } from "./sheet-rows.ts";
import { WorkbookSheet, type Workbook } from "./workbook-sheet.ts";

interface SheetLink {
  readonly name: string;
  readonly id: string;
}

const MAX_SHEETS = 10_000;
const MAX_STRINGS = 1 << 20;
const MAX_CELL_CHARS = 32_767;

/**
 * Returns the text of an XLSX or ODS file: each row that is not empty on one line, cells as they are shown, dates as in
 * ISO 8601. Its places are sheets; one is repeated after empty rows, with the number of the next row. Throws
 * DocumentError.
 */
export function extractSpreadsheet(bytes: Uint8Array): DocumentText {
  const parts = new DocumentParts(bytes);
  const writer = new DocumentWriter("sheet");
  const rows = new SheetRows(writer);
  if (isOpenDocument(parts)) writeOpenDocumentSheets(parts, rows);
  else writeWorkbook(parts, writer, rows);
  return parts.finish(writer);
}

function writeWorkbook(parts: DocumentParts, writer: DocumentWriter, rows: SheetRows): void {
  const main = parts.mainPart("xl/workbook.xml");
  if (main === undefined) throw new DocumentError("document-damaged");
  const { sheets, is1904 } = readWorkbook(parts, main);
  const links = parts.relationships(main);
  const partOf = (type: string): string | undefined =>
    links.find((link) => link.type === type)?.target;
  const workbook: Workbook = {
    strings: readStrings(parts, partOf("sharedStrings")),
    formats: new NumberFormats(parts, partOf("styles"), is1904),
  };
  const byId = new Map(links.map((link) => [link.id, link]));
  for (const { name, id } of sheets) {
    if (writer.isFull) break;
    const link = byId.get(id);
    if (link !== undefined && link.type !== "worksheet") continue;
    rows.begin(name);
    const sheet = new WorkbookSheet(rows, workbook);
    if (link === undefined || !readSheet(parts, link.target, sheet)) parts.markDamaged();
    else rows.addComments(readComments(parts, link.target));
  }
}

function readWorkbook(
  parts: DocumentParts,
  main: string,
): { readonly sheets: readonly SheetLink[]; readonly is1904: boolean } {
  const sheets: SheetLink[] = [];
  let is1904 = false;
  parts.readXml(main, {
    open(name, attributes) {
      if (name === "sheet" && sheets.length < MAX_SHEETS) {
        const id = relationshipOf(attributes) ?? "";
        sheets.push({ name: attributeOf(attributes, "name") ?? "", id });
      } else if (name === "workbookPr") {
        const value = attributeOf(attributes, "date1904");
        is1904 = value === "1" || value === "true";
      }
      return false;
    },
  });
  return { sheets, is1904 };
}

function readSheet(parts: DocumentParts, part: string, sheet: WorkbookSheet): boolean {
  return parts.readXml(part, {
    open: (name, attributes) => sheet.open(name, attributes),
    text: (text) => {
      sheet.text(text);
    },
    close: (name) => {
      sheet.close(name);
    },
    isDone: () => sheet.isDone(),
  });
}

/** Returns the texts that cells refer to by number. */
function readStrings(parts: DocumentParts, part: string | undefined): readonly string[] {
  const strings: string[] = [];
  if (part === undefined) return strings;
  let current = "";
  let isInText = false;
  parts.readXml(part, {
    open(name) {
      if (name === "si") current = "";
      else if (name === "t") isInText = true;
      return name === "rPh";
    },
    text(text) {
      if (isInText && current.length < MAX_CELL_CHARS) current += text;
    },
    close(name) {
      if (name === "t") isInText = false;
      else if (name === "si") strings.push(current);
    },
    isDone: () => strings.length > MAX_STRINGS,
  });
  return strings;
}

function readComments(parts: DocumentParts, sheet: string): readonly string[] {
  const comments: string[] = [];
  const part = parts.relationships(sheet).find(({ type }) => type === "comments")?.target;
  if (part === undefined) return comments;
  let cell = "";
  let current = "";
  let isInText = false;
  parts.readXml(part, {
    open(name, attributes) {
      if (name === "comment") {
        cell = attributeOf(attributes, "ref") ?? "";
        current = "";
      } else if (name === "t") isInText = true;
      return name === "rPh" || name === "authors";
    },
    text(text) {
      if (isInText && current.length < MAX_CELL_CHARS) current += text;
    },
    close(name) {
      if (name === "t") isInText = false;
      else if (name === "comment" && current.trim() !== "") {
        comments.push(`Comment on ${cell.slice(0, 20)}: ${current.trim()}`);
      }
    },
  });
  return comments;
}
