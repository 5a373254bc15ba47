import {
  attributeOf,
  numberOf,
  type XmlAttributes,
  type XmlHandler,
} from "../archive/xml-reader.ts";
import type { NumberFormats } from "./number-formats.ts";
import type { SheetRows } from "./sheet-rows.ts";

/** What the cells of a workbook share. */
export interface Workbook {
  readonly strings: readonly string[];
  readonly formats: NumberFormats;
}

const MAX_ROW = 1 << 20;
const MAX_COLUMN = 1 << 14;
/** A cell of Excel has as many characters. */
const MAX_CELL_CHARS = 32_767;
/** More empty cells in a row are shown as one. */
const MAX_GAP = 50;

/** Reads the rows of one sheet of an XLSX file. */
export class WorkbookSheet implements XmlHandler {
  readonly #rows: SheetRows;
  readonly #workbook: Workbook;
  #row = 0;
  #column = 0;
  #cells: string[] = [];
  #type = "";
  #style = 0;
  #value = "";
  #isInValue = false;

  constructor(rows: SheetRows, workbook: Workbook) {
    this.#rows = rows;
    this.#workbook = workbook;
  }

  open(name: string, attributes: XmlAttributes): boolean {
    if (name === "row") {
      this.#row = numberOf(attributes, "r", MAX_ROW) ?? this.#row + 1;
      this.#column = 0;
      this.#cells = [];
    } else if (name === "c") this.#openCell(attributes);
    else if (name === "v" || name === "t") this.#isInValue = true;
    return name === "f" || name === "rPh" || name === "extLst";
  }

  text(text: string): void {
    if (this.#isInValue && this.#value.length < MAX_CELL_CHARS) this.#value += text;
  }

  close(name: string): void {
    if (name === "v" || name === "t") this.#isInValue = false;
    else if (name === "c") this.#closeCell();
    else if (name === "row") this.#rows.add(this.#row, this.#cells);
  }

  isDone(): boolean {
    return this.#rows.isDone;
  }

  #openCell(attributes: XmlAttributes): void {
    const column = columnOf(attributeOf(attributes, "r") ?? "") ?? this.#column + 1;
    const gap = Math.min(MAX_GAP, column - this.#column - 1);
    for (let at = 0; at < gap; at += 1) this.#cells.push("");
    this.#column = column;
    this.#type = attributeOf(attributes, "t") ?? "n";
    this.#style = numberOf(attributes, "s") ?? 0;
    this.#value = "";
  }

  #closeCell(): void {
    if (this.#cells.length < MAX_COLUMN) this.#cells.push(this.#shown());
  }

  #shown(): string {
    const value = this.#value;
    if (this.#type === "s") return this.#workbook.strings[Number(value)] ?? "";
    if (this.#type === "b") return value === "1" ? "TRUE" : "FALSE";
    if (this.#type === "n") return this.#workbook.formats.show(value, this.#style);
    // A date of its own type.
    return this.#type === "d" ? value.replace("T", " ") : value;
  }
}

/** Returns the column of a cell, 2 for "B12"; undefined if it has none. */
function columnOf(cell: string): number | undefined {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/u.exec(cell)?.[0] ?? "") {
    column = column * 26 + (letter.codePointAt(0) ?? 0) - 0x40;
  }
  return column > 0 && column <= MAX_COLUMN ? column : undefined;
}
