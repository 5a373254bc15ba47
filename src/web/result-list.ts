import { byId } from "./dom.ts";
import { ResultView, type ResultContext } from "./result-view.ts";
import type { ShownResult } from "./shown-result.ts";

/** The results on the page, best first. */
export class ResultList {
  readonly #list = byId("results", HTMLOListElement);
  #views: readonly ResultView[] = [];
  /** The one that had the focus last. */
  #last: ResultView | undefined;

  constructor() {
    this.#list.addEventListener("focusin", () => (this.#last = this.current));
  }

  get length(): number {
    return this.#views.length;
  }

  get all(): readonly ShownResult[] {
    return this.#views.map(({ result }) => result);
  }

  /** The result that has the focus, or contains the focused element. */
  get current(): ResultView | undefined {
    return this.#views.find((view) => view.hasFocus);
  }

  clear(): void {
    this.#views = [];
    this.#last = undefined;
    this.#list.replaceChildren();
  }

  /** Appends results and returns the view of the first one. */
  append(results: readonly ShownResult[], context: ResultContext): ResultView | undefined {
    const views = results.map((result) => new ResultView(result, context));
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

  /** Returns to the result that had the focus last, else to the first one. */
  focusLast(): void {
    (this.#last ?? this.#views[0])?.focus();
  }

  focusFirst(): void {
    this.#views[0]?.focus();
  }
}
