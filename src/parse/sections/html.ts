// The headings of HTML and of templates that become HTML, with the ids that links go to. Tags are found one by one, so
// that a page without end tags, or with those of a template in between, is read as far as possible.
import { isNoteClass } from "../../base/documents/note-boxes.ts";
import type { ParsedOutline } from "../languages/definition-rules.ts";
import { parseLineOutline } from "../symbols/line-outline.ts";
import type { TextLines } from "../text-lines.ts";
import { textOfMarkup } from "./html-text.ts";
import {
  labelEntry,
  MAX_TITLE_CHARS,
  nestParts,
  tidyTitle,
  type Entry,
  type FoundParts,
  type Heading,
} from "./section-parts.ts";

const MAX_TAG_CHARS = 8000;
const MAX_ATTRIBUTE_CHARS = 1000;
/** Longer headings with their markup are not read to their end. */
const MAX_HEADING_CHARS = 4000;
const MAX_NAME_CHARS = 120;
/** Lines above a heading that only open what it is the heading of. */
const MAX_LEAD_LINES = 5;
/** Extra cost of a cut in preformatted text. */
const CUT_IN_CODE = 20;
const MAX_CUT = 250;

/** Elements whose content is not markup. */
const RAW = new Set(["script", "style", "textarea", "xmp"]);
/** Parts of a page that lead to other pages: their headings are not headings of its text. */
const ASIDE = new Set(["nav", "footer", "aside"]);
const MAY_BE_ASIDE = new Set(["div", "header", "section", "table", "ul"]);
const ASIDE_ROLE = /\srole\s*=\s*["']?(?:navigation|contentinfo|complementary|search|dialog)\b/iu;
const ID = /\s(?:id|name)\s*=\s*["']?([\p{L}\p{N}_][\p{L}\p{N}_:.-]{0,119})/iu;
const CLASS = /\sclass\s*=\s*["']([^"'<>]{1,200})/iu;
/** Footnotes, lines of code, and sections by their numbers. */
const NUMBERED_ID =
  /^(?:cb|cite_note|cite_ref|fn|fnref|footnote|ftn|id|idm|idp|index|l|line|note|ref|s|sec|section|toc)?[-_:.]?\d[\d._:-]*$/iu;
const SECTION_NUMBER =
  /^(?:(?:chapter|appendix|part|section)\s+)?(?:[A-Z]|\d+)(?:\.\d+)*\.?\s+(?=\S)/iu;
const TAG_NAME = /\/?[A-Za-z][A-Za-z0-9-]{0,30}(?=[\s/>]|$)/y;
const LEAD_LINE =
  /^\s*(?:<(?:section|div|article|main|header|hgroup|a|span)\b[^<>]{0,400}>\s*(?:<\/(?:a|span)>)?\s*)+$/iu;
const TEMPLATE_LINE = /\{%-?\s*(macro|block)\s+([\w.]{1,120})/gu;

/** Returns the sections of HTML, and its cut points by indentation. */
export function parseHtmlOutline(lines: TextLines): ParsedOutline {
  const found = htmlParts(lines);
  const { cuts } = parseLineOutline(lines, "html");
  for (let line = 2; line <= lines.count; line += 1) {
    const cut = cuts[line - 1] ?? 0;
    const isInside = found.verbatim[line] === 1 && found.verbatim[line - 1] === 1;
    if (isInside && cut !== 0) cuts[line - 1] = Math.min(MAX_CUT, cut + CUT_IN_CODE);
  }
  return { definitions: nestParts(found, lines), cuts };
}

/** Finds the headings of HTML, and elements with an id, as labels. Macros and blocks of templates are entries. */
export function htmlParts(lines: TextLines): FoundParts {
  const page = new HtmlPage(lines);
  page.read();
  const entries = [...namedEntries(page), ...templateEntries(lines)];
  entries.sort((one, other) => one.line - other.line);
  return { headings: page.headings, verbatim: page.verbatim, entries };
}

interface Tag {
  /** In lower case; with a slash before it if it ends an element. */
  readonly name: string;
  readonly start: number;
  /** Offset after the tag. */
  readonly end: number;
}

class HtmlPage {
  readonly headings: Heading[] = [];
  readonly entries: Entry[] = [];
  readonly verbatim: Uint8Array;
  readonly #lines: TextLines;
  readonly #text: string;
  /** The line of the last offset. */
  #line = 1;
  /** No tag ends between the last one and this offset. */
  #searchedTo = 0;
  /** The end of the last note in a box: a heading before it does not begin a section. */
  #noteEnd = 0;
  /** Elements of these names are not left out: one of them has no end. */
  readonly #unclosed = new Set<string>();

  constructor(lines: TextLines) {
    this.#lines = lines;
    this.#text = lines.text;
    this.verbatim = new Uint8Array(lines.count + 2);
  }

  read(): void {
    for (let tag = this.#next(0); tag !== undefined;) {
      tag = this.#next(this.#readTag(tag));
    }
  }

  /** Returns the offset at which to go on. */
  #readTag(tag: Tag): number {
    const { name, end } = tag;
    if (RAW.has(name)) return this.#endOfRaw(name, end);
    const attributes = this.#text.slice(tag.start + name.length + 1, end - 1);
    if (/^h[1-6]$/.test(name)) return this.#addHeading(tag);
    if (name === "div") this.#openNote(end, attributes);
    if (name === "pre") this.#markCode(tag);
    const id = name.startsWith("/") || attributes === "" ? undefined : ID.exec(attributes)?.[1];
    if (id !== undefined && (name === "a" || !/\sname\s*=/iu.test(attributes))) {
      this.entries.push(labelEntry(this.#lineOf(tag.start), id));
    }
    const isAside = ASIDE.has(name) || (MAY_BE_ASIDE.has(name) && ASIDE_ROLE.test(attributes));
    return (isAside ? this.#endOfElement(name, end) : undefined) ?? end;
  }

  #openNote(end: number, attributes: string): void {
    if (end < this.#noteEnd || !isNoteClass(CLASS.exec(attributes)?.[1] ?? "")) return;
    this.#noteEnd = this.#endOfElement("div", end) ?? end;
  }

  #addHeading(tag: Tag): number {
    if (tag.start < this.#noteEnd) return tag.end;
    const text = this.#text;
    const limit = Math.min(text.length, tag.end + MAX_HEADING_CHARS);
    const rest = text.slice(tag.end, limit);
    let close = rest.search(/<\/?h[1-6]\b/iu);
    // Without an end tag, the heading ends at the next block.
    if (rest[close + 1] !== "/")
      close = rest.search(/<\/?(?:h[1-6]|p|div|section|body|table|ul)\b/iu);
    if (close === -1 && limit < text.length) return tag.end;
    const content = close === -1 ? rest : rest.slice(0, close);
    const title = tidyTitle(textOfMarkup(content.slice(0, MAX_TITLE_CHARS * 4)));
    if (title === "") return tag.end;
    const line = this.#lineOf(tag.start);
    const startLine = this.#startOf(line);
    const id = ID.exec(`${text.slice(tag.start + 3, tag.end - 1)} ${content.slice(0, 400)}`)?.[1];
    this.headings.push({ startLine, line, level: Number(tag.name[1]), title });
    if (id !== undefined) this.entries.push(labelEntry(line, id));
    return close === -1 ? tag.end : tag.end + close;
  }

  /** The first line of the tags above a heading that open its section and name it. */
  #startOf(heading: number): number {
    const last = this.headings.at(-1)?.line ?? 0;
    let line = heading;
    while (line - 1 > last && heading - line < MAX_LEAD_LINES) {
      const start = this.#lines.starts[line - 2] ?? 0;
      if (this.#lines.endOf(line - 1) - start > 500) break;
      if (!LEAD_LINE.test(this.#lines.at(line - 1))) break;
      line -= 1;
    }
    return line;
  }

  #markCode(tag: Tag): void {
    const end = this.#endOfRaw("pre", tag.end);
    const first = this.#lineOf(tag.start);
    let last = first;
    while (last < this.#lines.count && (this.#lines.starts[last] ?? Infinity) < end) last += 1;
    this.verbatim.fill(1, first, last + 1);
  }

  /** Returns the offset of the end tag of that name; the end of the text if there is none. */
  #endOfRaw(name: string, from: number): number {
    if (this.#unclosed.has(name)) return from;
    const pattern = new RegExp(`</${name}(?=[\\s>/])`, "giu");
    pattern.lastIndex = from;
    const match = pattern.exec(this.#text);
    if (match !== null) return match.index;
    this.#unclosed.add(name);
    return from;
  }

  /** Returns the offset after an element; undefined if it has no end. */
  #endOfElement(name: string, from: number): number | undefined {
    if (this.#unclosed.has(name)) return undefined;
    let depth = 1;
    for (let tag = this.#next(from); tag !== undefined; tag = this.#next(tag.end)) {
      if (tag.name === name) depth += 1;
      else if (tag.name === `/${name}`) depth -= 1;
      if (depth === 0) return tag.end;
    }
    this.#unclosed.add(name);
    return undefined;
  }

  #next(from: number): Tag | undefined {
    const text = this.#text;
    for (let start = text.indexOf("<", from); start !== -1; start = text.indexOf("<", start + 1)) {
      if (text.startsWith("<!--", start) && !this.#unclosed.has("!--")) {
        const end = text.indexOf("-->", start + 4);
        if (end === -1) this.#unclosed.add("!--");
        else start = end + 2;
        continue;
      }
      TAG_NAME.lastIndex = start + 1;
      const name = TAG_NAME.exec(text)?.[0].toLowerCase();
      if (name === undefined) continue;
      return { name, start, end: this.#endOfTag(start + 1 + name.length) };
    }
    return undefined;
  }

  /** Returns the offset after the `>` of a tag. One in a value, as templates have it, does not end the tag. */
  #endOfTag(from: number): number {
    const text = this.#text;
    const limit = Math.min(text.length, from + MAX_TAG_CHARS);
    for (let at = Math.max(from, this.#searchedTo); at < limit; at += 1) {
      const code = text.charCodeAt(at);
      if (code === GREATER) return at + 1;
      // The next tag: this one has no end.
      if (code === LESS && /[A-Za-z/]/.test(text.charAt(at + 1))) return at;
      if (code !== QUOTE && code !== APOSTROPHE) continue;
      const value = text.slice(at + 1, at + 1 + MAX_ATTRIBUTE_CHARS);
      const length = value.indexOf(code === QUOTE ? '"' : "'");
      if (length !== -1) at += length + 1;
    }
    this.#searchedTo = limit;
    return from;
  }

  /** Offsets are mostly in the order of the text. */
  #lineOf(offset: number): number {
    const { starts, count } = this.#lines;
    while (this.#line > 1 && (starts[this.#line - 1] ?? 0) > offset) this.#line -= 1;
    while (this.#line < count && (starts[this.#line] ?? Infinity) <= offset) this.#line += 1;
    return this.#line;
  }
}

const LESS = 60;
const GREATER = 62;
const QUOTE = 34;
const APOSTROPHE = 39;

/** Returns the labels without those that generators number, and without those that repeat the heading after them. */
function namedEntries({ entries, headings }: HtmlPage): readonly Entry[] {
  let next = 0;
  return entries.filter(({ line, name }) => {
    while ((headings[next]?.line ?? Infinity) < line) next += 1;
    const heading = headings[next];
    if (NUMBERED_ID.test(name)) return false;
    return heading === undefined || line < heading.startLine || !repeats(name, heading.title);
  });
}

/** Whether the words of an id are those of a title, apart from the number of its section. */
function repeats(id: string, title: string): boolean {
  return wordsOf(id) === wordsOf(title.replace(SECTION_NUMBER, ""));
}

function wordsOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

function templateEntries({ text, count, starts }: TextLines): readonly Entry[] {
  if (!text.includes("{%")) return [];
  const entries: Entry[] = [];
  let line = 1;
  for (const { 1: word, 2: name = "", index } of text.matchAll(TEMPLATE_LINE)) {
    while (line < count && (starts[line] ?? Infinity) <= index) line += 1;
    const kind = word === "macro" ? "function" : "section";
    const isInline = true;
    const label = name.slice(0, MAX_NAME_CHARS);
    entries.push({ line, endLine: line, name: label, owner: undefined, kind, isInline });
  }
  return entries;
}
