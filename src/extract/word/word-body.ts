import { OpenTables } from "../open-tables.ts";
import { MAX_DOCUMENT_TEXT_CHARS } from "../../base/documents/document-formats.ts";
import {
  attributeOf,
  numberOf,
  type XmlAttributes,
  type XmlHandler,
} from "../archive/xml-reader.ts";
import { DeferredBlocks, rowLine, type Blocks } from "../block-lines.ts";
import { inkOf, isCodeFont, isPastedCode } from "../code-styles.ts";
import type { WordLists } from "./word-lists.ts";
import { isOn, type WordStyle, type WordStyles } from "./word-styles.ts";

interface Paragraph {
  text: string;
  /** See `isPastedCode`. */
  codeLetters: number;
  styleId: string | undefined;
  outlineLevel: number | undefined;
  listId: string | undefined;
  listLevel: number | undefined;
  isDropCap: boolean;
}

/** What the parts with text have in common. */
export interface WordContext {
  readonly styles: WordStyles;
  readonly lists: WordLists;
  /** Numbers of notes, in the order of their references, by kind and id ("footnote 2"). */
  readonly notes: Map<string, number>;
}

const OUTERMOST_TEXT_LEVEL = 9;
const MAX_LIST_LEVEL = 8;
const MAX_OPEN_FIELDS = 100;

/** Deleted text, earlier properties, and the layout of pages. */
const SKIPPED = new Set(
  "del moveFrom delText instrText delInstrText pPrChange rPrChange sectPr tblPr tblGrid ffData sdtPr rt".split(
    " ",
  ),
);
const RUN_PROPERTIES = new Set(["vanish", "rFonts", "rStyle"]);
/** Elements that are characters. The last three are of formulas. */
const CHARACTERS: Readonly<Record<string, string>> = {
  tab: "\t",
  ptab: "\t",
  br: "\n",
  cr: "\n",
  noBreakHyphen: "-",
  sub: "_",
  sup: "^",
  den: "/",
};

/** Makes blocks of a part of a Word document that has paragraphs and tables. */
export class WordBody implements XmlHandler {
  readonly #blocks: Blocks;
  readonly #context: WordContext;
  /** A text box is inside of a paragraph, so several can be open. */
  readonly #paragraphs: Paragraph[] = [];
  readonly #tables = new OpenTables();
  /** Of each open field, whether its instruction is being read. */
  #fields: boolean[] = [];
  /** Of each open element with alternatives, whether one of them was read. */
  readonly #alternatives: boolean[] = [];
  /** Blocks of text boxes, which follow their paragraph. */
  readonly #later = new DeferredBlocks();
  /** A large first letter, which is a paragraph of its own before the one that it begins. */
  #dropCap = "";
  #isInText = false;
  #isInProperties = false;
  #isHidden = false;
  /** Whether the run is in a font of code. */
  #isInCode = false;

  constructor(blocks: Blocks, context: WordContext) {
    this.#blocks = blocks;
    this.#context = context;
  }

  open(name: string, attributes: XmlAttributes): boolean {
    if (SKIPPED.has(name)) return true;
    switch (name) {
      case "p":
        this.#paragraphs.push(newParagraph());
        return false;
      case "pPr":
        this.#isInProperties = true;
        return false;
      case "r":
        this.#isHidden = false;
        this.#isInCode = false;
        return false;
      case "t":
        this.#isInText = true;
        return false;
      case "AlternateContent":
        this.#alternatives.push(false);
        return false;
      case "Choice":
      case "Fallback":
        return this.#openAlternative();
      default:
        return this.#openTable(name) || this.#openProperty(name, attributes);
    }
  }

  text(text: string): void {
    if (this.#isInText) this.#append(text);
  }

  close(name: string): void {
    if (name === "p") this.#closeParagraph();
    else if (name === "pPr") this.#isInProperties = false;
    else if (name === "t") this.#isInText = false;
    else if (name === "AlternateContent") this.#alternatives.pop();
    else if (name === "tc") this.#tables.closeCell();
    else if (name === "tr") this.#closeRow();
    else if (name === "tbl" && this.#tables.close()) this.#target.end();
  }

  #openAlternative(): boolean {
    const wasRead = this.#alternatives.pop() ?? false;
    this.#alternatives.push(true);
    return wasRead;
  }

  #openTable(name: string): boolean {
    if (name === "tbl") this.#tables.open();
    else if (name === "tr") this.#tables.openRow();
    else if (name === "tc") this.#tables.openCell();
    return false;
  }

  /** Returns whether to skip the element. */
  #openProperty(name: string, attributes: XmlAttributes): boolean {
    if (this.#isInProperties) {
      this.#readParagraphProperty(name, attributes);
      return name === "rPr";
    }
    const character = CHARACTERS[name];
    if (character !== undefined) this.#append(character);
    else if (RUN_PROPERTIES.has(name)) this.#readRunProperty(name, attributes);
    else if (name === "fldChar") this.#readField(attributeOf(attributes, "fldCharType"));
    else if (name === "sym") this.#append(symbolOf(attributes));
    else if (name === "docPr") this.#appendImage(attributeOf(attributes, "descr") ?? "");
    else if (name === "footnoteReference" || name === "endnoteReference") {
      this.#appendNote(`${name.slice(0, -"Reference".length)} ${attributeOf(attributes, "id")}`);
    }
    return false;
  }

  #readRunProperty(name: string, attributes: XmlAttributes): void {
    const value = attributeOf(attributes, "val");
    if (name === "vanish") this.#isHidden = isOn(value ?? "1");
    else if (name === "rFonts") this.#isInCode = isCodeFont(attributeOf(attributes, "ascii") ?? "");
    else this.#isInCode = this.#context.styles.get(value ?? "")?.isCode === true;
  }

  #readParagraphProperty(name: string, attributes: XmlAttributes): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph === undefined) return;
    if (name === "pStyle") paragraph.styleId = attributeOf(attributes, "val");
    else if (name === "outlineLvl") paragraph.outlineLevel = numberOf(attributes, "val");
    else if (name === "numId") paragraph.listId = attributeOf(attributes, "val");
    else if (name === "framePr") {
      paragraph.isDropCap = (attributeOf(attributes, "dropCap") ?? "none") !== "none";
    } else if (name === "ilvl") paragraph.listLevel = numberOf(attributes, "val", MAX_LIST_LEVEL);
  }

  #readField(type: string | undefined): void {
    if (type === "begin" && this.#fields.length < MAX_OPEN_FIELDS) this.#fields.push(true);
    else if (type === "end") this.#fields.pop();
    else if (this.#fields.pop() !== undefined) this.#fields.push(false);
  }

  #append(text: string): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph === undefined || this.#isHidden || this.#fields.includes(true)) return;
    if (paragraph.text.length >= MAX_DOCUMENT_TEXT_CHARS) return;
    paragraph.text += text;
    if (this.#isInCode) paragraph.codeLetters += inkOf(text);
  }

  #appendImage(description: string): void {
    const text = description.replace(/\s+/gu, " ").trim();
    if (text !== "") this.#append(`[Image: ${text}]`);
  }

  #appendNote(key: string): void {
    const { notes } = this.#context;
    const number = notes.get(key) ?? notes.size + 1;
    notes.set(key, number);
    this.#append(`[${number}]`);
  }

  #closeParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    this.#isHidden = false;
    if (paragraph === undefined) return;
    // A field whose instruction does not end hides no more than its paragraph.
    if (this.#fields.includes(true)) this.#fields = this.#fields.map(() => false);
    this.#add(paragraph);
    if (this.#paragraphs.length === 0 && this.#tables.isEmpty) this.#later.moveTo(this.#blocks);
  }

  get #target(): Blocks {
    return this.#paragraphs.length > 0 ? this.#later : this.#blocks;
  }

  #add(paragraph: Paragraph): void {
    const style = this.#styleOf(paragraph);
    if (style?.isContents === true) return;
    if (paragraph.isDropCap) {
      this.#dropCap = paragraph.text.trim();
      return;
    }
    const text = this.#dropCap + paragraph.text;
    this.#dropCap = "";
    this.#addText(text, paragraph, style);
  }

  #addText(text: string, paragraph: Paragraph, style: WordStyle | undefined): void {
    const list = this.#listOf(paragraph);
    const marker = (list && this.#context.lists.next(list.id, list.level)) ?? "";
    const heading = headingLevelOf(paragraph) ?? style?.headingLevel;
    const isPlain = heading === undefined && marker === "";
    const isCode = style?.isCode === true || (isPlain && isPastedCode(text, paragraph.codeLetters));
    if (this.#tables.cell !== undefined) {
      this.#tables.addLine(isCode ? text : `${marker} ${text}`, isCode);
    } else if (isCode) this.#target.codeLine(text);
    else this.#addProse(text, heading, marker, list?.level);
  }

  #addProse(text: string, level: number | undefined, marker: string, depth = 0): void {
    if (text.trim() === "") this.#target.end();
    else if (level !== undefined) {
      this.#target.heading(level, text, marker === "-" ? text : `${marker} ${text}`);
    } else if (marker === "") this.#target.paragraph(text);
    else this.#target.item(text, depth, marker);
  }

  #styleOf({ styleId }: Paragraph): WordStyle | undefined {
    return styleId === undefined ? undefined : this.#context.styles.get(styleId);
  }

  #listOf(paragraph: Paragraph): { readonly id: string; readonly level: number } | undefined {
    const { styleId, listId, listLevel } = paragraph;
    const style = this.#styleOf(paragraph);
    const id = listId ?? style?.listId;
    // The list 0 takes a paragraph out of the list of its style.
    if (id === undefined || id === "0") return undefined;
    const level = listLevel ?? (listId === undefined ? style?.listLevel : undefined);
    return { id, level: level ?? this.#context.lists.levelOf(id, styleId) };
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

function newParagraph(): Paragraph {
  return {
    text: "",
    codeLetters: 0,
    styleId: undefined,
    outlineLevel: undefined,
    listId: undefined,
    listLevel: undefined,
    isDropCap: false,
  };
}

function headingLevelOf({ outlineLevel }: Paragraph): number | undefined {
  const isHeading = outlineLevel !== undefined && outlineLevel < OUTERMOST_TEXT_LEVEL;
  return isHeading ? outlineLevel + 1 : undefined;
}

/** Symbol fonts have private characters, which mean nothing in text. */
function symbolOf(attributes: XmlAttributes): string {
  const code = Number.parseInt(attributeOf(attributes, "char") ?? "", 16);
  const isPublic = code >= 0x20 && code < 0xd800;
  return isPublic ? String.fromCodePoint(code) : "";
}
