interface OpenTable {
  row: string[];
  /** The lines of the open cell. */
  cell: string[];
  /** How many of them are code. */
  codeLines: number;
  /** How often the cell is repeated. */
  copies: number;
  /** Whether all lines of the last cell that was closed are code. */
  isCode: boolean;
}

interface ClosedRow {
  readonly cells: readonly string[];
  /** Whether its last cell has nothing but code. */
  readonly isCode: boolean;
  /** The lines of the cell that the table is in; undefined for a table that is in no other. */
  readonly around: string[] | undefined;
}

/** The open tables of a document, each but the first in a cell of the one before. Calls without a table do nothing. */
export class OpenTables {
  readonly #tables: OpenTable[] = [];

  get isEmpty(): boolean {
    return this.#tables.length === 0;
  }

  /** The lines of the innermost open cell; undefined outside of tables. */
  get cell(): string[] | undefined {
    return this.#tables.at(-1)?.cell;
  }

  open(): void {
    this.#tables.push({ row: [], cell: [], codeLines: 0, copies: 1, isCode: false });
  }

  /** Adds a line to the innermost open cell; an empty one is left out. A line of code keeps its indentation. */
  addLine(text: string, isCode: boolean): void {
    const table = this.#tables.at(-1);
    const line = isCode ? text.trimEnd() : text.trim();
    if (table === undefined || line === "") return;
    table.cell.push(line);
    if (isCode) table.codeLines += 1;
  }

  openRow(): void {
    const table = this.#tables.at(-1);
    if (table !== undefined) table.row = [];
  }

  openCell(copies = 1): void {
    const table = this.#tables.at(-1);
    if (table !== undefined) Object.assign(table, { cell: [], codeLines: 0, copies });
  }

  closeCell(): void {
    const table = this.#tables.at(-1);
    if (table === undefined) return;
    const text = table.cell.join("\n");
    for (let copy = 0; copy < table.copies; copy += 1) table.row.push(text);
    table.isCode = table.cell.length > 0 && table.codeLines === table.cell.length;
    table.cell = [];
    table.codeLines = 0;
  }

  /** Returns the row that ends; undefined outside of tables. */
  closeRow(): ClosedRow | undefined {
    const table = this.#tables.at(-1);
    if (table === undefined) return undefined;
    const cells = table.row;
    table.row = [];
    return { cells, isCode: table.isCode, around: this.#tables.at(-2)?.cell };
  }

  /** Returns whether no other table is open. */
  close(): boolean {
    this.#tables.pop();
    return this.isEmpty;
  }
}
