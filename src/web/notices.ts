// The notices that are shown with the results.
import type { SearchResponse } from "./search-response.ts";
import { button, element } from "./dom.ts";
import type { Failure } from "./failure.ts";

/** Returns a box with a failure and buttons for possible next steps. */
export function problemBox(failure: Failure, ...actions: readonly HTMLElement[]): HTMLElement {
  const parts: HTMLElement[] = [element("strong", {}, failure.title)];
  if (failure.detail !== "") parts.push(element("p", {}, ...withCode(failure.detail)));
  if (actions.length > 0) parts.push(element("div", { class: "actions" }, ...actions));
  return element("div", { class: "notice problem" }, ...parts);
}

/** Returns notices about the quality and completeness of a response; empty if there are none. */
export function noticesOf(
  response: SearchResponse,
  searchAgain: () => void,
): readonly HTMLElement[] {
  const notices: HTMLElement[] = [];
  if (response.building !== null) {
    const retryButton = button("Search again", {}, searchAgain);
    notices.push(notice(buildingNote(response.building), retryButton));
  }
  for (const sentence of response.partial) notices.push(notice(sentence));
  for (const { from, to } of response.respelled) {
    notices.push(notice(`No match for “${from}”; searched for “${to}”.`));
  }
  if (response.weak && response.results.length > 0) {
    notices.push(
      notice("No good match; these are the closest results. Other words may find more."),
    );
  }
  return notices;
}

/** Returns the text with the parts in backticks as code elements. */
function withCode(text: string): readonly (Node | string)[] {
  return text.split("`").map((part, at) => (at % 2 === 1 ? element("code", {}, part) : part));
}

/** Creates a notice with a text and buttons. */
export function notice(text: string, ...actions: readonly HTMLElement[]): HTMLElement {
  return element("div", { class: "notice" }, element("p", {}, text), ...actions);
}

function buildingNote({ stage, done, total }: NonNullable<SearchResponse["building"]>): string {
  if (stage === "syntax") {
    return `The index is being refined (${done} of ${total} files parsed): definitions may still be missing.`;
  }
  return `The index is still being built (${done} of ${total} files read): better results may appear soon.`;
}

/** Returns the line above the results: their number, the namespace and the time. */
export function summaryOf(shown: number, response: SearchResponse): string {
  const passages = shown === 1 ? "1 passage" : `${shown} passages`;
  const all = shown === 0 ? "Nothing found" : passages;
  const count = response.next_cursor === null ? all : `First ${passages}`;
  return [count, response.namespace, `${Math.max(1, Math.round(response.took_ms))} ms`].join(" · ");
}
