// The lines of a file. A long file is many blocks of plain text at first, which the browser shows at once and can search;
// a block gets its links and colors when it comes near the screen.
import { rangeOf, type MarkedLines } from "./address.ts";
import { linesOf } from "./code-lines.ts";
import { codeRow } from "./code-row.ts";
import { tokensWithin } from "./code-colors.ts";
import type { Token } from "./code-tokens.ts";
import { element } from "./dom.ts";
import { makeVisible } from "./make-visible.ts";

const BLOCK_LINES = 100;
/** How far from the screen a block gets its colors, in pixels. */
const NEAR = 800;

/** A position in the text of a file: 1-based, the column in UTF-16 code units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** A name on a line. */
export interface PlacedName extends TextPosition {
  readonly name: string;
}

interface Block {
  readonly node: HTMLElement;
  /** 0-based. */
  readonly first: number;
  /** Where its text begins in the file. */
  readonly start: number;
  isReady: boolean;
}

export interface CodePaneOptions {
  readonly pane: HTMLElement;
  readonly addressOf: (lines: MarkedLines) => `#${string}`;
}

export class CodePane {
  readonly #options: CodePaneOptions;
  readonly #observer: IntersectionObserver;
  #lines: readonly string[] = [];
  #blocks: readonly Block[] = [];
  #tokens: readonly Token[] = [];
  #marked: MarkedLines | undefined;

  constructor(options: CodePaneOptions) {
    this.#options = options;
    const { pane } = options;
    this.#observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          const block = this.#blocks.find(({ node }) => node === target);
          if (isIntersecting && block !== undefined) this.#prepare(block);
        }
      },
      { root: pane, rootMargin: `${NEAR}px 0px` },
    );
    pane.addEventListener("click", (event) => {
      const number = event.target instanceof Element ? event.target.closest(".number") : null;
      if (number === null || !event.shiftKey) return;
      event.preventDefault();
      this.#extendTo(Number(number.textContent));
    });
    // Paper has room for all colors.
    window.addEventListener("beforeprint", () => {
      for (const block of this.#blocks) this.#prepare(block);
    });
  }

  get lineCount(): number {
    return this.#lines.length;
  }

  /** Shows a text; its colors come later. */
  show(text: string): void {
    this.#observer.disconnect();
    this.#lines = text === "" ? [] : text.split("\n");
    this.#tokens = [];
    this.#marked = undefined;
    const blocks: Block[] = [];
    let start = 0;
    for (let first = 0; first < this.#lines.length; first += BLOCK_LINES) {
      const lines = this.#lines.slice(first, first + BLOCK_LINES);
      blocks.push({ node: plainBlock(lines, first), first, start, isReady: false });
      start += lines.reduce((sum, line) => sum + line.length + 1, 0);
    }
    this.#blocks = blocks;
    const { pane } = this.#options;
    pane.replaceChildren(...blocks.map(({ node }) => node));
    pane.scrollTo(0, 0);
    for (const { node } of blocks) this.#observer.observe(node);
  }

  set tokens(tokens: readonly Token[]) {
    this.#tokens = tokens;
    for (const block of this.#blocks) {
      if (!block.isReady) continue;
      block.isReady = false;
      this.#prepare(block);
    }
  }

  /** Marks lines and scrolls to them unless they are visible; undefined removes the mark. */
  mark(lines: MarkedLines | undefined): void {
    const before = this.#marked;
    this.#marked = lines;
    for (const range of [before, lines]) {
      for (let line = range?.start ?? 1; line <= (range?.end ?? 0); line += 1) this.#markRow(line);
    }
    if (lines !== undefined) this.reveal(lines.start);
  }

  /** Scrolls to a line unless it is visible. */
  reveal(line: number): void {
    const row = this.row(line);
    if (row === undefined) return;
    const { top, bottom } = row.getBoundingClientRect();
    const frame = this.#options.pane.getBoundingClientRect();
    if (top < frame.top || bottom > frame.bottom)
      row.scrollIntoView({ block: "center", inline: "start" });
  }

  /** The element of a line, with its link; undefined if there is no such line. */
  row(line: number): HTMLElement | undefined {
    const block = this.#blocks[Math.floor((line - 1) / BLOCK_LINES)];
    if (block === undefined) return undefined;
    this.#prepare(block);
    const row = block.node.children[(line - 1) % BLOCK_LINES];
    return row instanceof HTMLElement ? row : undefined;
  }

  /** The line that has the focus; 0 if none has. */
  get focusedLine(): number {
    const { activeElement } = document;
    const isNumber = activeElement?.classList.contains("number") === true;
    const isHere = isNumber && this.#options.pane.contains(activeElement);
    return isHere ? Number(activeElement.textContent) : 0;
  }

  /** Moves the focus to another line: from the focused one, else the marked one, else the first visible one. */
  moveLine(step: number): void {
    const focused = this.focusedLine;
    const from = focused === 0 ? (this.#marked?.start ?? this.#firstVisible()) - step : focused;
    const line = Math.min(Math.max(1, from + step), this.#lines.length);
    const number = this.row(line)?.firstElementChild;
    if (!(number instanceof HTMLElement)) return;
    number.focus({ preventScroll: true });
    number.scrollIntoView({ block: "nearest" });
  }

  /** The name at a point of the screen; undefined if there is none. */
  nameAt(x: number, y: number): PlacedName | undefined {
    const caret = document.caretPositionFromPoint(x, y);
    const node = caret?.offsetNode;
    const around = node instanceof Element ? node : node?.parentElement;
    const text = around?.closest(".text");
    const row = text?.parentElement;
    if (caret === null || node === undefined || text === null || text === undefined)
      return undefined;
    if (!this.#options.pane.contains(text)) return undefined;
    const line = Number(row?.firstElementChild?.textContent);
    const before = document.createRange();
    before.setStart(text, 0);
    before.setEnd(node, caret.offset);
    const source = this.#lines[line - 1] ?? "";
    return nameAround(source, line, sourceOffset(source, before.toString().length));
  }

  /** The names on a line, each once. */
  namesOn(line: number): readonly PlacedName[] {
    const all = namesIn(this.#lines[line - 1] ?? "", line);
    return all.filter(({ name }, at) => all.findIndex((one) => one.name === name) === at);
  }

  /** Whether a point is on this name: on a name, and not behind the end of its line. */
  boxOf({ line, column, name }: PlacedName): DOMRect | undefined {
    const text = this.row(line)?.querySelector(".text");
    if (text === null || text === undefined) return undefined;
    const source = this.#lines[line - 1] ?? "";
    const start = makeVisible(source.slice(0, column - 1)).length;
    return boxOfText(text, start, start + name.length);
  }

  #extendTo(line: number): void {
    const lines = rangeOf(this.#marked?.start ?? line, line);
    location.hash = this.#options.addressOf(lines);
  }

  #firstVisible(): number {
    const { top } = this.#options.pane.getBoundingClientRect();
    const block = this.#blocks.find(({ node }) => node.getBoundingClientRect().bottom > top);
    if (block === undefined) return 1;
    this.#prepare(block);
    const rows = [...block.node.children];
    const at = rows.findIndex((row) => row.getBoundingClientRect().bottom > top + 1);
    return block.first + Math.max(0, at) + 1;
  }

  #prepare(block: Block): void {
    if (block.isReady) return;
    block.isReady = true;
    const lines = this.#lines.slice(block.first, block.first + BLOCK_LINES);
    const text = lines.join("\n");
    const tokens = tokensWithin(this.#tokens, block.start, block.start + text.length);
    const rows = linesOf(text, tokens, []).map((line, at) => {
      const number = block.first + at + 1;
      return codeRow(number, line, this.#options.addressOf({ start: number, end: number }));
    });
    block.node.replaceChildren(...rows);
    for (let line = this.#marked?.start ?? 1; line <= (this.#marked?.end ?? 0); line += 1) {
      const isHere = line > block.first && line <= block.first + lines.length;
      if (isHere) this.#markRow(line);
    }
  }

  #markRow(line: number): void {
    const isMarked =
      this.#marked !== undefined && line >= this.#marked.start && line <= this.#marked.end;
    const row = this.row(line);
    row?.classList.toggle("marked", isMarked);
    const number = row?.firstElementChild;
    if (isMarked) number?.setAttribute("aria-current", "location");
    else number?.removeAttribute("aria-current");
  }
}

function plainBlock(lines: readonly string[], first: number): HTMLElement {
  const numbers = lines.map((_, at) => first + at + 1).join("\n");
  const text = lines.map((line) => makeVisible(line)).join("\n");
  const node = element(
    "div",
    { class: "block" },
    element("span", { class: "numbers", "aria-hidden": "true" }, numbers),
    element("span", { class: "text" }, text),
  );
  node.style.setProperty("--lines", String(lines.length));
  return node;
}

const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

function namesIn(source: string, line: number): readonly PlacedName[] {
  return [...source.matchAll(NAME)].map(({ 0: name, index }) => ({
    name,
    line,
    column: index + 1,
  }));
}

/** The name that contains the offset or ends there. */
function nameAround(source: string, line: number, offset: number): PlacedName | undefined {
  return namesIn(source, line).find(
    ({ name, column }) => column - 1 <= offset && offset <= column - 1 + name.length,
  );
}

/** Maps an offset in the shown text of a line to one in its source: hidden characters are shown by their names. */
function sourceOffset(source: string, shown: number): number {
  if (makeVisible(source).length === source.length) return shown;
  let left = shown;
  let offset = 0;
  for (const sign of source) {
    left -= makeVisible(sign).length;
    if (left < 0) break;
    offset += sign.length;
  }
  return offset;
}

/** The box of a part of an element's text. */
function boxOfText(node: Element, start: number, end: number): DOMRect | undefined {
  const range = document.createRange();
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  let position = 0;
  let hasStart = false;
  for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
    const length = text.nodeValue?.length ?? 0;
    if (!hasStart && start < position + length) {
      range.setStart(text, start - position);
      hasStart = true;
    }
    if (hasStart && end <= position + length) {
      range.setEnd(text, end - position);
      return range.getBoundingClientRect();
    }
    position += length;
  }
  return undefined;
}
