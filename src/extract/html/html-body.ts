import { OpenTables } from "../open-tables.ts";
import { MAX_DOCUMENT_TEXT_CHARS } from "../../base/documents/document-formats.ts";
import { BlockLines, DeferredBlocks, rowLine, type Blocks } from "../block-lines.ts";
import type { DocumentWriter } from "../document-writer.ts";
import { codeLanguageOf } from "./code-language.ts";
import { isNote } from "../../base/documents/note-boxes.ts";
import { isToOtherPage, onlyLeadsElsewhere } from "./page-links.ts";
import type { PageTitles } from "./page-titles.ts";

export type HtmlAttributes = Readonly<Record<string, string>>;

interface List {
  readonly isNumbered: boolean;
  count: number;
  isItemNew: boolean;
}

/** A cell with more text is not part of a row but of the layout of the page. */
const MAX_CELL_CHARS = 1000;
const MAX_START = 1_000_000;
/** Elements that begin on a line of their own. */
const BLOCKS = new Set(
  [
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure",
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu ol optgroup option p pre section summary",
    "table tbody td tfoot th thead tr ul",
  ]
    .join(" ")
    .split(" "),
);
/** Elements that are not text of the page. */
const SKIPPED = new Set(
  "head script style template noscript nav iframe object embed svg annotation annotation-xml rt rp select".split(
    " ",
  ),
);

/** Parts of a book that only lead to others: tables of contents, and its index of words. */
const LEADS_ELSEWHERE =
  /(?:^|\s)(?:toc|index(?:-group|-entry-list)?|landmarks|page-list|lo[aitv])(?:\s|$)/u;

/**
 * Makes blocks of the elements of a page. On a page of a book, whose `titles` are known, paragraphs that are titles are
 * headings; lists and headings that only lead to other pages are left out, and so are numbers of paragraphs.
 */
export class HtmlBody {
  readonly #writer: DocumentWriter;
  readonly #lines: BlockLines;
  readonly #titles: PageTitles | undefined;
  /** `#lines`, or what keeps an open list until it is known whether it is part of a table of contents. */
  #blocks: Blocks;
  #list: DeferredBlocks | undefined;
  /** Letters of the open heading or outermost list, and those of them in links to other pages. */
  #letters = 0;
  #linked = 0;
  #isInLink = false;
  /** Whether the open block has only links within the page: that of a number of a paragraph leads to the paragraph. */
  #isMark = true;
  #isInMark = false;
  readonly #lists: List[] = [];
  readonly #tables = new OpenTables();
  #text = "";
  #endsInSpace = true;
  /** Open elements of `pre`. */
  #pre = 0;
  /** The outermost open note, and the open elements of its name in it, with it. */
  #box: { readonly name: string; depth: number } | undefined;
  #language = "";
  /** Open elements in one that is skipped, with it. */
  #skipped = 0;

  constructor(writer: DocumentWriter, titles?: PageTitles) {
    this.#writer = writer;
    this.#lines = new BlockLines(writer);
    this.#blocks = this.#lines;
    this.#titles = titles;
  }

  open(name: string, attributes: HtmlAttributes): void {
    if (this.#skipped > 0 || SKIPPED.has(name) || isHidden(attributes)) {
      this.#skipped += 1;
      return;
    }
    if (this.#pre > 0 && (name === "code" || name === "span")) {
      if (this.#language === "") this.#language = codeLanguageOf(attributes["class"] ?? "");
      return;
    }
    if (BLOCKS.has(name)) this.#flush();
    this.#openBox(name, attributes);
    if (name === "a") this.#openLink(attributes["href"] ?? "");
    this.#openElement(name, attributes);
  }

  text(text: string): void {
    if (this.#skipped > 0 || this.#text.length > MAX_DOCUMENT_TEXT_CHARS) return;
    const letters = text.trim().length;
    this.#letters += letters;
    if (this.#isInLink) this.#linked += letters;
    if (letters > 0 && !this.#isInMark) this.#isMark = false;
    if (this.#pre > 0) {
      this.#text += text;
      return;
    }
    const spaced = text.replace(/[ \t\r\n\f]+/gu, " ");
    if (spaced === "") return;
    this.#text += this.#endsInSpace && spaced.startsWith(" ") ? spaced.slice(1) : spaced;
    this.#endsInSpace = spaced.endsWith(" ");
  }

  close(name: string): void {
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return;
    }
    if (name === "a") {
      this.#isInLink = false;
      this.#isInMark = false;
    }
    if (name === "pre") this.#closeCode();
    else if (/^h[1-6]$/u.test(name)) this.#closeHeading(Number(name[1]));
    else if (BLOCKS.has(name)) this.#flush();
    this.#closeStructure(name);
    if (this.#box?.name === name) this.#closeBox(this.#box);
  }

  /** Must be called at the end of the page. */
  end(): void {
    this.#flush();
    this.#writeList();
    this.#blocks.end();
  }

  #openElement(name: string, attributes: HtmlAttributes): void {
    if (name === "br") this.#breakLine();
    else if (name === "img") this.#addImage(attributes["alt"] ?? "");
    else if (name === "pre") this.#openCode(attributes);
    else if (/^h[1-6]$/u.test(name)) this.#startLetters();
    else if (name === "div") this.#openDivision(attributes["class"] ?? "");
    else this.#openStructure(name, attributes);
  }

  #openBox(name: string, attributes: HtmlAttributes): void {
    if (this.#box?.name === name) this.#box.depth += 1;
    else if (this.#box === undefined && isNote(name, attributes)) this.#box = { name, depth: 1 };
  }

  #closeBox(box: { depth: number }): void {
    box.depth -= 1;
    if (box.depth === 0) this.#box = undefined;
  }

  #openLink(link: string): void {
    this.#isInLink = isToOtherPage(link);
    this.#isInMark = link.startsWith("#");
  }

  #openStructure(name: string, attributes: HtmlAttributes): void {
    if (name === "ul" || name === "ol" || name === "menu" || name === "dir") {
      this.#openList(name === "ol", Number.parseInt(attributes["start"] ?? "1", 10));
    } else if (name === "li") this.#openItem();
    else if (name === "table") this.#tables.open();
    else if (name === "tr") this.#tables.openRow();
    else if (name === "td" || name === "th") this.#tables.openCell();
  }

  /** Sphinx and others name the language of code outside of `pre`. */
  #openDivision(className: string): void {
    if (/highlight|language|source|src/iu.test(className)) {
      this.#language = codeLanguageOf(className) || this.#language;
    }
  }

  #openList(isNumbered: boolean, start: number): void {
    if (this.#titles !== undefined && this.#lists.length === 0 && this.#tables.isEmpty) {
      this.#startLetters();
      this.#list = new DeferredBlocks();
      this.#blocks = this.#list;
    }
    const count = start >= 0 && start <= MAX_START ? start - 1 : 0;
    this.#lists.push({ isNumbered, count, isItemNew: false });
  }

  #openItem(): void {
    const list = this.#lists.at(-1);
    if (list === undefined) return;
    list.count += 1;
    list.isItemNew = true;
  }

  #breakLine(): void {
    this.#text += "\n";
    this.#endsInSpace = true;
  }

  #addImage(alt: string): void {
    const text = alt.replace(/\s+/gu, " ").trim();
    if (text !== "") this.text(`[Image: ${text}]`);
  }

  #openCode(attributes: HtmlAttributes): void {
    this.#pre += 1;
    const own = codeLanguageOf(attributes["class"] ?? "");
    if (own !== "") this.#language = own;
  }

  #closeCode(): void {
    if (this.#pre > 1) this.#pre -= 1;
    else {
      const text = this.#takeText().replace(/^\r?\n/u, "");
      this.#pre = 0;
      const { cell } = this.#tables;
      if (cell !== undefined) cell.push(text);
      else {
        this.#writeList();
        this.#blocks.end();
        this.#writer.code(text, this.#language);
      }
      this.#language = "";
    }
  }

  #closeHeading(level: number): void {
    // What follows a note belongs to the section around it.
    if (!this.#tables.isEmpty || this.#pre > 0 || this.#box !== undefined) {
      this.#flush();
      return;
    }
    const title = this.#takeText();
    const isElsewhere = this.#titles?.see(title, level) === "elsewhere";
    if (!isElsewhere || !this.#isNavigation()) this.#blocks.heading(level, title);
  }

  #startLetters(): void {
    if (this.#list !== undefined) return;
    this.#letters = 0;
    this.#linked = 0;
  }

  #isNavigation(): boolean {
    return onlyLeadsElsewhere(this.#linked, this.#letters);
  }

  /** Writes the open list as far as it is known. */
  #writeList(): void {
    this.#blocks = this.#lines;
    this.#list?.moveTo(this.#lines);
    this.#list = undefined;
  }

  #closeStructure(name: string): void {
    if (name === "ul" || name === "ol" || name === "menu" || name === "dir") {
      this.#lists.pop();
      if (this.#lists.length === 0 && this.#tables.isEmpty) this.#closeList();
    } else if (name === "td" || name === "th") this.#tables.closeCell();
    else if (name === "tr") this.#closeRow();
    else if (name === "table" && this.#tables.close()) this.#blocks.end();
  }

  #closeList(): void {
    if (this.#isNavigation()) this.#list = undefined;
    this.#writeList();
    this.#blocks.end();
  }

  #takeText(): string {
    const text = this.#text;
    this.#text = "";
    this.#endsInSpace = true;
    this.#isMark = true;
    return text;
  }

  /** Ends a paragraph. */
  #flush(): void {
    if (this.#pre > 0) return;
    const isMark = this.#isMark && this.#titles !== undefined;
    const text = this.#takeText().replace(/ +$/gmu, "").trim();
    if (text === "" || (isMark && /^\d+$/u.test(text))) return;
    this.#language = "";
    const marker = this.#takeMarker();
    const { cell } = this.#tables;
    if (cell !== undefined) cell.push(`${marker} ${text}`.trim());
    else if (marker !== "") this.#blocks.item(text, this.#lists.length - 1, marker);
    else {
      const level = this.#titles?.take(text);
      if (level === undefined) this.#blocks.paragraph(text);
      else this.#blocks.heading(level, text);
    }
  }

  /** Returns the mark of the item that begins here; "" if none does. */
  #takeMarker(): string {
    const list = this.#lists.at(-1);
    if (list?.isItemNew !== true) return "";
    list.isItemNew = false;
    return list.isNumbered ? `${list.count}.` : "-";
  }

  #closeRow(): void {
    const { cells = [], around } = this.#tables.closeRow() ?? {};
    const filled = cells.filter((cell) => cell.trim() !== "");
    const isLayout = filled.length === 1 || cells.some((cell) => cell.length > MAX_CELL_CHARS);
    if (isLayout) {
      for (const cell of filled) {
        if (around === undefined) this.#blocks.paragraph(cell);
        else around.push(cell);
      }
    } else if (around !== undefined) around.push(rowLine(cells));
    else if (cells.length > 0) this.#blocks.row(cells);
  }
}

/** Whether nobody sees the element. Numbers of lines next to code are not text of it. */
function isHidden(attributes: HtmlAttributes): boolean {
  return (
    Object.hasOwn(attributes, "hidden") ||
    LEADS_ELSEWHERE.test(attributes["epub:type"] ?? "") ||
    /display:\s?none/iu.test(attributes["style"] ?? "") ||
    /\blinenos?\b/u.test(attributes["class"] ?? "")
  );
}
