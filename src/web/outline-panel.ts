// The definitions in a file, nested, each a link to its line.
import { byId, element, link } from "./dom.ts";
import { makeVisible } from "./make-visible.ts";
import type { FileSymbol } from "./search-response.ts";

/** Deeper definitions are not indented further. */
const MAX_INDENT = 6;

export class OutlinePanel {
  readonly #panel = byId("outline", HTMLElement);

  show(symbols: readonly FileSymbol[], addressOf: (line: number) => `#${string}`): void {
    const items = symbols.map(({ name, kind, signature, start_line: line, place, depth }) => {
      const made = link(
        addressOf(line),
        { title: makeVisible(place ?? signature) },
        element(
          "span",
          { class: `kind kind-${/^[a-z]+$/.test(kind) ? kind : "other"}` },
          kind.slice(0, 1),
        ),
        element("bdi", {}, makeVisible(name)),
      );
      made.firstElementChild?.setAttribute("aria-hidden", "true");
      const item = element("li", {}, made);
      item.style.setProperty("--level", String(Math.min(depth, MAX_INDENT)));
      return item;
    });
    const empty = element("p", { class: "muted" }, "No definitions were found in this file.");
    this.#panel.replaceChildren(
      element("h2", {}, "Outline"),
      items.length === 0 ? empty : element("ul", {}, ...items),
    );
  }

  clear(): void {
    this.#panel.replaceChildren();
  }

  focus(): void {
    this.#panel.querySelector<HTMLElement>("a")?.focus();
  }
}
