import { fileAddress, writeAddress } from "./address.ts";
import { copyText } from "./clipboard.ts";
import { codeRow, pathParts } from "./code-row.ts";
import { button, element, link } from "./dom.ts";
import { makeVisible } from "./make-visible.ts";
import type { SearchQuery } from "./search-query.ts";
import type { FoldedFiles, ShownResult } from "./shown-result.ts";

/** What a result needs to know of its search. */
export interface ResultContext {
  readonly searchQuery: SearchQuery;
  /** Whether results of several namespaces may be on the page. */
  readonly hasSeveralNamespaces: boolean;
  /** Announces a text to screen readers. */
  readonly announce: (text: string) => void;
}

let count = 0;

/** One result. */
export class ResultView {
  readonly item: HTMLLIElement;
  readonly result: ShownResult;
  readonly #article: HTMLElement;
  readonly #title: HTMLAnchorElement;
  readonly #rows: readonly HTMLElement[];
  readonly #expandButton: HTMLButtonElement;
  readonly #copy: HTMLButtonElement;
  readonly #context: ResultContext;
  #isOpen = false;

  constructor(result: ShownResult, context: ResultContext) {
    this.result = result;
    this.#context = context;
    count += 1;
    const id = `result-${count}`;
    const { path, lines } = result;
    this.#rows = lines.map(({ number, line, isHit }) => {
      const row = codeRow(number, line, this.#addressOf(number));
      row.classList.toggle("hit", isHit);
      return row;
    });
    this.#title = link(this.#addressOf(result.target), { class: "path" }, ...pathParts(path));
    const location = element("span", { class: "span" }, lineSpan(result));
    const heading = element("h2", { id }, this.#title, location);
    this.#copy = button("Copy", { class: "copy" }, () => void this.copy());
    this.#copy.setAttribute("aria-label", `Copy ${this.#location()}`);
    this.#copy.title = "Copy path:line (c)";
    const head = element("div", { class: "head" }, heading, this.#copy);
    const article = element("article", { class: "result", tabindex: "-1", "aria-labelledby": id });
    article.append(head, this.#facts(), ...result.folded.map((files) => this.#foldedFiles(files)));
    if (result.note !== "")
      article.append(element("p", { class: "note" }, makeVisible(result.note)));
    const code = element("div", { class: "code", id: `${id}-code` }, ...this.#rows);
    if (lines.length > 0) article.append(code);
    this.#expandButton = button("", { class: "expand", "aria-controls": code.id }, () =>
      this.toggle(),
    );
    if (this.#isCollapsible()) article.append(this.#expandButton);
    this.#article = article;
    this.item = element("li", {}, article);
    this.#draw();
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

  /** Opens the file at the line that matches. */
  open(): void {
    this.#title.click();
  }

  /** Expands or collapses the result. */
  toggle(): void {
    if (!this.#isCollapsible()) return;
    this.#isOpen = !this.#isOpen;
    this.#draw();
    if (!this.#isOpen) this.#article.scrollIntoView({ block: "nearest" });
  }

  /** Copies the location in the form that editors and compilers write. */
  async copy(): Promise<void> {
    await copyText(this.#location(), this.#copy, this.#context.announce);
  }

  /**
   * Moves the focus from the focused line to the next (1) or previous (-1) one. Returns false when no line has it.
   */
  moveLine(step: 1 | -1): boolean {
    const visible = this.#rows.filter(({ hidden }) => !hidden);
    const at = visible.findIndex((row) => row.firstElementChild === document.activeElement);
    if (at < 0) return false;
    const row = visible[at + step];
    const number = row?.firstElementChild;
    if (row !== undefined && number instanceof HTMLElement) {
      this.#setTabStop(row);
      number.focus();
    }
    return true;
  }

  #addressOf(line: number): `#${string}` {
    const { path, namespace } = this.result;
    const { text } = this.#context.searchQuery;
    const file = fileAddress(path, { start: line, end: line });
    return writeAddress({ searchQuery: { text, namespace }, file });
  }

  #location(): string {
    const { path, target, place } = this.result;
    if (place !== "") return makeVisible(place);
    // Copied as shown: a line break in a file name would start a new command where the text is pasted.
    return `${makeVisible(path)}:${target}`;
  }

  #facts(): HTMLElement {
    const { symbol, facts, isChanged, namespace } = this.result;
    const shown = element("p", { class: "facts" });
    if (this.#context.hasSeveralNamespaces) {
      shown.append(element("bdi", { class: "fact namespace" }, makeVisible(namespace)));
    }
    if (symbol !== "") shown.append(element("bdi", { class: "symbol" }, makeVisible(symbol)));
    shown.append(...facts.map((fact) => element("span", { class: "fact" }, fact)));
    if (isChanged)
      shown.append(element("span", { class: "fact changed" }, "changed since indexing"));
    return shown;
  }

  #foldedFiles({ title, paths }: FoldedFiles): HTMLElement {
    const { namespace } = this.result;
    const { text } = this.#context.searchQuery;
    const items = paths.map((path) => {
      const file = fileAddress(path);
      const address = writeAddress({ searchQuery: { text, namespace }, file });
      return element("li", {}, link(address, { class: "path" }, ...pathParts(path)));
    });
    const list = element("ul", {}, ...items);
    return element("details", { class: "folded" }, element("summary", {}, title), list);
  }

  #isCollapsible(): boolean {
    return this.result.lines.some(({ isPreview }) => !isPreview);
  }

  #draw(): void {
    let previous: number | undefined;
    for (const [at, row] of this.#rows.entries()) {
      const { isPreview = true, number = 0 } = this.result.lines[at] ?? {};
      row.hidden = !this.#isOpen && !isPreview;
      row.classList.toggle(
        "after-gap",
        !row.hidden && previous !== undefined && number > previous + 1,
      );
      if (!row.hidden) previous = number;
    }
    this.#expandButton.setAttribute("aria-expanded", String(this.#isOpen));
    this.#expandButton.textContent = this.#isOpen
      ? "Show fewer lines"
      : `Show all ${this.#rows.length} lines`;
    const stop = this.#rows.find((row) => row.firstElementChild?.getAttribute("tabindex") === "0");
    // The line that Tab reaches must not be hidden.
    if (stop === undefined || stop.hidden)
      this.#setTabStop(this.#rows.find(({ hidden }) => !hidden));
  }

  /** Makes one line the tab stop; the arrow keys reach the others from there. */
  #setTabStop(stop: HTMLElement | undefined): void {
    for (const row of this.#rows) {
      row.firstElementChild?.setAttribute("tabindex", row === stop ? "0" : "-1");
    }
  }
}

function lineSpan({ path, start, end, place }: ShownResult): string {
  if (start === 0) return "";
  if (place !== "") return makeVisible(place.slice(path.length));
  return start === end ? `:${start}` : `:${start}-${end}`;
}
