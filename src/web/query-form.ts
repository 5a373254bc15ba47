import { CompletionList } from "./completion-list.ts";
import { byId, element } from "./dom.ts";
import {
  readQuery,
  toggleFilter,
  queryTokens,
  withoutFilters,
  type FilterName,
  type SearchMode,
  type SearchQuery,
} from "./search-query.ts";
import type { SearchableNamespaces } from "./search-client.ts";
import { ALL_NAMESPACES } from "./searcher.ts";
import type { ShownResult } from "./shown-result.ts";
import {
  suggestionsFor,
  tokenAt,
  type QuerySuggestion,
  type SuggestionSources,
} from "./suggestions.ts";

const DEBOUNCE_MS = 200;
/** The server rejects queries of fewer than three code points. */
const MIN_WORDS = /^.{3}/su;

const MODES: Readonly<Record<SearchMode, string>> = {
  words: "words",
  exact: "exact text",
  regex: "regular expression",
  symbols: "symbols",
};

interface QueryFormListener {
  /** Called when typing has paused, or the namespace has changed. */
  readonly onPause: () => void;
  /** Called when the user presses Enter. */
  readonly onEnter: () => void;
}

/** The search field and the choice of a namespace. */
export class QueryForm {
  readonly query = byId("query", HTMLInputElement);
  readonly #namespace = byId("namespace", HTMLSelectElement);
  readonly #mode = byId("mode", HTMLElement);
  readonly #completions: CompletionList;
  readonly #listener: QueryFormListener;
  readonly #languages = new Set<string>();
  /** The namespace of an address without one; "" if there is no choice. */
  #chosen = "";
  #sources: Pick<SuggestionSources, "client" | "namespaces"> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(listener: QueryFormListener) {
    this.#listener = listener;
    const list = byId("completions", HTMLUListElement);
    this.#completions = new CompletionList(this.query, list, (one) => this.#complete(one));
    this.query.addEventListener("input", (event) => this.#onInput(event));
    this.query.addEventListener("keydown", (event) => {
      if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.shiftKey || !this.#completions.handleKey(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    byId("question", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      this.#cancel();
      this.#completions.show([]);
      listener.onEnter();
    });
    this.#namespace.addEventListener("change", () => this.#schedule());
  }

  /** The query of an address, with the namespace that is chosen if it names none. */
  withNamespace({ text, namespace }: SearchQuery): SearchQuery {
    return { text, namespace: namespace === "" ? this.#chosen : namespace };
  }

  /** The current content of the fields. */
  get searchQuery(): SearchQuery {
    return { text: this.query.value.trim(), namespace: this.#namespace.value };
  }

  set searchQuery({ text, namespace }: SearchQuery) {
    this.#cancel();
    // A query that is being typed may end with a space.
    if (this.query.value.trim() !== text) this.query.value = text;
    const isOffered = [...this.#namespace.options].some(({ value }) => value === namespace);
    if (isOffered) this.#namespace.value = namespace;
    this.#showMode();
  }

  /** Searches again with a filter more or less. */
  toggle(filter: FilterName, value: string): void {
    this.#change(toggleFilter(this.query.value, filter, value));
  }

  /** Searches again without filters. */
  clearFilters(): void {
    this.#change(withoutFilters(this.query.value));
    this.query.focus();
  }

  get hasFilters(): boolean {
    return withoutFilters(this.query.value) !== this.query.value.trim();
  }

  /** Offers a choice of namespaces, if there are several; that of the server is chosen until the address names another. */
  offerNamespaces(
    client: SuggestionSources["client"],
    { namespaces: names, default: chosen }: SearchableNamespaces,
  ): void {
    this.#sources = { client, namespaces: names };
    const options = names.map((value) => element("option", { value }, value));
    const all = element("option", { value: ALL_NAMESPACES }, "All");
    this.#namespace.replaceChildren(...(names.length > 1 ? [...options, all] : []));
    this.#chosen = names.length > 1 ? (chosen ?? names[0] ?? "") : "";
    this.#namespace.value = this.#chosen;
    byId("namespace-field", HTMLElement).hidden = names.length < 2;
  }

  /** Adds the languages of these results to the suggestions. */
  addLanguages(results: readonly ShownResult[]): void {
    for (const { language } of results) if (language !== "") this.#languages.add(language);
  }

  #change(text: string): void {
    this.query.value = text;
    this.#showMode();
    this.#listener.onEnter();
  }

  #onInput(event: Event): void {
    this.#cancel();
    this.#showMode();
    // During composition the text is not yet final.
    if (event instanceof InputEvent && event.isComposing) return;
    void this.#suggest();
    this.#schedule();
  }

  async #suggest(): Promise<void> {
    const { value, selectionStart } = this.query;
    const token = tokenAt(value, selectionStart ?? value.length);
    if (this.#sources === undefined || token === undefined) {
      this.#completions.show([]);
      return;
    }
    const { namespace } = this.searchQuery;
    const sources = { ...this.#sources, namespace, languages: this.#languages };
    const found = await suggestionsFor(token, value, sources);
    const isCurrent = this.query.value === value && document.activeElement === this.query;
    if (isCurrent) this.#completions.show(found);
  }

  #complete({ text }: QuerySuggestion): void {
    const { value, selectionStart } = this.query;
    const token = tokenAt(value, selectionStart ?? value.length);
    const { start, end } = token ?? { start: value.length, end: value.length };
    // After the name of a filter comes its value; a folder may go on.
    const isOpen = /[:/]$/.test(text);
    const rest = value.slice(end);
    const completed = `${value.slice(0, start)}${text}${isOpen || rest.startsWith(" ") ? "" : " "}`;
    this.query.value = `${completed}${rest}`;
    this.query.setSelectionRange(completed.length, completed.length);
    this.#completions.show([]);
    this.#showMode();
    this.#cancel();
    if (isOpen) void this.#suggest();
    this.#schedule();
  }

  #schedule(): void {
    this.#cancel();
    this.#timer = setTimeout(() => this.#listener.onPause(), DEBOUNCE_MS);
  }

  #cancel(): void {
    clearTimeout(this.#timer);
  }

  #showMode(): void {
    const { value } = this.query;
    this.#mode.textContent = value.trim() === "" ? "" : MODES[readQuery(value).mode];
  }
}

/** Why a query cannot be searched yet; "" if it can. */
export function obstacleOf({ text }: SearchQuery): string {
  const { mode, subject } = readQuery(text);
  if (text === "") return "";
  if (mode === "words" && !MIN_WORDS.test(subject)) {
    const isFilter = subject === "" && queryTokens(text).length > 0;
    return isFilter
      ? "Add words, “exact text” in quotes, or sym: to search."
      : "Type at least three characters.";
  }
  return "";
}

export function isSameQuery(one: SearchQuery, other: SearchQuery): boolean {
  return one.text === other.text && one.namespace === other.namespace;
}
