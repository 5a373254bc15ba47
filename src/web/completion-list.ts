// The list below the search field, as ARIA describes a combobox with a list. The focus stays in the field.
import { element } from "./dom.ts";
import { makeVisible } from "./make-visible.ts";
import type { QuerySuggestion } from "./suggestions.ts";

export class CompletionList {
  readonly #input: HTMLInputElement;
  readonly #list: HTMLElement;
  readonly #onChoose: (suggestion: QuerySuggestion) => void;
  #shown: readonly QuerySuggestion[] = [];
  #chosen = -1;

  constructor(
    input: HTMLInputElement,
    list: HTMLElement,
    onChoose: (suggestion: QuerySuggestion) => void,
  ) {
    this.#input = input;
    this.#list = list;
    this.#onChoose = onChoose;
    // Before the field loses the focus.
    list.addEventListener("mousedown", (event) => event.preventDefault());
    list.addEventListener("click", (event) => {
      const item = event.target instanceof Element ? event.target.closest("li") : null;
      const suggestion = this.#shown[[...list.children].findIndex((one) => one === item)];
      if (suggestion !== undefined) onChoose(suggestion);
    });
    input.addEventListener("blur", () => this.show([]));
  }

  get isOpen(): boolean {
    return this.#shown.length > 0;
  }

  show(suggestions: readonly QuerySuggestion[]): void {
    this.#shown = suggestions;
    this.#chosen = -1;
    this.#list.hidden = suggestions.length === 0;
    this.#input.setAttribute("aria-expanded", String(suggestions.length > 0));
    this.#input.removeAttribute("aria-activedescendant");
    this.#list.replaceChildren(
      ...suggestions.map(({ text, note }, at) =>
        element(
          "li",
          { role: "option", id: `completion-${at}`, "aria-selected": "false" },
          element("bdi", { class: "value" }, makeVisible(text)),
          element("span", { class: "note" }, note),
        ),
      ),
    );
  }

  /** Handles a key of the field; returns false if it is not for the list. */
  handleKey(key: string): boolean {
    if (!this.isOpen) return false;
    if (key === "ArrowDown" || key === "ArrowUp") {
      this.#move(key === "ArrowDown" ? 1 : -1);
      return true;
    }
    if (key === "Escape") {
      this.show([]);
      return true;
    }
    const suggestion = this.#shown[key === "Tab" ? Math.max(0, this.#chosen) : this.#chosen];
    if (suggestion === undefined || (key !== "Enter" && key !== "Tab")) return false;
    this.#onChoose(suggestion);
    return true;
  }

  #move(step: 1 | -1): void {
    const count = this.#shown.length;
    this.#chosen = (this.#chosen + step + count) % count;
    for (const [at, item] of [...this.#list.children].entries()) {
      item.setAttribute("aria-selected", String(at === this.#chosen));
      if (at === this.#chosen) item.scrollIntoView({ block: "nearest" });
    }
    this.#input.setAttribute("aria-activedescendant", `completion-${this.#chosen}`);
  }
}
