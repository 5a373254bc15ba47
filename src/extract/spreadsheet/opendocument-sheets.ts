import type { DocumentParts } from "../archive/document-parts.ts";
import {
  attributeOf,
  copiesOf,
  type XmlAttributes,
  type XmlHandler,
} from "../archive/xml-reader.ts";
import { CONTENT } from "../opendocument/opendocument-package.ts";
import type { SheetRows } from "./sheet-rows.ts";

const MAX_ROW = 1 << 20;
const MAX_COLUMN = 1 << 14;
const MAX_CELL_CHARS = 32_767;
const MAX_SPACES = 1000;
/** More copies of a cell are not shown, and more empty cells are shown as fewer. */
const MAX_COPIES = 50;
const SKIPPED = new Set(
  "automatic-styles master-styles font-face-decls scripts forms shapes tracked-changes content-validations".split(
    " ",
  ),
);

/** Writes the sheets of an ODS file. */
export function writeOpenDocumentSheets(parts: DocumentParts, rows: SheetRows): void {
  const sheets = new OpenDocumentSheets(rows);
  const isThere = parts.readXml(CONTENT, {
    open: (name, attributes) => sheets.open(name, attributes),
    text: (text) => {
      sheets.text(text);
    },
    close: (name) => {
      sheets.close(name);
    },
  });
  if (!isThere) parts.markDamaged();
}

class OpenDocumentSheets implements XmlHandler {
  readonly #rows: SheetRows;
  /** Tables that are open: a cell can contain one. */
  #depth = 0;
  #row = 0;
  #rowCopies = 1;
  #cells: string[] = [];
  #cellCopies = 1;
  /** The value as stored, if the file stores it in another form than it shows. */
  #value: string | undefined;
  #text = "";
  #paragraphs = 0;
  #comment: string | undefined;
  #comments: string[] = [];

  constructor(rows: SheetRows) {
    this.#rows = rows;
  }

  open(name: string, attributes: XmlAttributes): boolean {
    if (name === "table") this.#openTable(attributes);
    else if (this.#depth > 1 && name.startsWith("table-")) return false;
    else if (name === "table-row") {
      this.#rowCopies = copiesOf(attributes, "number-rows-repeated", MAX_ROW);
      this.#cells = [];
    } else if (name === "table-cell" || name === "covered-table-cell") this.#openCell(attributes);
    else this.#openText(name, attributes);
    return SKIPPED.has(name) || name === "creator" || name === "date";
  }

  text(text: string): void {
    if (this.#paragraphs > 0) this.#append(text.replace(/\s+/gu, " "));
  }

  close(name: string): void {
    if (name === "table") this.#closeTable();
    else if (name === "p") this.#paragraphs -= 1;
    else if (name === "annotation") this.#closeComment();
    else if (this.#depth > 1) return;
    else if (name === "table-row") this.#closeRow();
    else if (name === "table-cell" || name === "covered-table-cell") this.#closeCell();
  }

  #openTable(attributes: XmlAttributes): void {
    this.#depth += 1;
    if (this.#depth > 1) return;
    this.#row = 0;
    this.#comments = [];
    this.#rows.begin(attributeOf(attributes, "name") ?? "");
  }

  #openCell(attributes: XmlAttributes): void {
    this.#cellCopies = copiesOf(attributes, "number-columns-repeated", MAX_COLUMN);
    this.#text = "";
    const isBoolean = attributeOf(attributes, "boolean-value");
    const date = attributeOf(attributes, "date-value")?.replace("T", " ");
    this.#value = isBoolean?.toUpperCase() ?? date;
  }

  #openText(name: string, attributes: XmlAttributes): void {
    if (name === "annotation") this.#comment = "";
    else if (name === "p") {
      if (this.#shownText !== "") this.#append(" ");
      this.#paragraphs += 1;
    } else if (name === "s") this.#append(" ".repeat(copiesOf(attributes, "c", MAX_SPACES)));
    else if (name === "tab" || name === "line-break") this.#append(" ");
  }

  get #shownText(): string {
    return this.#comment ?? this.#text;
  }

  #append(text: string): void {
    if (this.#shownText.length > MAX_CELL_CHARS) return;
    if (this.#comment === undefined) this.#text += text;
    else this.#comment += text;
  }

  #closeComment(): void {
    const comment = this.#comment?.trim() ?? "";
    this.#comment = undefined;
    const cell = `${columnName(this.#cells.length)}${this.#row + 1}`;
    if (comment !== "") this.#comments.push(`Comment on ${cell}: ${comment}`);
  }

  #closeCell(): void {
    const text = this.#value ?? this.#text;
    const copies = Math.min(this.#cellCopies, MAX_COPIES);
    for (let copy = 0; copy < copies && this.#cells.length < MAX_COLUMN; copy += 1) {
      this.#cells.push(text);
    }
  }

  #closeRow(): void {
    const hasText = this.#cells.some((cell) => cell.trim() !== "");
    const copies = hasText ? this.#rowCopies : 0;
    for (let copy = 1; copy <= copies && !this.#rows.isDone; copy += 1) {
      this.#rows.add(this.#row + copy, this.#cells);
    }
    this.#row += this.#rowCopies;
  }

  #closeTable(): void {
    if (this.#depth === 1) this.#rows.addComments(this.#comments);
    this.#depth -= 1;
  }
}

/** "A" for 0, "AB" for 27. */
function columnName(index: number): string {
  let name = "";
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCodePoint(0x41 + ((rest - 1) % 26)) + name;
  }
  return name;
}
