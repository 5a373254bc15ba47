import type { LinePosition } from "./address.ts";
import type { SearchResult } from "./search-response.ts";
import { byId } from "./dom.ts";
import { ResultView, type ResultContext } from "./result-view.ts";

/** The results on the page, best first. */
export class ResultList {
  readonly #list = byId("results", HTMLOListElement);
  #views: readonly ResultView[] = [];

  get length(): number {
    return this.#views.length;
  }

  /** The result that has the focus, or contains the focused element. */
  get current(): ResultView | undefined {
    return this.#views.find((view) => view.hasFocus);
  }

  clear(): void {
    this.#views = [];
    this.#list.replaceChildren();
  }

  /** Appends passages and returns the view of the first one. */
  append(passages: readonly SearchResult[], context: ResultContext): ResultView | undefined {
    const views = passages.map((passage) => new ResultView(passage, context));
    this.#list.append(...views.map(({ item }) => item));
    this.#views = [...this.#views, ...views];
    return views[0];
  }

  setBusy(isBusy: boolean): void {
    this.#list.setAttribute("aria-busy", String(isBusy));
  }

  /** Moves the focus to the next or previous result; returns false when there is none. */
  move(step: 1 | -1): boolean {
    const at = this.#views.findIndex((view) => view.hasFocus);
    const next = this.#views[at + step] ?? (step === 1 ? this.#views[at] : undefined);
    next?.focus();
    return next !== undefined;
  }

  focusFirst(): void {
    this.#views[0]?.focus();
  }

  /** Marks a line and scrolls to it; returns false when no result contains it. Undefined removes the mark. */
  mark(position: LinePosition | undefined): boolean {
    for (const view of this.#views) view.mark(undefined);
    if (position === undefined) return true;
    const marked = this.#views.find(
      (one) => one.passage.path === position.path && one.mark(position.line),
    );
    marked?.reveal();
    return marked !== undefined;
  }
}
