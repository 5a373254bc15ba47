import { byId } from "./dom.ts";
import type { Failure } from "./failure.ts";

/** The button that leads to the admin's view, whose code is loaded with the first click. */
export class AdminButton {
  readonly #button = byId("admin-button", HTMLButtonElement);
  readonly #search = byId("search", HTMLElement);
  readonly #view = byId("admin", HTMLElement);

  /** Calls `onRefused` when the server accepts the session no longer. */
  constructor(onRefused: (failure: Failure) => void) {
    this.#button.addEventListener("click", () => void this.#open(onRefused));
  }

  /** Shows or hides the button; the view is closed in any case. */
  offer(isOffered: boolean): void {
    this.#button.hidden = !isOffered;
    this.#view.replaceChildren();
    this.#view.hidden = true;
  }

  async #open(onRefused: (failure: Failure) => void): Promise<void> {
    const { AdminView } = await import("./admin.ts");
    this.#search.hidden = true;
    this.#view.hidden = false;
    const view = new AdminView(this.#view, {
      onBack: () => this.#close(),
      onRefused: (failure) => {
        this.#close();
        onRefused(failure);
      },
    });
    await view.load();
  }

  #close(): void {
    this.#view.replaceChildren();
    this.#view.hidden = true;
    this.#search.hidden = false;
    document.title = "svc search";
    this.#button.focus();
  }
}
