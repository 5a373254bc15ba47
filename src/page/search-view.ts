import { readAddress, writeAddress, type Address } from "./address.ts";
import type { Answer, Question } from "./answer.ts";
import { button, byId } from "./dom.ts";
import { SearchError, type Failure } from "./failure.ts";
import { notice, noticesOf, problemBox, summaryOf } from "./notices.ts";
import { isLongEnough, isSame, QuestionForm } from "./question-form.ts";
import { stemsOf } from "./question-words.ts";
import { ResultList } from "./result-list.ts";
import type { SearchClient } from "./search-client.ts";

/** A question that was answered. */
interface Shown {
  readonly question: Question;
  readonly stems: ReadonlySet<string>;
  /** The last page of it. */
  readonly answer: Answer;
}

/** The page of somebody who has signed in. */
export class SearchView {
  readonly results = new ResultList();
  readonly form = new QuestionForm({
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
  readonly #spoken = byId("spoken", HTMLElement);
  readonly #onSignOut: (failure?: Failure) => void;
  #client: SearchClient | undefined;
  #shown: Shown | undefined;
  /** The question that the server is being asked. */
  #asked: Question | undefined;
  /** True when the address at hand is worth going back to: another question gets one of its own. */
  #isKept = true;

  /** `onSignOut` is told when the key has been given up, and why if it was not the user's wish. */
  constructor(onSignOut: (failure?: Failure) => void) {
    this.#onSignOut = onSignOut;
    byId("sign-out", HTMLButtonElement).addEventListener("click", () => this.#leave());
    this.#more.addEventListener("click", () => void this.#searchOn());
    byId("results", HTMLElement).addEventListener("click", () => (this.#isKept = true));
    window.addEventListener("hashchange", () => {
      if (this.#client !== undefined) void this.#follow(readAddress(location.hash));
    });
  }

  /** Shows what the address says. */
  enter(client: SearchClient): void {
    this.#client = client;
    this.#view.hidden = false;
    this.form.query.focus();
    void this.#follow(readAddress(location.hash));
  }

  #leave(failure?: Failure): void {
    this.#client?.stop();
    this.#client = undefined;
    this.#reset();
    this.#view.hidden = true;
    this.#onSignOut(failure);
  }

  /** Goes to an address that was opened, or gone back to. */
  async #follow({ question, at }: Address): Promise<void> {
    const isShown = this.#shown !== undefined && isSame(this.#shown.question, question);
    this.form.question = question;
    if (!isShown) await this.#search("opened");
    if (this.#shown === undefined || !isSame(this.#shown.question, question)) return;
    this.#title(question);
    if (!this.results.mark(at) && at !== undefined) {
      const text = `${at.path}:${at.line} is not among these results: the index or the file may have changed.`;
      this.#notices.prepend(notice(text));
    }
  }

  async #enter(): Promise<void> {
    const { question } = this.form;
    this.#isKept = true;
    if (this.#shown !== undefined && isSame(this.#shown.question, question)) {
      this.results.focusFirst();
      return;
    }
    await this.#search("entered");
  }

  /** Asks what stands in the fields, unless that is what is shown or asked already. */
  async #search(way: "typed" | "entered" | "opened" | "again"): Promise<void> {
    const { question } = this.form;
    if (this.#asked !== undefined && isSame(this.#asked, question)) return;
    if (way !== "again" && this.#shown !== undefined && isSame(this.#shown.question, question)) {
      this.#giveUp();
      return;
    }
    if (way !== "opened") this.#setAddress(question, way);
    if (!isLongEnough(question)) {
      this.#giveUp();
      this.#reset();
      if (question.query !== "") this.#tell("Type at least three characters.");
      return;
    }
    const answer = await this.#ask(question);
    if (answer !== undefined) this.#show(question, answer);
  }

  async #searchOn(): Promise<void> {
    const shown = this.#shown;
    const cursor = shown?.answer.next_cursor;
    if (shown === undefined || cursor === null || cursor === undefined) return;
    const answer = await this.#ask(shown.question, cursor);
    if (answer === undefined) return;
    this.#shown = { ...shown, answer };
    this.#append(answer)?.focus();
    this.#tell(summaryOf(this.results.length, answer));
  }

  /** Undefined where there was no answer, or none that is wanted any more. */
  async #ask(question: Question, cursor?: string): Promise<Answer | undefined> {
    const client = this.#client;
    if (client === undefined) return undefined;
    this.#asked = question;
    this.#setBusy(true);
    try {
      const answer = await client.ask(question, cursor);
      if (answer === undefined || this.#client !== client || this.#asked !== question)
        return undefined;
      this.#problem.replaceChildren();
      this.#settle();
      return answer;
    } catch (error) {
      if (this.#client !== client || this.#asked !== question) return undefined;
      this.#settle();
      if (!(error instanceof SearchError)) throw error;
      this.#fail(error.failure);
      return undefined;
    }
  }

  #show(question: Question, answer: Answer): void {
    this.#reset();
    this.#shown = { question, stems: stemsOf(question.query), answer };
    this.#start.hidden = true;
    this.#title(question);
    this.#notices.append(...noticesOf(answer, () => void this.#search("again")));
    if (answer.results.length === 0) this.#notices.append(this.#nothingFound());
    this.#append(answer);
    this.#tell(summaryOf(answer.results.length, answer));
  }

  #append(answer: Answer): ReturnType<ResultList["append"]> {
    if (this.#shown === undefined) return undefined;
    const { question, stems } = this.#shown;
    const say = (text: string): void => void (this.#spoken.textContent = text);
    this.#more.hidden = answer.next_cursor === null;
    this.form.noteLanguages(answer.results);
    return this.results.append(answer.results, { question, stems, say });
  }

  #nothingFound(): HTMLElement {
    if (!this.form.hasFilters) return notice("Try other words, or fewer of them.");
    const text = "Nothing matches within the filters. Try other words, or search without them.";
    return notice(
      text,
      button("Clear filters", {}, () => this.form.clearFilters()),
    );
  }

  #fail(failure: Failure): void {
    if (failure.isRefusal) {
      this.#leave(failure);
      return;
    }
    this.#reset();
    this.#start.hidden = true;
    const mend =
      failure.code === "INVALID_PARAMS" && this.form.hasFilters
        ? button("Clear filters", {}, () => this.form.clearFilters())
        : button("Try again", {}, () => void this.#search("again"));
    this.#problem.replaceChildren(problemBox(failure, mend));
  }

  /** Nothing was asked, and nothing is shown. */
  #reset(): void {
    this.#shown = undefined;
    this.results.clear();
    this.#problem.replaceChildren();
    this.#notices.replaceChildren();
    this.#more.hidden = true;
    this.#start.hidden = false;
    this.#tell("");
    document.title = "svc search";
  }

  #giveUp(): void {
    this.#client?.stop();
    this.#settle();
  }

  #settle(): void {
    this.#asked = undefined;
    this.#setBusy(false);
  }

  #setBusy(isBusy: boolean): void {
    this.results.setBusy(isBusy);
    this.#progress.hidden = !isBusy;
  }

  #tell(text: string): void {
    this.#status.textContent = text;
  }

  #title({ query }: Question): void {
    document.title = query === "" ? "svc search" : `${query} · svc search`;
  }

  /** Back leads to questions that were entered or looked into, not to each pause in typing. */
  #setAddress(question: Question, way: "typed" | "entered" | "again"): void {
    const address = writeAddress({ question, at: undefined });
    if (address !== location.hash && !(address === "#" && location.hash === "")) {
      if (this.#isKept) history.pushState(undefined, "", address);
      else history.replaceState(undefined, "", address);
    }
    this.#isKept = way === "entered";
  }
}
