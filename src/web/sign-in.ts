import { byId } from "./dom.ts";
import type { Failure } from "./failure.ts";
import { problemBox } from "./notices.ts";
import { SearchClient, type SearchableNamespaces } from "./search-client.ts";
import {
  closeSession,
  currentUser,
  failureIn,
  mayHaveSession,
  openSession,
  type User,
} from "./session.ts";

/** The characters that a header can contain; others would make `fetch` fail as if the server were unreachable. */
const HEADER_VALUE = /^[\u0021-\u007e]+$/u;
/** The fragment that `svc serve --open` opens the page with. */
const ONE_TIME_CODE = /^#code=(?<code>[\w-]+)$/u;

/** What the page gets when somebody is signed in. */
type OnEnter = (client: SearchClient, namespaces: SearchableNamespaces, user: User) => void;

/** The form that asks for an API key or an access token, and the session that it opens. */
export class SignIn {
  readonly #view = byId("sign-in", HTMLElement);
  readonly #key = byId("key", HTMLInputElement);
  readonly #button = byId("sign-in-button", HTMLButtonElement);
  readonly #problem = byId("sign-in-problem", HTMLElement);
  readonly #onEnter: OnEnter;

  /** Calls `onEnter` with a client, the namespaces that it can search, and who is signed in. */
  constructor(onEnter: OnEnter) {
    this.#onEnter = onEnter;
    byId("sign-in-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#submit();
    });
    window.addEventListener("hashchange", () => void this.#useCode());
  }

  /** Signs in with the code in the address, or continues with the session of this browser; else shows the form. */
  async start(): Promise<void> {
    if (await this.#useCode()) return;
    if (!mayHaveSession()) {
      this.#show();
      return;
    }
    try {
      await this.#enter(await currentUser());
    } catch (error) {
      const failure = failureIn(error);
      if (failure.isRefusal) await closeSession();
      // A session that ended by itself needs no alarm.
      this.#show(failure.code === "UNAUTHENTICATED" ? undefined : failure);
    }
  }

  /** Ends the session and shows the form, with the failure that led back to it. */
  async leave(failure?: Failure): Promise<void> {
    const isOver = failure?.code === "UNAUTHENTICATED";
    this.#show(isOver ? { ...failure, title: "Your session has ended" } : failure);
    await closeSession();
  }

  #show(failure?: Failure): void {
    document.title = "svc search";
    this.#view.hidden = false;
    this.#showFailure(failure);
    this.#key.focus();
  }

  /** Uses the one-time code in the address, if there is one. It does not stay in the address or the history. */
  async #useCode(): Promise<boolean> {
    const { code } = ONE_TIME_CODE.exec(location.hash)?.groups ?? {};
    if (code === undefined) return false;
    history.replaceState(undefined, "", "#");
    try {
      await this.#enter(await openSession({ code }));
    } catch (error) {
      const failure = failureIn(error);
      // The link was opened a second time, in a browser that is signed in already.
      if (mayHaveSession()) await this.start();
      else this.#show(failure);
    }
    return true;
  }

  async #submit(): Promise<void> {
    if (this.#button.disabled) return;
    const secret = this.#key.value.trim();
    if (!HEADER_VALUE.test(secret)) {
      this.#refuse(secret === "" ? MISSING_KEY : INVALID_KEY);
      return;
    }
    this.#setBusy(true);
    try {
      await this.#enter(await openSession({ secret }));
    } catch (error) {
      this.#refuse(failureIn(error));
    } finally {
      this.#setBusy(false);
    }
  }

  async #enter(user: User): Promise<void> {
    const client = new SearchClient();
    const namespaces = await client.namespaces();
    // From here on only the session knows the credential.
    this.#key.value = "";
    this.#showFailure(undefined);
    this.#view.hidden = true;
    this.#onEnter(client, namespaces, user);
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
  title: "Paste an API key or an access token",
  detail: "An API key begins with svk_, an access token with svt_.",
  code: "",
  isRefusal: true,
};

const INVALID_KEY: Failure = {
  title: "This is not an API key",
  detail: "It is one word of letters, digits and underscores. Copy it again as a whole.",
  code: "",
  isRefusal: true,
};
