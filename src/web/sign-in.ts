import { byId } from "./dom.ts";
import { SearchError, type Failure } from "./failure.ts";
import { problemBox } from "./notices.ts";
import { SearchClient } from "./search-client.ts";

/** The characters that a header can contain; others would make `fetch` fail as if the server were unreachable. */
const HEADER_VALUE = /^[\u0021-\u007e]+$/u;

/** The form that asks for an API key. */
export class SignIn {
  readonly #view = byId("sign-in", HTMLElement);
  readonly #key = byId("key", HTMLInputElement);
  readonly #button = byId("sign-in-button", HTMLButtonElement);
  readonly #problem = byId("sign-in-problem", HTMLElement);
  readonly #onEnter: (client: SearchClient, namespaces: readonly string[]) => void;

  /** Calls `onEnter` with a client and the namespaces that it can search, when its key was accepted. */
  constructor(onEnter: (client: SearchClient, namespaces: readonly string[]) => void) {
    this.#onEnter = onEnter;
    byId("sign-in-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#signIn();
    });
  }

  /** Shows the form, with the failure that led back to it. */
  show(failure?: Failure): void {
    document.title = "svc search";
    this.#view.hidden = false;
    this.#showFailure(failure);
    this.#key.focus();
  }

  async #signIn(): Promise<void> {
    if (this.#button.disabled) return;
    const key = this.#key.value.trim();
    if (!HEADER_VALUE.test(key)) {
      this.#refuse(key === "" ? MISSING_KEY : INVALID_KEY);
      return;
    }
    this.#setBusy(true);
    const client = new SearchClient(key);
    let namespaces: readonly string[];
    try {
      namespaces = await client.namespaces();
    } catch (error) {
      if (!(error instanceof SearchError)) throw error;
      this.#refuse(error.failure);
      return;
    } finally {
      this.#setBusy(false);
    }
    // From here on only the client keeps the key.
    this.#key.value = "";
    this.#showFailure(undefined);
    this.#view.hidden = true;
    this.#onEnter(client, namespaces);
  }

  #refuse(failure: Failure): void {
    this.#showFailure(failure);
    this.#key.focus();
    this.#key.select();
  }

  #showFailure(failure: Failure | undefined): void {
    this.#problem.replaceChildren(...(failure === undefined ? [] : [problemBox(failure)]));
    if (failure === undefined) this.#key.removeAttribute("aria-invalid");
    else this.#key.setAttribute("aria-invalid", "true");
  }

  #setBusy(isBusy: boolean): void {
    this.#button.disabled = isBusy;
    this.#button.textContent = isBusy ? "Signing in…" : "Sign in";
  }
}

const MISSING_KEY: Failure = {
  title: "Paste an API key",
  detail: "It begins with svk_.",
  code: "",
  isRefusal: true,
};

const INVALID_KEY: Failure = {
  title: "This is not an API key",
  detail: "It is one word of letters, digits and underscores. Copy it again as a whole.",
  code: "",
  isRefusal: true,
};
