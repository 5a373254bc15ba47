import { writeAddress, type Address } from "./address.ts";
import type { SearchResult } from "./search-response.ts";
import { linesOf, type Line } from "./code-lines.ts";
import { tokensOf } from "./code-tokens.ts";
import { button, element } from "./dom.ts";
import { previewOf } from "./preview.ts";
import { marksIn } from "./query-words.ts";
import { makeVisible } from "./make-visible.ts";

/** What a result needs to know of its search. */
export interface ResultContext {
  readonly searchQuery: Address["searchQuery"];
  /** Stems of the query's words, which are marked in the text. */
  readonly stems: ReadonlySet<string>;
  /** Announces a text to screen readers. */
  readonly announce: (text: string) => void;
}

/** How long the button shows that it has copied. */
const COPIED_MS = 1500;

/** Height in pixels of the search bar, which covers the top of the page. */
const BAR_HEIGHT = 72;

let count = 0;

/** One passage of a response. */
export class ResultView {
  readonly item: HTMLLIElement;
  readonly passage: SearchResult;
  readonly #article: HTMLElement;
  readonly #code: HTMLElement;
  readonly #rows: readonly HTMLElement[];
  readonly #collapsed: { readonly start: number; readonly end: number };
  readonly #expandButton: HTMLButtonElement;
  readonly #copy: HTMLButtonElement;
  readonly #announce: (text: string) => void;
  #isOpen = false;

  constructor(passage: SearchResult, { searchQuery, stems, announce }: ResultContext) {
    this.passage = passage;
    this.#announce = announce;
    count += 1;
    const id = `result-${count}`;
    const lines =
      passage.text === ""
        ? []
        : linesOf(
            passage.text,
            tokensOf(passage.text, passage.language),
            marksIn(passage.text, stems),
          );
    this.#rows = lines.map((line, at) => rowOf(line, addressOf(passage, at, searchQuery)));
    this.#collapsed = previewOf(lines);
    this.#code = element("div", { class: "code", id: `${id}-code` }, ...this.#rows);
    this.#expandButton = button("", { class: "expand", "aria-controls": `${id}-code` }, () =>
      this.toggle(),
    );
    this.#copy = button("Copy", { class: "copy" }, () => void this.copy());
    this.#copy.setAttribute("aria-label", `Copy ${this.#location()}`);
    this.#copy.title = "Copy path:line (c)";
    const heading = element("h2", { id }, ...headingOf(passage));
    const head = element("div", { class: "head" }, heading, this.#copy);
    const article = element("article", { class: "result", tabindex: "-1", "aria-labelledby": id });
    article.append(head, factsOf(passage));
    if (lines.length > 0) article.append(this.#code);
    else article.append(element("p", { class: "muted" }, "The lines are too long to show here."));
    if (this.#isCollapsible()) article.append(this.#expandButton);
    this.#article = article;
    this.item = element("li", {}, article);
    this.#draw();
    this.#setTabStop(this.#rows[this.#collapsed.start]);
  }

  get hasFocus(): boolean {
    return this.#article.contains(document.activeElement);
  }

  /** True while the result itself has the focus, not an element in it. */
  get isFocused(): boolean {
    return document.activeElement === this.#article;
  }

  focus(): void {
    this.#article.focus({ preventScroll: true });
    const isTall = this.#article.offsetHeight > window.innerHeight / 2;
    this.#article.scrollIntoView({ block: isTall ? "start" : "nearest" });
  }

  /** Expands or collapses the passage. */
  toggle(isOpen = !this.#isOpen): void {
    if (!this.#isCollapsible() || isOpen === this.#isOpen) return;
    this.#isOpen = isOpen;
    this.#draw();
    if (!isOpen) this.#article.scrollIntoView({ block: "nearest" });
  }

  /** Copies the location in the form that editors and compilers write. */
  async copy(): Promise<void> {
    const text = this.#location();
    const isDone = await copyText(text);
    this.#copy.textContent = isDone ? "Copied" : "No access";
    this.#announce(isDone ? `Copied ${text}` : "The browser does not allow this page to copy.");
    setTimeout(() => (this.#copy.textContent = "Copy"), COPIED_MS);
  }

  /** Marks a line and returns true if the passage contains it; undefined removes the mark. */
  mark(line: number | undefined): boolean {
    for (const row of this.#rows) {
      row.classList.remove("marked");
      row.firstElementChild?.removeAttribute("aria-current");
    }
    const at = line === undefined ? -1 : line - this.passage.start_line;
    const row = this.#rows[at];
    if (row === undefined) return false;
    if (at < this.#collapsed.start || at >= this.#collapsed.end) this.toggle(true);
    row.classList.add("marked");
    row.firstElementChild?.setAttribute("aria-current", "location");
    this.#setTabStop(row);
    return true;
  }

  /** Moves the focus to the marked line, and scrolls to it unless it is visible. */
  reveal(): void {
    const link = this.#article.querySelector<HTMLElement>(".marked > a");
    if (link === null) return;
    link.focus({ preventScroll: true });
    const { top, bottom } = link.getBoundingClientRect();
    const isSeen = top > BAR_HEIGHT && bottom < window.innerHeight;
    if (!isSeen) link.scrollIntoView({ block: "center", inline: "nearest" });
  }

  /**
   * Moves the focus from the focused line to the next (1) or previous (-1) one. Returns false when no line has it.
   */
  moveLine(step: 1 | -1): boolean {
    const at = this.#rows.findIndex((row) => row.firstElementChild === document.activeElement);
    if (at < 0) return false;
    const row = this.#rows[at + step];
    const link = row?.firstElementChild;
    if (row?.hidden === false && link instanceof HTMLElement) {
      this.#setTabStop(row);
      link.focus();
    }
    return true;
  }

  #location(): string {
    const { path, start_line } = this.passage;
    // Copied as shown: a line break in a file name would start a new command where the text is pasted.
    return `${makeVisible(path)}:${start_line}`;
  }

  #isCollapsible(): boolean {
    return this.#collapsed.end - this.#collapsed.start < this.#rows.length;
  }

  #draw(): void {
    const { start, end } = this.#collapsed;
    for (const [at, row] of this.#rows.entries())
      row.hidden = !this.#isOpen && (at < start || at >= end);
    this.#expandButton.setAttribute("aria-expanded", String(this.#isOpen));
    this.#expandButton.textContent = this.#isOpen
      ? "Show fewer lines"
      : `Show all ${this.#rows.length} lines`;
    // The line that Tab reaches must not be hidden.
    const stop = this.#rows.find((row) => row.firstElementChild?.getAttribute("tabindex") === "0");
    if (stop?.hidden === true) this.#setTabStop(this.#rows[start]);
  }

  /** Makes one line of the passage the tab stop; the arrow keys reach the others from there. */
  #setTabStop(stop: HTMLElement | undefined): void {
    for (const row of this.#rows) {
      row.firstElementChild?.setAttribute("tabindex", row === stop ? "0" : "-1");
    }
  }
}

function addressOf(
  passage: SearchResult,
  at: number,
  searchQuery: Address["searchQuery"],
): Address {
  return { searchQuery, at: { path: passage.path, line: passage.start_line + at } };
}

function rowOf(line: Line, address: Address): HTMLElement {
  const number = String(address.at?.line ?? "");
  const link = element("a", { class: "number", "aria-label": `Line ${number}` }, number);
  // A fragment of this page cannot lead elsewhere, whatever the path contains.
  link.href = writeAddress(address);
  const pieces = line.map(({ text, kind, isMarked }) => {
    if (isMarked) return element("mark", {}, makeVisible(text));
    return kind === undefined
      ? makeVisible(text)
      : element("span", { class: kind }, makeVisible(text));
  });
  return element(
    "div",
    { class: "line" },
    link,
    element("span", { class: "text" }, ...pieces, "\n"),
  );
}

function headingOf({ path, start_line, end_line }: SearchResult): readonly (Node | string)[] {
  const shown = makeVisible(path);
  const slash = shown.lastIndexOf("/") + 1;
  const lines = start_line === end_line ? `:${start_line}` : `:${start_line}-${end_line}`;
  return [
    element("bdi", { class: "folder" }, shown.slice(0, slash)),
    element("bdi", { class: "file" }, shown.slice(slash)),
    element("span", { class: "span" }, lines),
  ];
}

function factsOf({ symbol, kind, language, score, changed }: SearchResult): HTMLElement {
  const facts = element("p", { class: "facts" });
  if (symbol !== "") facts.append(element("bdi", { class: "symbol" }, makeVisible(symbol)));
  facts.append(element("span", { class: "fact" }, kind));
  if (language !== "") facts.append(element("span", { class: "fact" }, language));
  const title = "Score, comparable only within these results";
  facts.append(element("span", { class: "fact", title }, `score ${score.toFixed(1)}`));
  if (changed) facts.append(element("span", { class: "fact changed" }, "changed since indexing"));
  return facts;
}

async function copyText(text: string): Promise<boolean> {
  try {
    // A page that was not loaded securely has no clipboard.
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
