// The panel of a name: its definitions and their users.
import { fileAddress, writeAddress } from "./address.ts";
import { pathParts } from "./code-row.ts";
import { linesOf } from "./code-lines.ts";
import { tokensOf } from "./code-tokens.ts";
import { button, element, link } from "./dom.ts";
import { SearchError } from "./failure.ts";
import { makeVisible } from "./make-visible.ts";
import type { SearchQuery } from "./search-query.ts";
import type { DefinitionRecord, NameResponse, ReferencesResponse } from "./search-response.ts";
import { countedNoun } from "./searcher.ts";

interface NamePanelOptions {
  readonly panel: HTMLElement;
  readonly references: (
    definition: DefinitionRecord,
    relation: "references" | "callers",
    cursor: string | undefined,
  ) => Promise<ReferencesResponse>;
  readonly close: () => void;
  /** Called when more references could not be listed. */
  readonly onFailure: (error: unknown) => void;
}

/** Where the file of the name is, for addresses and colors. */
export interface NamePlace {
  readonly searchQuery: SearchQuery;
  readonly language: string;
}

export class NamePanel {
  readonly #options: NamePanelOptions;
  /** Counts what was shown: answers for an earlier name come too late. */
  #shown = 0;

  constructor(options: NamePanelOptions) {
    this.#options = options;
  }

  /** Shows a name; its references follow. */
  show(answer: NameResponse, place: NamePlace): void {
    this.#shown += 1;
    const { name, definitions } = answer;
    const closeButton = button("Close", { class: "close" }, this.#options.close);
    const head = element(
      "div",
      { class: "panel-head" },
      element("h2", { tabindex: "-1" }, element("bdi", {}, makeVisible(name))),
      closeButton,
    );
    const search = link(
      writeAddress({
        searchQuery: { ...place.searchQuery, text: `"${name}"` },
        file: undefined,
      }),
      {},
      "Find this text everywhere",
    );
    const isByName = definitions.some(({ certainty }) => certainty === "name");
    const title = isByName ? "Possible definitions, by name" : "Definition";
    const shown = definitions.map((one) => definitionBlock(one, place));
    const parts =
      definitions.length === 0
        ? [element("p", { class: "muted" }, "It is not defined in this project.")]
        : [element("h3", {}, title), ...shown];
    const references = element("div", { class: "references" });
    this.#options.panel.replaceChildren(head, ...parts, references, element("p", {}, search));
    this.#options.panel.scrollTo(0, 0);
    const [best] = definitions;
    if (best !== undefined) void this.#showReferences(best, references, place);
  }

  focus(): void {
    this.#options.panel.querySelector<HTMLElement>("h2")?.focus();
  }

  async #showReferences(
    definition: DefinitionRecord,
    target: HTMLElement,
    place: NamePlace,
  ): Promise<void> {
    const shown = this.#shown;
    const list = async (relation: "references" | "callers"): Promise<void> => {
      try {
        const answer = await this.#options.references(definition, relation, undefined);
        if (shown !== this.#shown) return;
        const more = (cursor: string): Promise<ReferencesResponse> =>
          this.#options.references(definition, relation, cursor);
        const { onFailure } = this.#options;
        target.replaceChildren(
          tabs(relation),
          ...referenceList(answer, { relation, place, more, onFailure }),
        );
      } catch (error) {
        if (!(error instanceof SearchError)) throw error;
        if (shown !== this.#shown) return;
        target.replaceChildren(element("p", { class: "muted" }, error.failure.detail));
      }
    };
    const tabs = (current: "references" | "callers"): HTMLElement =>
      element(
        "div",
        { class: "choices", role: "group", "aria-label": "Relation" },
        ...(["references", "callers"] as const).map((relation) =>
          button(
            relation === "references" ? "References" : "Callers",
            { "aria-pressed": String(relation === current) },
            () => void list(relation),
          ),
        ),
      );
    await list("references");
  }
}

/** Signature, comment and place of a definition. */
export function definitionBlock(
  { path, name_line: line, start_line, end_line, kind, signature, doc }: DefinitionRecord,
  { searchQuery, language }: NamePlace,
): HTMLElement {
  const file = fileAddress(path, { start: line, end: line });
  const place = link(writeAddress({ searchQuery, file }), { class: "path" }, ...pathParts(path));
  return element(
    "div",
    { class: "definition" },
    signatureLine(signature, language),
    doc === "" ? "" : element("p", { class: "doc" }, makeVisible(doc)),
    element(
      "p",
      { class: "place" },
      element("span", { class: "kind" }, kind),
      " ",
      place,
      element("span", { class: "span" }, `:${start_line}-${end_line}`),
    ),
  );
}

function signatureLine(signature: string, language: string): HTMLElement {
  const [line = []] = linesOf(signature, tokensOf(signature, language), []);
  const pieces = line.map(({ text, kind }) =>
    kind === undefined ? makeVisible(text) : element("span", { class: kind }, makeVisible(text)),
  );
  return element("code", { class: "signature" }, ...pieces);
}

interface ListOptions {
  readonly relation: string;
  readonly place: NamePlace;
  readonly more: (cursor: string) => Promise<ReferencesResponse>;
  readonly onFailure: (error: unknown) => void;
}

function referenceList(answer: ReferencesResponse, options: ListOptions): readonly HTMLElement[] {
  const { exact, by_name: byName, files } = answer;
  if (exact + byName === 0) {
    return [element("p", { class: "muted" }, `No ${options.relation} were found.`)];
  }
  const summary = `${exact} exact, ${byName} by name, in ${countedNoun(files, "file")}`;
  const lists = element("div", {}, ...groups(answer, options));
  const moreButton = button("More", { class: "more-references" }, () => {
    showMore().catch(options.onFailure);
  });
  let cursor = answer.next_cursor;
  const showMore = async (): Promise<void> => {
    if (cursor === null) return;
    const next = await options.more(cursor);
    cursor = next.next_cursor;
    lists.append(...groups(next, options));
    moreButton.hidden = cursor === null;
  };
  moreButton.hidden = cursor === null;
  return [element("p", { class: "muted" }, summary), lists, moreButton];
}

/** The places by certainty, and then by file. */
function groups(
  { references }: ReferencesResponse,
  { place }: ListOptions,
): readonly HTMLElement[] {
  const byCertainty = Map.groupBy(references, ({ certainty }) => certainty);
  return [...byCertainty].flatMap(([certainty, places]) => {
    const byFile = Map.groupBy(places, ({ path }) => path);
    const title = certainty === "exact" ? "Exact" : "Only by name";
    const files = [...byFile].map(([path, lines]) =>
      element(
        "li",
        {},
        element("p", { class: "path" }, ...pathParts(path)),
        element("ul", {}, ...lines.map((one) => referenceLine(one, place))),
      ),
    );
    return [element("h3", {}, title), element("ul", { class: "files" }, ...files)];
  });
}

function referenceLine(
  { path, line, text, symbol }: ReferencesResponse["references"][number],
  { searchQuery, language }: NamePlace,
): HTMLElement {
  const file = fileAddress(path, { start: line, end: line });
  const made = link(
    writeAddress({ searchQuery, file }),
    { class: "reference" },
    element("span", { class: "number" }, String(line)),
    signatureLine(text, language),
  );
  if (symbol !== "") made.title = makeVisible(`in ${symbol}`);
  return element("li", {}, made);
}
