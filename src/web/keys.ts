// Keyboard shortcuts. Those of a single letter or sign can be turned off, because dictation types them too.
import { byId } from "./dom.ts";
import type { Page } from "./page.ts";

/** Installs the keyboard shortcuts. */
export function listenToKeys(page: Page): void {
  const help = byId("help", HTMLDialogElement);
  const singleKeys = byId("single-keys", HTMLInputElement);
  const openHelp = (): void => help.showModal();
  byId("help-button", HTMLButtonElement).addEventListener("click", openHelp);
  document.addEventListener("keydown", (event) => {
    const isShortcut = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
    if (!isShortcut || help.open || byId("search", HTMLElement).hidden) return;
    const action = actionFor(event.key, page, { openHelp, hasSingleKeys: singleKeys.checked });
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}

interface ShortcutContext {
  readonly openHelp: () => void;
  readonly hasSingleKeys: boolean;
}

type Action = () => void;

function actionFor(key: string, page: Page, context: ShortcutContext): Action | undefined {
  const { form, search } = page;
  const { activeElement } = document;
  const toQuery = (): void => {
    form.query.focus();
    form.query.select();
  };
  if (isField(activeElement)) {
    if (key === "Escape") return page.isShowingFile ? () => page.file.focusText() : toQuery;
    const isDown = key === "ArrowDown" && activeElement === form.query;
    if (!isDown) return undefined;
    if (page.isShowingFile) return () => page.file.focusText();
    return search.results.length > 0 ? () => search.results.focusFirst() : undefined;
  }
  if (context.hasSingleKeys) {
    if (key === "/") return toQuery;
    if (key === "?") return context.openHelp;
  }
  return page.isShowingFile
    ? fileAction(key, page, context.hasSingleKeys)
    : resultAction(key, page, { hasSingleKeys: context.hasSingleKeys, toQuery });
}

function resultAction(
  key: string,
  { search: { results } }: Page,
  { hasSingleKeys, toQuery }: { readonly hasSingleKeys: boolean; readonly toQuery: Action },
): Action | undefined {
  const { current } = results;
  const back = (): void => {
    if (!results.move(-1)) toQuery();
  };
  switch (key) {
    case "Escape":
      return current === undefined || current.isFocused ? toQuery : () => current.focus();
    case "ArrowDown":
      return () => void (current?.moveLine(1) === true || results.move(1));
    case "ArrowUp":
      return () => (current?.moveLine(-1) === true ? undefined : back());
    case "Enter":
      return current?.isFocused === true ? () => current.open() : undefined;
    default:
      break;
  }
  if (!hasSingleKeys) return undefined;
  const letters: Readonly<Record<string, Action | undefined>> = {
    j: () => void results.move(1),
    k: back,
    c: current && (() => void current.copy()),
    x: current && (() => current.toggle()),
  };
  return letters[key];
}

function fileAction(key: string, page: Page, hasSingleKeys: boolean): Action | undefined {
  const { file } = page;
  if (key === "Escape") {
    return () => {
      if (!file.closePanel()) page.showResults();
    };
  }
  if (file.code.focusedLine > 0 && key === "ArrowDown") return () => file.code.moveLine(1);
  if (file.code.focusedLine > 0 && key === "ArrowUp") return () => file.code.moveLine(-1);
  if (!hasSingleKeys) return undefined;
  const letters: Readonly<Record<string, Action>> = {
    j: () => file.code.moveLine(1),
    k: () => file.code.moveLine(-1),
    t: () => file.toggleTree(),
    o: () => file.toggleOutline(),
    i: () => file.showNamesOfLine(),
    u: () => file.up(),
    y: () => click("#file-actions [title^='Copy a link']"),
    e: () => click("#open-editor"),
  };
  return letters[key];
}

function click(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.click();
}

/** Returns true when the user types into this element. */
function isField(focused: Element | null): boolean {
  const isText = focused instanceof HTMLInputElement && focused.type !== "checkbox";
  return isText || focused instanceof HTMLSelectElement;
}
