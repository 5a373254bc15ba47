import { OpenTables } from "../open-tables.ts";
import { MAX_DOCUMENT_TEXT_CHARS } from "../../base/documents/document-formats.ts";
import {
  attributeOf,
  numberOf,
  type XmlAttributes,
  type XmlHandler,
} from "../archive/xml-reader.ts";
import { rowLine } from "../block-lines.ts";
import { inkOf, isCodeFont, isPastedCode } from "../code-styles.ts";
import type { SlideArea, SlideBlocks } from "./slide-blocks.ts";

/** Whether the part is a slide, the notes of one, or the text of a diagram. */
export type DrawingPart = "slide" | "notes" | "diagram";

interface Paragraph {
  text: string;
  /** See `isPastedCode`. */
  codeLetters: number;
  level: number;
  /** "-" or "1."; "" for none; undefined if the layout decides. */
  marker: string | undefined;
  /** Number of the first item of its list. */
  start: number;
}

const MAX_LEVEL = 8;
const MAX_START = 1_000_000;
/** Placeholders that every slide repeats. `sldImg` is the slide in its notes. */
const REPEATED = new Set(["dt", "ftr", "hdr", "sldNum", "sldImg"]);
const TITLES = new Set(["title", "ctrTitle"]);
/** Placeholders whose paragraphs are items unless they say otherwise. */
const LISTS = new Set(["", "body", "obj"]);

/** Makes blocks of a part of a PPTX file: text of shapes, tables and diagrams. */
export class DrawingBody implements XmlHandler {
  readonly #blocks: SlideBlocks;
  readonly #part: DrawingPart;
  readonly #tables = new OpenTables();
  readonly #alternatives: boolean[] = [];
  /** Paragraphs of the shape; it is a list if there are several. */
  #paragraphs: Paragraph[] = [];
  #paragraph: Paragraph | undefined;
  /** Type of the placeholder that the shape fills; undefined for other shapes. */
  #placeholder: string | undefined;
  #isInText = false;
  /** The font that a shape gives its text; undefined if it does not say. */
  #font: string | undefined;
  /** Whether the run is in a font of code. */
  #isInCode = false;
  /** Numbers of the last items, by level. */
  #counts: number[] = [];

  constructor(blocks: SlideBlocks, part: DrawingPart) {
    this.#blocks = blocks;
    this.#part = part;
  }

  open(name: string, attributes: XmlAttributes): boolean {
    switch (name) {
      case "sp":
      case "graphicFrame":
        this.#placeholder = undefined;
        this.#font = undefined;
        return false;
      case "ph":
        this.#placeholder = attributeOf(attributes, "type") ?? "";
        return false;
      case "AlternateContent":
        this.#alternatives.push(false);
        return false;
      case "Choice":
      case "Fallback":
        return this.#openAlternative();
      case "p":
        this.#paragraph = { text: "", codeLetters: 0, level: 0, marker: undefined, start: 1 };
        return false;
      case "r":
        this.#isInCode = isCodeFont(this.#font ?? "");
        return false;
      case "txBody":
        return this.#isLeftOut;
      default:
        this.#openContent(name, attributes);
        return false;
    }
  }

  text(text: string): void {
    if (this.#isInText) this.#append(text);
  }

  close(name: string): void {
    if (name === "t") this.#isInText = false;
    else if (name === "p") this.#closeParagraph();
    else if (name === "txBody") this.#closeShape();
    else if (name === "pt" && this.#part === "diagram") this.#closeShape();
    else if (name === "AlternateContent") this.#alternatives.pop();
    else this.#closeTable(name);
  }

  get #isLeftOut(): boolean {
    if (this.#placeholder !== undefined && REPEATED.has(this.#placeholder)) return true;
    return this.#part === "notes" && this.#placeholder === undefined;
  }

  #openAlternative(): boolean {
    const wasRead = this.#alternatives.pop() ?? false;
    this.#alternatives.push(true);
    return wasRead;
  }

  #openContent(name: string, attributes: XmlAttributes): void {
    const paragraph = this.#paragraph;
    if (name === "t") this.#isInText = true;
    else if (name === "br") this.#append("\n");
    else if (name === "tab") this.#append("\t");
    else if (name === "tbl") this.#tables.open();
    else if (name === "cNvPr") this.#addImage(attributeOf(attributes, "descr") ?? "");
    else if (name === "latin") this.#readFont(attributeOf(attributes, "typeface") ?? "");
    else if (paragraph !== undefined) readParagraphProperty(paragraph, name, attributes);
  }

  /** Before its paragraphs, a shape has the fonts of its levels. */
  #readFont(font: string): void {
    if (this.#paragraph === undefined) this.#font ??= font;
    else this.#isInCode = isCodeFont(font);
  }

  #append(text: string): void {
    const paragraph = this.#paragraph;
    if (paragraph === undefined || paragraph.text.length > MAX_DOCUMENT_TEXT_CHARS) return;
    paragraph.text += text;
    if (this.#isInCode) paragraph.codeLetters += inkOf(text);
  }

  #addImage(description: string): void {
    const text = description.replace(/\s+/gu, " ").trim();
    if (text !== "" && this.#part === "slide") this.#blocks.paragraph(`[Image: ${text}]`);
  }

  #closeParagraph(): void {
    if (this.#paragraph !== undefined) this.#paragraphs.push(this.#paragraph);
    this.#paragraph = undefined;
  }

  #closeShape(): void {
    const paragraphs = this.#paragraphs.filter(({ text }) => text.trim() !== "");
    this.#paragraphs = [];
    const { cell } = this.#tables;
    if (cell !== undefined) {
      for (const { text } of paragraphs) cell.push(text);
      return;
    }
    this.#blocks.moveTo(this.#area);
    this.#counts = [];
    for (const paragraph of paragraphs) this.#addParagraph(paragraph, paragraphs.length > 1);
    this.#blocks.end();
    this.#blocks.moveTo("body");
  }

  get #area(): SlideArea {
    if (this.#part === "notes") return "notes";
    return TITLES.has(this.#placeholder ?? "") ? "title" : "body";
  }

  #addParagraph(paragraph: Paragraph, isOneOfSeveral: boolean): void {
    const { text, level, marker, start } = paragraph;
    const isItem =
      isOneOfSeveral && this.#part === "slide" && LISTS.has(this.#placeholder ?? "none");
    const usual = isItem || level > 0 ? "-" : "";
    const isNumbered = marker === "1";
    this.#counts.length = level + 1;
    const last = this.#counts[level] ?? 0;
    this.#counts[level] = isNumbered ? (last === 0 ? start : last + 1) : 0;
    const shown = isNumbered ? `${this.#counts[level]}.` : (marker ?? usual);
    if (shown === "" && isPastedCode(text, paragraph.codeLetters)) this.#blocks.codeLine(text);
    else if (shown === "") this.#blocks.paragraph(text);
    else this.#blocks.item(text, level, shown);
  }

  #closeTable(name: string): void {
    if (name === "tc") this.#tables.closeCell();
    else if (name === "tr") {
      const row = this.#tables.closeRow();
      if (row === undefined) return;
      const line = rowLine(row.cells);
      if (row.around === undefined) this.#blocks.row([line]);
      else row.around.push(line);
    } else if (name === "tbl" && !this.#tables.isEmpty) {
      this.#tables.close();
      this.#blocks.end();
    }
  }
}

function readParagraphProperty(
  paragraph: Paragraph,
  name: string,
  attributes: XmlAttributes,
): void {
  if (name === "pPr") paragraph.level = numberOf(attributes, "lvl", MAX_LEVEL) ?? 0;
  else if (name === "buNone") paragraph.marker = "";
  else if (name === "buChar" || name === "buBlip") paragraph.marker = "-";
  else if (name === "buAutoNum") {
    paragraph.marker = "1";
    paragraph.start = numberOf(attributes, "startAt", MAX_START) ?? 1;
  }
}
