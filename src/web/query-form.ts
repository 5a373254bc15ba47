import { FILE_KINDS, type SearchResult, type SearchQuery } from "./search-response.ts";
import { byId, element } from "./dom.ts";

const DEBOUNCE_MS = 200;
/** The server rejects queries of fewer than three code points. */
const MIN_QUERY = /^.{3}/su;

interface QueryFormListener {
  /** Called when typing has paused, or a filter has changed. */
  readonly onPause: () => void;
  /** Called when the user presses Enter. */
  readonly onEnter: () => void;
}

/** The form with the query and its filters. */
export class QueryForm {
  readonly query = byId("query", HTMLInputElement);
  readonly #language = byId("language", HTMLInputElement);
  readonly #path = byId("path", HTMLInputElement);
  readonly #namespace = byId("namespace", HTMLSelectElement);
  readonly #filters = byId("filters", HTMLFormElement);
  readonly #clear = byId("clear-filters", HTMLButtonElement);
  readonly #languages = byId("languages", HTMLDataListElement);
  readonly #listener: QueryFormListener;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(listener: QueryFormListener) {
    this.#listener = listener;
    for (const form of [byId("question", HTMLFormElement), this.#filters]) {
      form.addEventListener("input", (event) => this.#onInput(event));
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        this.#cancel();
        listener.onEnter();
      });
    }
    // Leaving the field shows that the language name is complete.
    this.#language.addEventListener("change", () => this.#schedule());
    // A form with two text fields and no submit button ignores Enter.
    this.#filters.addEventListener("keydown", (event) => {
      const isField = event.target === this.#language || event.target === this.#path;
      if (event.key === "Enter" && isField && !event.isComposing) this.#filters.requestSubmit();
    });
    this.#clear.addEventListener("click", () => this.clearFilters());
  }

  /** The current content of the fields. */
  get searchQuery(): SearchQuery {
    const chosen = [...this.#kindBoxes()]
      .filter(({ checked }) => checked)
      .map(({ value }) => value);
    return {
      query: this.query.value.trim(),
      language: this.#language.value.trim().toLowerCase(),
      kinds: FILE_KINDS.filter((kind) => chosen.includes(kind)),
      path: this.#path.value.trim(),
      namespace: this.#namespace.value,
    };
  }

  set searchQuery({ query, language, kinds, path, namespace }: SearchQuery) {
    this.#cancel();
    this.query.value = query;
    this.#language.value = language;
    this.#path.value = path;
    const isOffered = [...this.#namespace.options].some(({ value }) => value === namespace);
    if (isOffered) this.#namespace.value = namespace;
    for (const box of this.#kindBoxes()) box.checked = kinds.some((kind) => kind === box.value);
    this.#offerToClear();
  }

  /** Searches again without filters. */
  clearFilters(): void {
    this.searchQuery = { ...this.searchQuery, language: "", kinds: [], path: "" };
    this.query.focus();
    this.#listener.onEnter();
  }

  get hasFilters(): boolean {
    return hasFilters(this.searchQuery);
  }

  /** Offers a choice of namespaces, if there are several; the first one is chosen until the address names another. */
  offerNamespaces(names: readonly string[]): void {
    const offered = names.length > 1 ? names : [];
    this.#namespace.replaceChildren(...offered.map((value) => element("option", { value }, value)));
    byId("namespace-field", HTMLElement).hidden = offered.length === 0;
  }

  /** Adds the languages of these results to the suggestions. */
  addLanguages(passages: readonly SearchResult[]): void {
    const known = new Set([...this.#languages.options].map(({ value }) => value));
    const found = passages.map(({ language }) => language);
    for (const language of new Set(found)) {
      if (language !== "" && !known.has(language)) {
        this.#languages.append(element("option", { value: language }));
      }
    }
  }

  #onInput(event: Event): void {
    this.#offerToClear();
    this.#cancel();
    // During composition the text is not yet final.
    if (event instanceof InputEvent && event.isComposing) return;
    // An incomplete language name would give an error.
    if (event.target === this.#language && !this.#isOffered(this.#language.value)) return;
    this.#schedule();
  }

  #schedule(): void {
    this.#cancel();
    this.#timer = setTimeout(() => this.#listener.onPause(), DEBOUNCE_MS);
  }

  #isOffered(language: string): boolean {
    return language === "" || [...this.#languages.options].some(({ value }) => value === language);
  }

  #cancel(): void {
    clearTimeout(this.#timer);
  }

  #offerToClear(): void {
    this.#clear.hidden = !this.hasFilters;
  }

  #kindBoxes(): NodeListOf<HTMLInputElement> {
    return this.#filters.querySelectorAll("input[name=kind]");
  }
}

/** Returns true when the server would accept the length of the query. */
export function isLongEnough({ query }: SearchQuery): boolean {
  return MIN_QUERY.test(query);
}

export function isSameQuery(one: SearchQuery, other: SearchQuery): boolean {
  return (
    one.query === other.query &&
    one.language === other.language &&
    one.path === other.path &&
    one.namespace === other.namespace &&
    one.kinds.join() === other.kinds.join()
  );
}

function hasFilters({ language, kinds, path }: SearchQuery): boolean {
  return language !== "" || kinds.length > 0 || path !== "";
}
