import { BlockLines, DeferredBlocks, PlainLines, type Blocks } from "../block-lines.ts";
import type { DocumentWriter } from "../document-writer.ts";

export const SLIDES_OMISSION = "Slides after 5,000 were left out.";

/** Where the text of a shape belongs. */
export type SlideArea = "title" | "body" | "notes";

/** Gathers the blocks of one slide after another and writes each with its title first and its notes last. */
export class SlideBlocks implements Blocks {
  readonly #writer: DocumentWriter;
  readonly #title = new PlainLines();
  readonly #body = new DeferredBlocks();
  readonly #notes = new PlainLines();
  #area: SlideArea = "body";

  constructor(writer: DocumentWriter) {
    this.#writer = writer;
  }

  /** What follows is part of an area. */
  moveTo(area: SlideArea): void {
    this.#area = area;
  }

  heading(level: number, title: string, shown?: string): void {
    this.#target.heading(level, title, shown);
  }

  paragraph(text: string): void {
    this.#target.paragraph(text);
  }

  item(text: string, depth: number, marker: string): void {
    this.#target.item(text, depth, marker);
  }

  row(cells: readonly string[]): void {
    this.#target.row(cells);
  }

  codeLine(text: string): void {
    this.#target.codeLine(text);
  }

  end(): void {
    this.#target.end();
  }

  /** Writes the slide with a number. `comments` follow its notes. */
  finish(number: number, comments: readonly string[] = []): void {
    const writer = this.#writer;
    writer.place(String(number));
    writer.heading(1, this.#title.take());
    const lines = new BlockLines(writer);
    this.#body.moveTo(lines);
    lines.end();
    const notes = this.#notes.take();
    if (notes !== "") writer.block(`Notes: ${notes}`);
    for (const comment of comments) writer.block(comment);
    this.#area = "body";
  }

  get #target(): Blocks {
    if (this.#area === "title") return this.#title;
    return this.#area === "notes" ? this.#notes : this.#body;
  }
}
