// Keyboard shortcuts. Those of a single letter or sign can be turned off, because dictation types them too.
import { byId } from "./dom.ts";
import type { SearchView } from "./search-view.ts";

/** Installs the keyboard shortcuts. */
export function listenToKeys(view: SearchView): void {
  const help = byId("help", HTMLDialogElement);
  const singleKeys = byId("single-keys", HTMLInputElement);
  const openHelp = (): void => help.showModal();
  byId("help-button", HTMLButtonElement).addEventListener("click", openHelp);
  document.addEventListener("keydown", (event) => {
    const isShortcut = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
    if (!isShortcut || help.open || byId("search", HTMLElement).hidden) return;
    const action = actionFor(event.key, view, { openHelp, hasSingleKeys: singleKeys.checked });
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

function actionFor(
  key: string,
  view: SearchView,
  { openHelp, hasSingleKeys }: ShortcutContext,
): Action | undefined {
  const { results, form } = view;
  const toQuery = (): void => {
    form.query.focus();
    form.query.select();
  };
  const { activeElement } = document;
  if (isField(activeElement)) {
    if (key === "Escape") return toQuery;
    return key === "ArrowDown" && activeElement === form.query && results.length > 0
      ? () => results.focusFirst()
      : undefined;
  }
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
      return current?.isFocused === true ? () => current.toggle() : undefined;
    default:
      return hasSingleKeys ? letterAction(key, { view, openHelp, toQuery, back }) : undefined;
  }
}

function letterAction(
  key: string,
  {
    view,
    openHelp,
    toQuery,
    back,
  }: Record<"openHelp" | "toQuery" | "back", Action> & { readonly view: SearchView },
): Action | undefined {
  const { results } = view;
  switch (key) {
    case "/":
      return toQuery;
    case "?":
      return openHelp;
    case "j":
      return () => void results.move(1);
    case "k":
      return back;
    case "c":
      return results.current === undefined ? undefined : () => void results.current?.copy();
    default:
      return undefined;
  }
}

/** Returns true when the user types into this element. */
function isField(focused: Element | null): boolean {
  return focused instanceof HTMLInputElement && focused.type !== "checkbox";
}
