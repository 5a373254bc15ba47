// The parts of a page of HTML that lead to others, and are not part of its content: menus, the way to the page, and
// lists of its own headings. A manual has the same ones on each page.

const MAX_TAG_CHARS = 8000;
/** A longer part is text. */
const MAX_PART_CHARS = 200_000;
/** How many characters of a page may be read to find the ends of its parts, which may be nested. */
const READS_OF_PAGE = 8;
/** A part that is called a menu is one if more of its letters are in links. */
const MIN_LINKED = 0.5;
const PARTS = new Set("aside div dl footer header nav ol p section span table ul".split(" "));
const ROLE = /\srole\s*=\s*["']?(?:navigation|search|doc-toc)\b/iu;
const NAMED = /\s(?:class|id)\s*=\s*["']([^"'<>]{1,400})/giu;
/** Classes and ids that generators of manuals give to such parts. */
const NAME =
  /^(?:breadcrumbs?|contents|docnav|footer|header|menu\d?|nav|navbar|navfooter|navheader|navigation|sidebar|sphinxsidebar|toc\d?)$/iu;
const LINK = /<a\s[^<>]{0,2000}>([^<]*(?:<(?!\/a\b)[^<]*)*)/giu;
const MARKUP = /<[^<>]*>/gu;

interface Tag {
  /** In lower case. */
  readonly name: string;
  /** Offset of its `<`. */
  readonly start: number;
  /** Offset after its `>`. */
  readonly end: number;
}

/** Finds those parts of one page. */
export class PageNavigation {
  readonly #page: string;
  #charsLeft: number;

  constructor(page: string) {
    this.#page = page;
    this.#charsLeft = page.length * READS_OF_PAGE;
  }

  /** Returns the offset after the part that begins with this tag if it only leads elsewhere, otherwise undefined. */
  endOfPart({ name, start, end }: Tag): number | undefined {
    if (!PARTS.has(name) || end - start > MAX_TAG_CHARS) return undefined;
    const tag = this.#page.slice(start, end);
    if (tag.startsWith("</")) return undefined;
    const isMarked = name === "nav" || ROLE.test(tag);
    if (!isMarked && !isCalledMenu(tag)) return undefined;
    const close = this.#endOfElement(name, end);
    if (close === undefined) return undefined;
    return isMarked || isMostlyLinks(this.#page.slice(end, close)) ? close : undefined;
  }

  /** Returns the offset after an element; undefined if it has no end, or is too long. */
  #endOfElement(name: string, from: number): number | undefined {
    const limit = from + Math.min(MAX_PART_CHARS, this.#charsLeft);
    const part = this.#page.slice(from, limit);
    let depth = 1;
    for (const tag of part.matchAll(new RegExp(`<(/?)${name}(?=[\\s/>])`, "giu"))) {
      depth += tag[1] === "/" ? -1 : 1;
      if (depth > 0) continue;
      this.#charsLeft -= tag.index;
      const close = this.#page.indexOf(">", from + tag.index);
      return close === -1 ? undefined : close + 1;
    }
    this.#charsLeft -= part.length;
    return undefined;
  }
}

function isCalledMenu(tag: string): boolean {
  for (const [, names = ""] of tag.matchAll(NAMED)) {
    if (names.split(/[\s_-]+/u).some((name) => NAME.test(name))) return true;
  }
  return false;
}

function isMostlyLinks(part: string): boolean {
  let linked = 0;
  for (const [, text = ""] of part.matchAll(LINK)) linked += lettersOf(text);
  return linked > lettersOf(part) * MIN_LINKED;
}

function lettersOf(markup: string): number {
  return markup.replaceAll(MARKUP, "").match(/\p{L}/gu)?.length ?? 0;
}
