import { button, byId } from "./dom.ts";
import { FacetList } from "./facets.ts";
import { SearchError, type Failure } from "./failure.ts";
import { notice, noticesOf, problemBox, summaryOf } from "./notices.ts";
import { isSameQuery, obstacleOf, type QueryForm } from "./query-form.ts";
import { ResultList } from "./result-list.ts";
import type { SearchQuery } from "./search-query.ts";
import { ALL_NAMESPACES, type FoundPage, type Searcher } from "./searcher.ts";

/** A query and its results. */
interface ShownResults {
  readonly searchQuery: SearchQuery;
  /** The last page of results. */
  readonly page: FoundPage;
}

interface SearchViewOptions {
  readonly form: QueryForm;
  readonly announce: (text: string) => void;
  /** Called when the server does not accept the key any more. */
  readonly onRefusal: (failure: Failure) => void;
}

/** The results of the query, and what is around them. */
export class SearchView {
  readonly results = new ResultList();
  readonly #options: SearchViewOptions;
  readonly #facets = new FacetList((filter, value) => this.#options.form.toggle(filter, value));
  readonly #start = byId("start", HTMLElement);
  readonly #status = byId("status", HTMLElement);
  readonly #problem = byId("problem", HTMLElement);
  readonly #notices = byId("notices", HTMLElement);
  readonly #more = byId("more", HTMLButtonElement);
  readonly #progress = byId("progress", HTMLElement);
  #searcher: Searcher | undefined;
  #shown: ShownResults | undefined;
  /** The query of the request in progress. */
  #requested: SearchQuery | undefined;

  constructor(options: SearchViewOptions) {
    this.#options = options;
    this.#more.addEventListener("click", () => void this.#searchMore());
  }

  /** Searches with this from now on; with undefined, forgets everything. */
  set searcher(searcher: Searcher | undefined) {
    this.#searcher?.stop();
    this.#searcher = searcher;
    this.#finish();
    this.#reset();
  }

  /** Whether the results of this query are on the page. */
  isShowing(searchQuery: SearchQuery): boolean {
    return this.#shown !== undefined && isSameQuery(this.#shown.searchQuery, searchQuery);
  }

  /** Searches, unless the results are shown or requested already. */
  async search(searchQuery: SearchQuery, isAgain = false): Promise<void> {
    const isRequested = this.#requested !== undefined && isSameQuery(this.#requested, searchQuery);
    if (isRequested) return;
    if (!isAgain && this.isShowing(searchQuery)) {
      document.title = titleOf(searchQuery);
      this.#cancel();
      return;
    }
    const obstacle = obstacleOf(searchQuery);
    if (obstacle !== "" || searchQuery.text === "") {
      this.#cancel();
      this.#reset();
      this.#status.textContent = obstacle;
      return;
    }
    const page = await this.#request(searchQuery);
    if (page !== undefined) this.#show(searchQuery, page);
  }

  async #searchMore(): Promise<void> {
    const shown = this.#shown;
    if (shown === undefined || shown.page.cursor === undefined) return;
    const page = await this.#request(shown.searchQuery, shown.page);
    if (page === undefined) return;
    this.#shown = { ...shown, page };
    this.#append(page)?.focus();
    this.#status.textContent = summaryOf(this.results.length, page);
  }

  /** Returns undefined when the request failed or was replaced by a newer one. */
  async #request(searchQuery: SearchQuery, after?: FoundPage): Promise<FoundPage | undefined> {
    const searcher = this.#searcher;
    if (searcher === undefined) return undefined;
    this.#requested = searchQuery;
    this.#setBusy(true);
    const isCurrent = (): boolean => this.#searcher === searcher && this.#requested === searchQuery;
    try {
      const page = await searcher.search(searchQuery, after);
      if (page === undefined || !isCurrent()) return undefined;
      this.#problem.replaceChildren();
      this.#finish();
      return page;
    } catch (error) {
      if (!isCurrent()) return undefined;
      this.#finish();
      if (!(error instanceof SearchError)) throw error;
      this.#fail(error.failure, searchQuery);
      return undefined;
    }
  }

  #show(searchQuery: SearchQuery, page: FoundPage): void {
    this.#reset();
    this.#shown = { searchQuery, page };
    this.#start.hidden = true;
    document.title = titleOf(searchQuery);
    this.#notices.append(...noticesOf(page, () => void this.search(searchQuery, true)));
    if (page.results.length === 0) this.#notices.append(this.#nothingFound(page));
    this.#append(page);
    this.#status.textContent = summaryOf(page.results.length, page);
  }

  #append(page: FoundPage): ReturnType<ResultList["append"]> {
    if (this.#shown === undefined) return undefined;
    const { searchQuery } = this.#shown;
    const { announce, form } = this.#options;
    const hasSeveralNamespaces =
      searchQuery.namespace === ALL_NAMESPACES ||
      page.namespace === "" ||
      page.results.some(({ namespace }) => namespace !== page.namespace);
    this.#more.hidden = page.cursor === undefined;
    form.addLanguages(page.results);
    const first = this.results.append(page.results, {
      searchQuery,
      hasSeveralNamespaces,
      announce,
    });
    this.#facets.show(this.results.all, searchQuery.text);
    return first;
  }

  #nothingFound({ mode }: FoundPage): HTMLElement {
    const { form } = this.#options;
    const advice = {
      words: "Try other words, or fewer of them.",
      exact: "No line contains this text. Without quotes, the words are searched.",
      regex: "No line matches this regular expression.",
      symbols: "No definition has this name or one like it.",
    }[mode];
    if (!form.hasFilters) return notice(advice);
    return notice(
      `Nothing matches with these filters. ${advice}`,
      button("Clear filters", {}, () => form.clearFilters()),
    );
  }

  #fail(failure: Failure, searchQuery: SearchQuery): void {
    const { form, onRefusal } = this.#options;
    if (failure.isRefusal) {
      onRefusal(failure);
      return;
    }
    this.#reset();
    this.#start.hidden = true;
    const actions =
      failure.code === "INVALID_PARAMS" && form.hasFilters
        ? button("Clear filters", {}, () => form.clearFilters())
        : button("Try again", {}, () => void this.search(searchQuery, true));
    this.#problem.replaceChildren(problemBox(failure, actions));
  }

  /** Clears the results and shows the start page. */
  #reset(): void {
    this.#shown = undefined;
    this.results.clear();
    this.#facets.show([], "");
    this.#problem.replaceChildren();
    this.#notices.replaceChildren();
    this.#more.hidden = true;
    this.#start.hidden = false;
    this.#status.textContent = "";
    document.title = "svc search";
  }

  #cancel(): void {
    this.#searcher?.stop();
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
}

function titleOf({ text }: SearchQuery): string {
  return `${text} · svc search`;
}
