// What is said beside the results.
import type { SearchResponse } from "./search-response.ts";
import { button, element } from "./dom.ts";
import type { Failure } from "./failure.ts";

/** A failure, with what can be done about it. */
export function problemBox(failure: Failure, ...actions: readonly HTMLElement[]): HTMLElement {
  const parts: HTMLElement[] = [element("strong", {}, failure.title)];
  if (failure.detail !== "") parts.push(element("p", {}, ...withCode(failure.detail)));
  if (actions.length > 0) parts.push(element("div", { class: "actions" }, ...actions));
  return element("div", { class: "notice problem" }, ...parts);
}

/** How good and how complete an answer is; nothing if there is nothing to say. */
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
    notices.push(notice(`“${from}” stands nowhere: searched for “${to}”.`));
  }
  if (response.weak && response.results.length > 0) {
    notices.push(notice("No good match: this is the nearest there is. Other words may find more."));
  }
  return notices;
}

/** Sentences as text, with what stands in backticks as code. */
function withCode(text: string): readonly (Node | string)[] {
  return text.split("`").map((part, at) => (at % 2 === 1 ? element("code", {}, part) : part));
}

export function notice(text: string, ...actions: readonly HTMLElement[]): HTMLElement {
  return element("div", { class: "notice" }, element("p", {}, text), ...actions);
}

function buildingNote({ stage, done, total }: NonNullable<SearchResponse["building"]>): string {
  if (stage === "syntax") {
    return `The index is being refined (${done} of ${total} files parsed): definitions may yet be missing.`;
  }
  return `The index is still being built (${done} of ${total} files read): there may be better answers soon.`;
}

/** Of the whole list of results, for the line above it. */
export function summaryOf(shown: number, response: SearchResponse): string {
  const passages = shown === 1 ? "1 passage" : `${shown} passages`;
  const all = shown === 0 ? "Nothing found" : passages;
  const count = response.next_cursor === null ? all : `First ${passages}`;
  return [count, response.namespace, `${Math.max(1, Math.round(response.took_ms))} ms`].join(" · ");
}
