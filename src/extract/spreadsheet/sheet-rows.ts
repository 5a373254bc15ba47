import { rowLine } from "../block-lines.ts";
import type { DocumentWriter } from "../document-writer.ts";

const MAX_ROWS = 20_000;

/** Writes the rows of sheets, each on one line, so that the number of a row follows from its line. */
export class SheetRows {
  readonly #writer: DocumentWriter;
  #name = "";
  #last: number | undefined;
  #count = 0;
  /** Whether the sheet has more rows than are read. */
  #hasMore = false;
  /** Columns that are left of the first row. */
  #margin: number | undefined;

  constructor(writer: DocumentWriter) {
    this.#writer = writer;
  }

  /** Whether no more of this sheet is wanted. */
  get isDone(): boolean {
    return this.#hasMore || this.#writer.isFull;
  }

  /** Begins a sheet. */
  begin(name: string): void {
    this.#name = name.replace(/\s+/gu, " ").trim();
    this.#last = undefined;
    this.#count = 0;
    this.#hasMore = false;
    this.#margin = undefined;
  }

  /** Adds a row, with its 1-based number. A row without text takes no line. */
  add(number: number, cells: readonly string[]): void {
    const first = cells.findIndex((cell) => cell.trim() !== "");
    if (first === -1 || this.isDone) return;
    if (this.#count >= MAX_ROWS) {
      this.#hasMore = true;
      this.#writer.omit("Rows after the first 20,000 of a sheet were left out.");
      return;
    }
    this.#margin ??= first;
    const line = rowLine(cells.slice(Math.min(first, this.#margin)));
    const skipped = this.#last === undefined ? undefined : number - this.#last - 1;
    if (skipped === 0) this.#writer.line(line);
    else if (skipped === 1) this.#writer.line(`\n${line}`);
    else {
      this.#writer.place(this.#name, number);
      this.#writer.block(line);
    }
    this.#last = number;
    this.#count += 1;
  }

  /** Adds comments after the rows of a sheet; their lines have no numbers. */
  addComments(comments: readonly string[]): void {
    if (comments.length === 0) return;
    this.#writer.place(this.#name);
    for (const comment of comments) this.#writer.block(comment);
  }
}
