import type { DocumentWriter } from "./document-writer.ts";

/** What the readers of text documents produce, in the order of the document. */
export interface Blocks {
  heading(level: number, title: string, shown?: string): void;
  paragraph(text: string): void;
  /** `depth`: 0 for the outermost list. `marker`: "-" or "1.". */
  item(text: string, depth: number, marker: string): void;
  row(cells: readonly string[]): void;
  codeLine(text: string): void;
  /** Ends a list, a table or code: what follows does not belong to it. */
  end(): void;
}

const MAX_INDENTED_DEPTH = 8;
/** More characters of one row are left out. */
const MAX_ROW_CHARS = 64 << 10;

/** Writes blocks, of which items, rows and lines of code that follow each other are one block of the text. */
export class BlockLines implements Blocks {
  readonly #writer: DocumentWriter;
  #last: "item" | "row" | undefined;
  #code: string[] = [];

  constructor(writer: DocumentWriter) {
    this.#writer = writer;
  }

  heading(level: number, title: string, shown?: string): void {
    this.end();
    this.#writer.heading(level, title, shown);
  }

  paragraph(text: string): void {
    this.end();
    this.#writer.block(text.replace(/^\s+/u, ""));
  }

  item(text: string, depth: number, marker: string): void {
    const lines = text.trim();
    if (lines === "") return;
    const indent = "  ".repeat(Math.min(depth, MAX_INDENTED_DEPTH));
    const inner = `\n${indent}${" ".repeat(marker.length + 1)}`;
    this.#add("item", `${indent}${marker} ${lines.replaceAll("\n", inner)}`);
  }

  row(cells: readonly string[]): void {
    const line = rowLine(cells);
    if (line !== "") this.#add("row", line);
  }

  codeLine(text: string): void {
    this.#last = undefined;
    if (!this.#writer.isFull) this.#code.push(text);
  }

  end(): void {
    this.#last = undefined;
    if (this.#code.length === 0) return;
    this.#writer.code(this.#code.join("\n"), "");
    this.#code = [];
  }

  #add(kind: "item" | "row", text: string): void {
    if (this.#last === kind) {
      this.#writer.line(text);
      return;
    }
    this.end();
    this.#writer.block(text);
    this.#last = kind;
  }
}

/** Gathers blocks as lines of plain text: of a note, or of a cell. */
export class PlainLines implements Blocks {
  #lines: string[] = [];

  heading(_level: number, title: string): void {
    this.#lines.push(title.trim());
  }

  paragraph(text: string): void {
    this.#lines.push(text.trim());
  }

  item(text: string, _depth: number, marker: string): void {
    this.#lines.push(`${marker} ${text.trim()}`);
  }

  row(cells: readonly string[]): void {
    this.#lines.push(rowLine(cells));
  }

  codeLine(text: string): void {
    this.#lines.push(text);
  }

  end(): void {
    // A line is complete when it is added.
  }

  /** Returns the lines, without empty ones, and forgets them. */
  take(): string {
    const text = this.#lines.filter((line) => line !== "").join("\n");
    this.#lines = [];
    return text;
  }
}

/** Keeps blocks that belong after others that are not complete yet. */
export class DeferredBlocks implements Blocks {
  #blocks: ((target: Blocks) => void)[] = [];

  heading(level: number, title: string, shown?: string): void {
    this.#blocks.push((target) => {
      target.heading(level, title, shown);
    });
  }

  paragraph(text: string): void {
    this.#blocks.push((target) => {
      target.paragraph(text);
    });
  }

  item(text: string, depth: number, marker: string): void {
    this.#blocks.push((target) => {
      target.item(text, depth, marker);
    });
  }

  row(cells: readonly string[]): void {
    const line = rowLine(cells);
    this.#blocks.push((target) => {
      target.row([line]);
    });
  }

  codeLine(text: string): void {
    this.#blocks.push((target) => {
      target.codeLine(text);
    });
  }

  end(): void {
    this.#blocks.push((target) => {
      target.end();
    });
  }

  /** Adds the blocks to others, in their order, and forgets them. */
  moveTo(target: Blocks): void {
    const blocks = this.#blocks;
    this.#blocks = [];
    for (const add of blocks) add(target);
  }
}

/** Returns cells as one line, "a | b"; "" if all are empty. At most 64 Ki characters of it. */
export function rowLine(cells: readonly string[]): string {
  const line: string[] = [];
  let chars = 0;
  let filled = 0;
  for (const cell of cells) {
    const text = cell
      .slice(0, MAX_ROW_CHARS)
      .replace(/[\s\u{85}]+/gu, " ")
      .trim();
    line.push(text);
    chars += text.length + 3;
    if (text !== "") filled = line.length;
    if (chars > MAX_ROW_CHARS) break;
  }
  return line.slice(0, filled).join(" | ").slice(0, MAX_ROW_CHARS);
}
