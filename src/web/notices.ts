// The notices that are shown with the results.
import { button, element, withCode } from "./dom.ts";
import type { Failure } from "./failure.ts";
import { percentOf } from "./shown-result.ts";
import { ALL_NAMESPACES, countedNoun, type FoundPage } from "./searcher.ts";
import type { Building } from "./search-response.ts";

/** Returns a box with a failure and buttons for possible next steps. */
export function problemBox(failure: Failure, ...actions: readonly HTMLElement[]): HTMLElement {
  const parts: HTMLElement[] = [element("strong", {}, failure.title)];
  if (failure.detail !== "") parts.push(element("p", {}, ...withCode(failure.detail)));
  if (actions.length > 0) parts.push(element("div", { class: "actions" }, ...actions));
  return element("div", { class: "notice problem" }, ...parts);
}

/** Returns notices about the quality and completeness of an answer; empty if there are none. */
export function noticesOf(
  { facts, results }: FoundPage,
  searchAgain: () => void,
): readonly HTMLElement[] {
  const notices: HTMLElement[] = [];
  if (facts.building !== null) {
    const retryButton = button("Search again", {}, searchAgain);
    notices.push(notice(buildingNote(facts.building), retryButton));
  }
  for (const sentence of facts.remarks) notices.push(notice(sentence));
  for (const { from, to } of facts.respelled) {
    notices.push(notice(`No match for “${from}”; searched for “${to}”.`));
  }
  if (facts.isWeak && results.length > 0) {
    notices.push(
      notice("No good match; these are the closest results. Other words may find more."),
    );
  }
  return notices;
}

/** Creates a notice with a text and buttons. */
export function notice(text: string, ...actions: readonly HTMLElement[]): HTMLElement {
  return element("div", { class: "notice" }, element("p", {}, text), ...actions);
}

function buildingNote({ stage, done, total }: Building): string {
  if (stage === "documents") {
    return `Documents are still being read (${done} of ${total}): results from PDFs, office files and notebooks may be missing.`;
  }
  if (stage === "syntax") {
    return `The index is being refined (${done} of ${total} files parsed): definitions may still be missing.`;
  }
  return `The index is still being built (${done} of ${total} files read): better results may appear soon.`;
}

/** Returns the line above the results: their number, the namespace and the time. */
export function summaryOf(shown: number, page: FoundPage): string {
  const { mode, found, cursor, namespace, tookMs, facts } = page;
  const passages =
    cursor !== undefined ? `First ${countedNoun(shown, "passage")}` : countedNoun(shown, "passage");
  const all = mode === "words" ? passages : found;
  const match = mode === "words" ? `confidence ${percentOf(facts.confidence)}` : "";
  return [
    shown === 0 ? "Nothing found" : all,
    shown === 0 ? "" : match,
    namespace === ALL_NAMESPACES ? "all namespaces" : namespace,
    `${Math.max(1, Math.round(tookMs))} ms`,
  ]
    .filter((part) => part !== "")
    .join(" · ");
}
