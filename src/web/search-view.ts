import { readAddress, writeAddress, type Address } from "./address.ts";
import type { SearchResponse, SearchQuery } from "./search-response.ts";
import { button, byId } from "./dom.ts";
import { SearchError, type Failure } from "./failure.ts";
import { notice, noticesOf, problemBox, summaryOf } from "./notices.ts";
import { isLongEnough, isSameQuery, QueryForm } from "./query-form.ts";
import { stemsOf } from "./query-words.ts";
import { ResultList } from "./result-list.ts";
import type { SearchClient } from "./search-client.ts";

/** A query and its results. */
interface ShownResults {
  readonly searchQuery: SearchQuery;
  readonly stems: ReadonlySet<string>;
  /** The last page of results. */
  readonly response: SearchResponse;
}

/** The page after signing in. */
export class SearchView {
  readonly results = new ResultList();
  readonly form = new QueryForm({
    onPause: () => void this.#search("typed"),
    onEnter: () => void this.#enter(),
  });
  readonly #view = byId("search", HTMLElement);
  readonly #start = byId("start", HTMLElement);
  readonly #status = byId("status", HTMLElement);
  readonly #problem = byId("problem", HTMLElement);
  readonly #notices = byId("notices", HTMLElement);
  readonly #more = byId("more", HTMLButtonElement);
  readonly #progress = byId("progress", HTMLElement);
  readonly #liveRegion = byId("spoken", HTMLElement);
  readonly #onSignOut: (failure?: Failure) => void;
  #client: SearchClient | undefined;
  #shown: ShownResults | undefined;
  /** The query of the request in progress. */
  #requested: SearchQuery | undefined;
  /** True when the current address should stay in the history: the next query then gets an entry of its own. */
  #isInHistory = true;

  /** Calls `onSignOut` when the session is over, with the failure unless the user signed out. */
  constructor(onSignOut: (failure?: Failure) => void) {
    this.#onSignOut = onSignOut;
    byId("sign-out", HTMLButtonElement).addEventListener("click", () => this.leave());
    this.#more.addEventListener("click", () => void this.#searchMore());
    byId("results", HTMLElement).addEventListener("click", () => (this.#isInHistory = true));
    window.addEventListener("hashchange", () => {
      if (this.#client !== undefined) void this.#follow(readAddress(location.hash));
    });
  }

  /** Shows the search that the address contains. */
  enter(client: SearchClient, namespaces: readonly string[]): void {
    this.#client = client;
    this.form.offerNamespaces(namespaces);
    this.#view.hidden = false;
    this.form.query.focus();
    void this.#follow(readAddress(location.hash));
  }

  /** Ends the search, with the failure unless the user signed out. */
  leave(failure?: Failure): void {
    this.#client?.stop();
    this.#client = undefined;
    this.#reset();
    this.#view.hidden = true;
    this.#onSignOut(failure);
  }

  /** Shows an address that was opened or returned to. */
  async #follow({ searchQuery, at }: Address): Promise<void> {
    const isShown = this.#shown !== undefined && isSameQuery(this.#shown.searchQuery, searchQuery);
    this.form.searchQuery = searchQuery;
    if (!isShown) await this.#search("opened");
    if (this.#shown === undefined || !isSameQuery(this.#shown.searchQuery, searchQuery)) return;
    this.#title(searchQuery);
    if (!this.results.mark(at) && at !== undefined) {
      const text = `${at.path}:${at.line} is not among these results; the index or the file may have changed.`;
      this.#notices.prepend(notice(text));
    }
  }

  async #enter(): Promise<void> {
    const { searchQuery } = this.form;
    this.#isInHistory = true;
    if (this.#shown !== undefined && isSameQuery(this.#shown.searchQuery, searchQuery)) {
      this.results.focusFirst();
      return;
    }
    await this.#search("entered");
  }

  /** Searches for the content of the fields, unless its results are shown or requested already. */
  async #search(trigger: "typed" | "entered" | "opened" | "again"): Promise<void> {
    const { searchQuery } = this.form;
    if (this.#requested !== undefined && isSameQuery(this.#requested, searchQuery)) return;
    if (
      trigger !== "again" &&
      this.#shown !== undefined &&
      isSameQuery(this.#shown.searchQuery, searchQuery)
    ) {
      this.#cancel();
      return;
    }
    if (trigger !== "opened") this.#setAddress(searchQuery, trigger);
    if (!isLongEnough(searchQuery)) {
      this.#cancel();
      this.#reset();
      if (searchQuery.query !== "") this.#showStatus("Type at least three characters.");
      return;
    }
    const response = await this.#request(searchQuery);
    if (response !== undefined) this.#show(searchQuery, response);
  }

  async #searchMore(): Promise<void> {
    const shown = this.#shown;
    const cursor = shown?.response.next_cursor;
    if (shown === undefined || cursor === null || cursor === undefined) return;
    const response = await this.#request(shown.searchQuery, cursor);
    if (response === undefined) return;
    this.#shown = { ...shown, response };
    this.#append(response)?.focus();
    this.#showStatus(summaryOf(this.results.length, response));
  }

  /** Returns undefined when the request failed or was replaced by a newer one. */
  async #request(searchQuery: SearchQuery, cursor?: string): Promise<SearchResponse | undefined> {
    const client = this.#client;
    if (client === undefined) return undefined;
    this.#requested = searchQuery;
    this.#setBusy(true);
    try {
      const response = await client.search(searchQuery, cursor);
      if (response === undefined || this.#client !== client || this.#requested !== searchQuery)
        return undefined;
      this.#problem.replaceChildren();
      this.#finish();
      return response;
    } catch (error) {
      if (this.#client !== client || this.#requested !== searchQuery) return undefined;
      this.#finish();
      if (!(error instanceof SearchError)) throw error;
      this.#fail(error.failure);
      return undefined;
    }
  }

  #show(searchQuery: SearchQuery, response: SearchResponse): void {
    this.#reset();
    this.#shown = { searchQuery, stems: stemsOf(searchQuery.query), response };
    this.#start.hidden = true;
    this.#title(searchQuery);
    this.#notices.append(...noticesOf(response, () => void this.#search("again")));
    if (response.results.length === 0) this.#notices.append(this.#nothingFound());
    this.#append(response);
    this.#showStatus(summaryOf(response.results.length, response));
  }

  #append(response: SearchResponse): ReturnType<ResultList["append"]> {
    if (this.#shown === undefined) return undefined;
    const { searchQuery, stems } = this.#shown;
    const announce = (text: string): void => void (this.#liveRegion.textContent = text);
    this.#more.hidden = response.next_cursor === null;
    this.form.addLanguages(response.results);
    return this.results.append(response.results, { searchQuery, stems, announce });
  }

  #nothingFound(): HTMLElement {
    if (!this.form.hasFilters) return notice("Try other words, or fewer of them.");
    const text = "Nothing matches with these filters. Try other words, or clear the filters.";
    return notice(
      text,
      button("Clear filters", {}, () => this.form.clearFilters()),
    );
  }

  #fail(failure: Failure): void {
    if (failure.isRefusal) {
      this.leave(failure);
      return;
    }
    this.#reset();
    this.#start.hidden = true;
    const actions =
      failure.code === "INVALID_PARAMS" && this.form.hasFilters
        ? button("Clear filters", {}, () => this.form.clearFilters())
        : button("Try again", {}, () => void this.#search("again"));
    this.#problem.replaceChildren(problemBox(failure, actions));
  }

  /** Clears the results and shows the start page. */
  #reset(): void {
    this.#shown = undefined;
    this.results.clear();
    this.#problem.replaceChildren();
    this.#notices.replaceChildren();
    this.#more.hidden = true;
    this.#start.hidden = false;
    this.#showStatus("");
    document.title = "svc search";
  }

  #cancel(): void {
    this.#client?.stop();
    this.#finish();
  }

  #finish(): void {
    this.#requested = undefined;
    this.#setBusy(false);
  }

  #setBusy(isBusy: boolean): void {
    this.results.setBusy(isBusy);
    this.#progress.hidden = !isBusy;
  }

  #showStatus(text: string): void {
    this.#status.textContent = text;
  }

  #title({ query }: SearchQuery): void {
    document.title = query === "" ? "svc search" : `${query} · svc search`;
  }

  /** The back button leads to queries that were submitted or used, not to each pause in typing. */
  #setAddress(searchQuery: SearchQuery, trigger: "typed" | "entered" | "again"): void {
    const address = writeAddress({ searchQuery, at: undefined });
    if (address !== location.hash && !(address === "#" && location.hash === "")) {
      if (this.#isInHistory) history.pushState(undefined, "", address);
      else history.replaceState(undefined, "", address);
    }
    this.#isInHistory = trigger === "entered";
  }
}
