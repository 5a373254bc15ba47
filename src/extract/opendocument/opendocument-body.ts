import { OpenTables } from "../open-tables.ts";
import { MAX_DOCUMENT_TEXT_CHARS } from "../../base/documents/document-formats.ts";
import {
  attributeOf,
  copiesOf,
  numberOf,
  type XmlAttributes,
  type XmlHandler,
} from "../archive/xml-reader.ts";
import { DeferredBlocks, PlainLines, rowLine, type Blocks } from "../block-lines.ts";
import { inkOf, isPastedCode } from "../code-styles.ts";
import { OpenDocumentLists } from "./opendocument-lists.ts";
import type { OpenDocumentStyles } from "./opendocument-styles.ts";

interface Paragraph {
  text: string;
  /** See `isPastedCode`. */
  codeLetters: number;
  /** Adjacent spaces of the file count as one space; svc keeps those of `text:s`. */
  endsInSpace: boolean;
  /** Level of a heading; undefined for others. */
  readonly level: number | undefined;
  readonly styleId: string;
  readonly marker: string;
}

/** A note or a comment, whose paragraphs are inside of a paragraph. */
interface Aside {
  readonly lines: PlainLines;
  readonly number: number;
  author: string;
}

const MAX_SPACES = 1000;
const MAX_HEADING_LEVEL = 10;
const MAX_COPIES = 100;
/** Deleted text, and lists of headings and pages, which repeat the text. */
const SKIPPED = new Set(
  [
    "tracked-changes table-of-content illustration-index table-index object-index user-index alphabetical-index",
    "forms scripts sequence-decls variable-decls user-field-decls note-citation ruby-text covered-table-cell",
    "hidden-text date animations par event-listeners",
  ]
    .join(" ")
    .split(" "),
);
/** Elements whose text is not part of a paragraph. */
const CAPTURED = new Set(["creator", "title", "desc"]);

/** Makes blocks of the content of an OpenDocument file. Its own styles precede it in the file. */
export class OpenDocumentBody implements XmlHandler {
  readonly #blocks: Blocks;
  readonly #styles: OpenDocumentStyles;
  readonly #lists: OpenDocumentLists;
  readonly #paragraphs: Paragraph[] = [];
  readonly #tables = new OpenTables();
  readonly #asides: Aside[] = [];
  #notes: string[] = [];
  #comments: string[] = [];
  readonly #later = new DeferredBlocks();
  #noteCount = 0;
  #isInBody = false;
  /** Of each open span, whether its words are code. */
  readonly #spans: boolean[] = [];
  #captured: string | undefined;

  constructor(blocks: Blocks, styles: OpenDocumentStyles) {
    this.#blocks = blocks;
    this.#styles = styles;
    this.#lists = new OpenDocumentLists(styles);
  }

  /** Returns the notes ("[1] Text"), then the comments ("Comment by Ann: Text"), and forgets them. */
  takeAsides(): readonly string[] {
    const asides = [...this.#notes, ...this.#comments];
    this.#notes = [];
    this.#comments = [];
    return asides;
  }

  open(name: string, attributes: XmlAttributes): boolean {
    if (!this.#isInBody) {
      if (name === "body") this.#isInBody = true;
      else this.#styles.open(name, attributes);
      return false;
    }
    if (SKIPPED.has(name) || isHidden(name, attributes)) return true;
    if (CAPTURED.has(name)) this.#captured = "";
    else if (name === "p" || name === "h") this.#openParagraph(name, attributes);
    else if (!this.#openCharacter(name, attributes)) this.#openStructure(name, attributes);
    return false;
  }

  text(text: string): void {
    if (this.#captured !== undefined) {
      if (this.#captured.length < MAX_DOCUMENT_TEXT_CHARS) this.#captured += text;
      return;
    }
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph === undefined) return;
    const spaced = text.replace(/[ \t\r\n]+/gu, " ");
    this.#append(paragraph.endsInSpace ? spaced.replace(/^ /u, "") : spaced);
    if (spaced !== "") paragraph.endsInSpace = spaced.endsWith(" ");
  }

  close(name: string): void {
    if (!this.#isInBody) this.#styles.close(name);
    else if (CAPTURED.has(name)) this.#takeCaptured(name);
    else if (name === "p" || name === "h") this.#closeParagraph();
    else this.#closeStructure(name);
  }

  get #target(): Blocks {
    const aside = this.#asides.at(-1);
    if (aside !== undefined) return aside.lines;
    return this.#paragraphs.length > 0 ? this.#later : this.#blocks;
  }

  #openParagraph(name: string, attributes: XmlAttributes): void {
    const level = numberOf(attributes, "outline-level", MAX_HEADING_LEVEL) ?? 1;
    this.#paragraphs.push({
      text: "",
      codeLetters: 0,
      endsInSpace: true,
      level: name === "h" ? level : undefined,
      styleId: attributeOf(attributes, "style-name") ?? "",
      marker: this.#asides.length > 0 ? "" : this.#lists.takeMarker(),
    });
  }

  /** Returns false for an element that is not a character. */
  #openCharacter(name: string, attributes: XmlAttributes): boolean {
    if (name === "s") this.#append(" ".repeat(copiesOf(attributes, "c", MAX_SPACES)));
    else if (name === "tab") this.#append("\t");
    else if (name === "line-break") this.#append("\n");
    else return false;
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph !== undefined) paragraph.endsInSpace = name !== "s";
    return true;
  }

  #openStructure(name: string, attributes: XmlAttributes): void {
    if (name === "span") {
      this.#spans.push(this.#styles.isCodeText(attributeOf(attributes, "style-name") ?? ""));
    } else if (name === "list") this.#lists.openList(attributes);
    else if (name === "list-item") this.#lists.openItem(attributes);
    else if (name === "note") this.#openNote();
    else if (name === "annotation") {
      this.#asides.push({ lines: new PlainLines(), number: 0, author: "" });
    } else if (name === "table") this.#tables.open();
    else if (name === "table-row") this.#tables.openRow();
    else if (name === "table-cell") {
      const copies = copiesOf(attributes, "number-columns-repeated", MAX_COPIES);
      this.#tables.openCell(copies);
    }
  }

  #openNote(): void {
    this.#noteCount += 1;
    this.#append(`[${this.#noteCount}]`);
    this.#asides.push({ lines: new PlainLines(), number: this.#noteCount, author: "" });
  }

  #append(text: string): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph === undefined || paragraph.text.length > MAX_DOCUMENT_TEXT_CHARS) return;
    paragraph.text += text;
    if (this.#spans.includes(true)) paragraph.codeLetters += inkOf(text);
  }

  #takeCaptured(name: string): void {
    const text = (this.#captured ?? "").replace(/\s+/gu, " ").trim();
    this.#captured = undefined;
    const aside = this.#asides.at(-1);
    if (name === "creator") {
      if (aside !== undefined) aside.author = text;
    } else if (text !== "" && this.#paragraphs.length > 0) this.#append(`[Image: ${text}]`);
    else if (text !== "") this.#target.paragraph(`[Image: ${text}]`);
  }

  #closeParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    if (paragraph === undefined) return;
    this.#add(paragraph);
    const isOutermost = this.#paragraphs.length === 0 && this.#tables.isEmpty;
    if (isOutermost) this.#later.moveTo(this.#blocks);
  }

  #add({ text, codeLetters, level, styleId, marker }: Paragraph): void {
    const kind = this.#styles.kindOf(styleId);
    const isCode = kind === "code" || (marker === "" && isPastedCode(text, codeLetters));
    if (this.#asides.length === 0 && this.#tables.cell !== undefined) {
      this.#tables.addLine(isCode ? text : `${marker} ${text}`, isCode);
      return;
    }
    const heading = level ?? (kind === "title" ? 1 : undefined);
    if (heading !== undefined) this.#target.heading(heading, text);
    else if (isCode) this.#target.codeLine(text);
    else if (text.trim() === "") this.#target.end();
    else if (marker === "") this.#target.paragraph(text);
    else this.#target.item(text, this.#lists.depth, marker);
  }

  #closeStructure(name: string): void {
    if (name === "span") this.#spans.pop();
    else if (name === "list") this.#lists.closeList();
    else if (name === "note" || name === "annotation") this.#closeAside();
    else if (name === "table-cell") this.#tables.closeCell();
    else if (name === "table-row") this.#closeRow();
    else if (name === "table" && this.#tables.close()) this.#target.end();
  }

  #closeAside(): void {
    const aside = this.#asides.pop();
    const text = aside?.lines.take() ?? "";
    if (aside === undefined || text === "") return;
    const by = aside.author === "" ? "" : ` by ${aside.author}`;
    if (aside.number > 0) this.#notes.push(`[${aside.number}] ${text}`);
    else this.#comments.push(`Comment${by}: ${text}`);
  }

  #closeRow(): void {
    const row = this.#tables.closeRow();
    if (row === undefined) return;
    const { cells, around, isCode } = row;
    if (around !== undefined) around.push(rowLine(cells));
    // A table of one column is a frame around text.
    else if (cells.length === 1 && isCode) this.#target.codeLine(cells.join(""));
    else if (cells.length === 1) this.#target.paragraph(cells.join(""));
    else this.#target.row(cells);
  }
}

/** Sections can be hidden; an annotation with an encoding is the source of a formula. */
function isHidden(name: string, attributes: XmlAttributes): boolean {
  if (name === "section") return attributeOf(attributes, "display") === "none";
  return name === "annotation" && attributeOf(attributes, "encoding") !== undefined;
}
