import {
  DocumentError,
  type DocumentCode,
  type DocumentHeading,
  type DocumentText,
  type PlaceStart,
  type PlaceUnit,
} from "../base/documents/document.ts";
import { MAX_DOCUMENT_TEXT_CHARS } from "../base/documents/document-formats.ts";

/** Line ends of all kinds, form feeds, and characters that no text has. */
// oxlint-disable-next-line no-control-regex -- as below
const LINE_ENDS = /\r\n?|[\n\u{b}\u{c}\u{85}\u{2028}\u{2029}]/u;
// oxlint-disable-next-line no-control-regex -- documents have them, and terminals obey them
const CONTROLS = /[\u{0}-\u{8}\u{e}-\u{1f}\u{7f}]/gu;
const MAX_TITLE_CHARS = 200;

/** A heading in a block. */
export interface BlockHeading extends Pick<DocumentHeading, "level" | "title"> {
  /** Its line in the block, 1-based. */
  readonly line: number;
}

/** Builds the text of a document, block by block. Blocks are separated by one empty line. */
export class DocumentWriter {
  readonly #unit: PlaceUnit | undefined;
  readonly #lines: string[] = [];
  readonly #places: PlaceStart[] = [];
  readonly #headings: DocumentHeading[] = [];
  readonly #code: DocumentCode[] = [];
  readonly #slugs = new Map<string, number>();
  #chars = 0;
  #omission: string | undefined;

  /** With the unit `section`, each heading begins a place. */
  constructor(unit: PlaceUnit | undefined) {
    this.#unit = unit;
  }

  /** Whether the text is as long as it may be. What is added after that is left out. */
  get isFull(): boolean {
    return this.#chars >= MAX_DOCUMENT_TEXT_CHARS;
  }

  /** Notes what was left out, as a sentence for people. The first note stays. */
  omit(sentence: string): void {
    this.#omission ??= sentence;
  }

  /**
   * Begins a part: a page, slide, sheet or cell. `firstNumber`: number of its first line, if lines of the part have
   * numbers of their own.
   */
  place(name: string, firstNumber?: number): void {
    this.#separate();
    const line = this.#lines.length + 1;
    // A part without text takes no line; the next one begins here.
    if (this.#places.at(-1)?.line === line) this.#places.pop();
    this.#places.push({ line, name, ...(firstNumber === undefined ? {} : { firstNumber }) });
  }

  /** Adds a heading; `level` 1 is the outermost. `shown`: its line in the text, the title itself by default. */
  heading(level: number, title: string, shown = title): void {
    if (this.isFull) return;
    const clean = cleanTitle(title);
    if (clean === "") return;
    this.#separate();
    this.#addHeading({ line: this.#lines.length + 1, level, title: clean });
    this.#push(shown.replace(/\s+/gu, " ").trim());
  }

  /**
   * Adds a paragraph, a list item, or rows of a table: lines that belong together. `headings`: those of its lines that
   * are headings, in their order.
   */
  block(text: string, headings: readonly BlockHeading[] = []): void {
    if (text.trim() === "") return;
    this.#separate();
    const before = this.#lines.length;
    for (const line of text.split(LINE_ENDS)) this.#push(line.trimEnd());
    for (const { line, level, title } of headings) {
      const clean = cleanTitle(title);
      const at = before + line;
      if (clean !== "" && at <= this.#lines.length)
        this.#addHeading({ line: at, level, title: clean });
    }
  }

  /** Adds lines to the last block. */
  line(text: string): void {
    for (const line of text.split(LINE_ENDS)) this.#push(line.trimEnd());
  }

  /**
   * Adds program code in a language of the table of languages; "" if it is unknown. Its lines keep their numbers:
   * empty lines before and in the code are lines of the text too.
   */
  code(text: string, language: string): void {
    if (text.trim() === "" || this.isFull) return;
    this.#separate();
    const startLine = this.#lines.length + 1;
    for (const line of text.trimEnd().split(LINE_ENDS)) this.#push(line.trimEnd());
    this.#code.push({ startLine, endLine: this.#lines.length, language });
  }

  /** Returns the document. Throws DocumentError `document-empty` if nothing was added. */
  finish(): DocumentText {
    while (this.#lines.at(-1) === "") this.#lines.pop();
    if (this.#lines.length === 0) throw new DocumentError("document-empty");
    const count = this.#lines.length;
    if (this.isFull) this.omit("The text after the first 4 MiB was left out.");
    return {
      text: `${this.#lines.join("\n")}\n`,
      unit: this.#unit,
      places: this.#places.filter(({ line }) => line <= count),
      headings: this.#headings,
      code: this.#code,
      omission: this.#omission,
    };
  }

  #addHeading({ line, level, title }: DocumentHeading): void {
    if (this.#unit === "section") this.#places.push({ line, name: this.#slugOf(title) });
    this.#headings.push({ line, level: Math.max(1, level), title });
  }

  #separate(): void {
    if (this.#lines.length > 0 && this.#lines.at(-1) !== "") this.#push("");
  }

  #push(line: string): void {
    if (this.isFull) return;
    const clean = line.replace(CONTROLS, "").toWellFormed();
    this.#lines.push(clean);
    this.#chars += clean.length + 1;
  }

  /** As GitHub makes anchors of headings: letters, digits and hyphens, with a number if it is there already. */
  #slugOf(title: string): string {
    const slug =
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replace(/\s+/gu, "-") || "section";
    const count = this.#slugs.get(slug) ?? 0;
    this.#slugs.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  }
}

function cleanTitle(title: string): string {
  return title.replace(CONTROLS, " ").replace(/\s+/gu, " ").trim().slice(0, MAX_TITLE_CHARS);
}
