// The titles of a page that are known from outside of it: from the table of contents of a book. Some books have no other
// headings, only paragraphs in bold letters.

/** A longer paragraph is not a title. */
const MAX_TITLE_CHARS = 400;

/** A title in a table of contents. */
export interface PageTitle {
  readonly title: string;
  /** 1 for the outermost level. */
  readonly level: number;
}

/** The titles of one page that have not been seen on it yet. */
export class PageTitles {
  readonly #levels = new Map<string, number>();
  readonly #all: ReadonlySet<string>;
  /** What the level of a heading on the page is above that in the table of contents. */
  #offset = 0;

  /** `all`: the shapes of the titles of all pages. */
  constructor(titles: readonly PageTitle[], all: ReadonlySet<string>) {
    this.#all = all;
    for (const { title, level } of titles) {
      const shape = titleLetters(title);
      if (shape !== "" && !this.#levels.has(shape)) this.#levels.set(shape, level);
    }
  }

  /** Returns the level of a paragraph that is one of the titles; undefined if it is not one. Each title is one heading. */
  take(paragraph: string): number | undefined {
    const level = this.#remove(paragraph);
    return level === undefined ? undefined : Math.max(1, level + this.#offset);
  }

  /** Takes note of a heading of the page. Titles below it have levels below its own. Returns where its title leads to. */
  see(heading: string, level: number): "here" | "elsewhere" | undefined {
    const known = this.#remove(heading);
    if (known === undefined) return this.#all.has(titleLetters(heading)) ? "elsewhere" : undefined;
    this.#offset = level - known;
    return "here";
  }

  #remove(text: string): number | undefined {
    if (this.#levels.size === 0 || text.length > MAX_TITLE_CHARS) return undefined;
    const shape = titleLetters(text);
    const level = this.#levels.get(shape);
    this.#levels.delete(shape);
    return level;
  }
}

/** Returns the letters and digits of a title: pages and tables of contents differ in spaces and quotes. */
export function titleLetters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, "");
}
