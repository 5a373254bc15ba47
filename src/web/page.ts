// The page after signing in: it shows what its address says, the results of a query or a file.
import { readAddress, writeAddress, type Address } from "./address.ts";
import { byId } from "./dom.ts";
import type { Failure } from "./failure.ts";
import { FileView } from "./file-view.ts";
import { isSameQuery, QueryForm } from "./query-form.ts";
import type { SearchableNamespaces, SearchClient } from "./search-client.ts";
import type { SearchQuery } from "./search-query.ts";
import { SearchView } from "./search-view.ts";
import { Searcher } from "./searcher.ts";

export class Page {
  readonly form = new QueryForm({
    onPause: () => this.#searchTyped(),
    onEnter: () => void this.#enter(),
  });
  readonly search: SearchView;
  readonly file: FileView;
  readonly #view = byId("search", HTMLElement);
  readonly #liveRegion = byId("spoken", HTMLElement);
  readonly #onSignOut: (failure?: Failure) => void;
  #client: SearchClient | undefined;
  /** The address that is shown. */
  #shown: Address = readAddress("");
  /** The query of the results that were shown last. */
  #found: SearchQuery = this.#shown.searchQuery;
  /** How far the results were scrolled when a file was opened. */
  #scrolled = 0;
  /** True when the current address should stay in the history: the next query then gets an entry of its own. */
  #isInHistory = true;

  /** Calls `onSignOut` when the session is over, with the failure unless the user signed out. */
  constructor(onSignOut: (failure?: Failure) => void) {
    this.#onSignOut = onSignOut;
    const announce = (text: string): void => void (this.#liveRegion.textContent = text);
    const onRefusal = (failure: Failure): void => this.leave(failure);
    this.search = new SearchView({ form: this.form, announce, onRefusal });
    this.file = new FileView({ announce, onRefusal });
    byId("sign-out", HTMLButtonElement).addEventListener("click", () => this.leave());
    byId("results", HTMLElement).addEventListener("click", () => (this.#isInHistory = true));
    window.addEventListener("hashchange", () => {
      if (this.#client !== undefined) this.#follow();
    });
  }

  /** Whether a file is shown, and not results. */
  get isShowingFile(): boolean {
    return this.#shown.file !== undefined;
  }

  /** Shows what the address contains. */
  enter(client: SearchClient, namespaces: SearchableNamespaces): void {
    this.#client = client;
    this.form.offerNamespaces(client, namespaces);
    this.search.searcher = new Searcher(client);
    this.file.client = client;
    this.#view.hidden = false;
    if (readAddress(location.hash).file === undefined) this.form.query.focus();
    this.#follow();
  }

  /** Goes back to the results of the query. */
  showResults(): void {
    const typed = this.form.searchQuery;
    // A file of one namespace may have been found in all.
    const searchQuery = typed.text === this.#found.text ? this.#found : typed;
    this.#go({ searchQuery, file: undefined });
    if (this.search.results.length > 0) this.search.results.focusLast();
    else this.form.query.focus();
  }

  /** Ends the search, with the failure unless the user signed out. */
  leave(failure?: Failure): void {
    this.#client = undefined;
    this.search.searcher = undefined;
    this.file.client = undefined;
    this.#view.hidden = true;
    this.#onSignOut(failure);
  }

  /** Shows the address that was opened or returned to. */
  #follow(): void {
    this.#isInHistory = true;
    this.#show(readAddress(location.hash));
  }

  #show(address: Address): void {
    const { file } = address;
    const searchQuery = this.form.withNamespace(address.searchQuery);
    const wasFile = this.isShowingFile;
    this.#shown = { searchQuery, file };
    this.form.searchQuery = searchQuery;
    if (file !== undefined && !wasFile) this.#scrolled = window.scrollY;
    byId("search-view", HTMLElement).hidden = file !== undefined;
    byId("file-view", HTMLElement).hidden = file === undefined;
    document.documentElement.classList.toggle("has-file", file !== undefined);
    if (file !== undefined) {
      void this.file.open(file, searchQuery);
      return;
    }
    this.#found = searchQuery;
    if (wasFile) this.file.hide();
    // A file has the height of the screen, so the results were scrolled back.
    if (wasFile && this.search.isShowing(searchQuery)) window.scrollTo(0, this.#scrolled);
    void this.search.search(searchQuery);
  }

  #searchTyped(): void {
    const { searchQuery } = this.form;
    // A file stays until the user has typed another query.
    if (this.isShowingFile && isSameQuery(searchQuery, this.#shown.searchQuery)) return;
    this.#goToResults(searchQuery, this.isShowingFile);
  }

  async #enter(): Promise<void> {
    const { searchQuery } = this.form;
    this.#isInHistory = true;
    const isShown = !this.isShowingFile && this.search.isShowing(searchQuery);
    if (isShown) {
      this.search.results.focusFirst();
      return;
    }
    this.#goToResults(searchQuery, true);
    this.#isInHistory = true;
  }

  /** The back button leads to queries that were submitted or used, not to each pause in typing. */
  #goToResults(searchQuery: SearchQuery, isNew: boolean): void {
    const address: Address = { searchQuery, file: undefined };
    if (this.#isInHistory || isNew) this.#go(address);
    else {
      history.replaceState(undefined, "", writeAddress(address));
      this.#show(address);
    }
    this.#isInHistory = false;
  }

  #go(address: Address): void {
    const fragment = writeAddress(address);
    const isSame = fragment === location.hash || (fragment === "#" && location.hash === "");
    if (!isSame) history.pushState(undefined, "", fragment);
    this.#show(address);
  }
}
