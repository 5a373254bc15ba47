// Signature and comment of the name under the pointer.
import { byId } from "./dom.ts";
import type { CodePane, PlacedName } from "./code-pane.ts";
import { definitionBlock, type NamePlace } from "./name-panel.ts";
import type { NameResponse } from "./search-response.ts";

const DELAY_MS = 300;
/** Pieces of code that are not names. */
const NO_NAME = ".comment, .string, .literal, .keyword, .number";

interface HoverOptions {
  readonly code: CodePane;
  readonly pane: HTMLElement;
  /** Undefined when it cannot be found out. */
  readonly explain: (name: PlacedName) => Promise<NameResponse | undefined>;
  readonly place: () => NamePlace;
}

export class HoverCard {
  readonly #card = byId("hover", HTMLElement);
  readonly #options: HoverOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #shown = "";

  constructor(options: HoverOptions) {
    this.#options = options;
    const { pane } = options;
    pane.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "mouse" || event.buttons !== 0) return;
      this.#onMove(event.clientX, event.clientY, event.target);
    });
    pane.addEventListener("pointerleave", () => this.hide());
    pane.addEventListener("scroll", () => this.hide(), { passive: true });
    pane.addEventListener("pointerdown", () => this.hide());
  }

  hide(): void {
    clearTimeout(this.#timer);
    this.#shown = "";
    this.#card.hidden = true;
  }

  #onMove(x: number, y: number, target: EventTarget | null): void {
    const isCode = target instanceof Element && target.closest(NO_NAME) === null;
    const name = isCode ? this.#options.code.nameAt(x, y) : undefined;
    const box = name && this.#options.code.boxOf(name);
    if (name === undefined || box === undefined || x > box.right + 1) {
      this.hide();
      return;
    }
    const key = `${name.line}:${name.column}`;
    if (key === this.#shown) return;
    this.hide();
    this.#shown = key;
    this.#timer = setTimeout(() => void this.#show(name, key, box), DELAY_MS);
  }

  async #show(name: PlacedName, key: string, box: DOMRect): Promise<void> {
    const answer = await this.#options.explain(name);
    const [best] = answer?.definitions ?? [];
    if (best === undefined || key !== this.#shown) return;
    const card = this.#card;
    card.replaceChildren(definitionBlock(best, this.#options.place()));
    card.hidden = false;
    const isBelow = box.top < card.offsetHeight + 90;
    const top = isBelow ? box.bottom + 6 : box.top - card.offsetHeight - 6;
    const left = Math.max(8, Math.min(box.left, window.innerWidth - card.offsetWidth - 8));
    card.style.setProperty("top", `${top}px`);
    card.style.setProperty("left", `${left}px`);
  }
}
