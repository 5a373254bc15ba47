// The files next to a file: a tree whose folders are loaded when they are opened.
import { element } from "./dom.ts";
import { makeVisible } from "./make-visible.ts";
import type { FolderResponse } from "./search-response.ts";

interface TreeOptions {
  readonly tree: HTMLElement;
  readonly list: (folder: string) => Promise<FolderResponse>;
  /** Opens a file, or a folder whose path ends with a slash. */
  readonly open: (path: string) => void;
  /** Called when a folder that the user opened could not be listed. */
  readonly onFailure: (error: unknown) => void;
}

/** A row of the tree. */
interface TreeItem {
  readonly node: HTMLElement;
  /** A folder ends with a slash. */
  readonly path: string;
  readonly children: HTMLElement | undefined;
}

/** A tree as ARIA describes it: one tab stop, and arrow keys between the rows. */
export class FolderTree {
  readonly #options: TreeOptions;
  #items = new Map<HTMLElement, TreeItem>();
  /** The folders that are loaded or being loaded. */
  #loads = new Map<string, Promise<void>>();
  /** The path that was asked for last. */
  #revealed = "";

  constructor(options: TreeOptions) {
    this.#options = options;
    const { tree } = options;
    tree.addEventListener("click", (event) => {
      const item = this.#itemOf(event.target);
      if (item !== undefined) this.#activate(item);
    });
    tree.addEventListener("keydown", (event) => {
      const item = this.#itemOf(event.target);
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (item === undefined || !isPlain || !this.#onKey(event.key, item)) return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** Forgets everything; the next `reveal` loads it again. */
  clear(): void {
    this.#items = new Map();
    this.#loads = new Map();
    this.#options.tree.replaceChildren();
  }

  /** Opens the folders around a path and marks its row. */
  async reveal(path: string): Promise<void> {
    this.#revealed = path;
    await this.#load("", this.#options.tree, 1);
    const parts = path.split("/");
    let folder = "";
    for (const part of parts.slice(0, -1)) {
      folder += `${part}/`;
      const item = this.#itemAt(folder);
      if (item === undefined) break;
      // oxlint-disable-next-line no-await-in-loop -- each folder is in the one before
      await this.#expand(item);
    }
    // Another file was opened meanwhile.
    if (path !== this.#revealed) return;
    this.#select(this.#itemAt(path) ?? this.#itemAt(folder));
  }

  focus(): void {
    this.#options.tree.querySelector<HTMLElement>("[tabindex='0']")?.focus();
  }

  #activate(item: TreeItem): void {
    this.#setTabStop(item);
    if (item.children === undefined) this.#options.open(item.path);
    else if (isExpanded(item)) collapse(item);
    else this.#open(item);
  }

  /** Returns false for a key that the tree does not use. */
  #onKey(key: string, item: TreeItem): boolean {
    const rows = this.#visibleItems();
    const at = rows.indexOf(item);
    const focusRow = (row: TreeItem | undefined): void => {
      if (row === undefined) return;
      this.#setTabStop(row);
      row.node.focus();
    };
    switch (key) {
      case "ArrowDown":
      case "j":
        focusRow(rows[at + 1]);
        return true;
      case "ArrowUp":
      case "k":
        focusRow(rows[at - 1]);
        return true;
      case "ArrowRight":
        if (item.children !== undefined && !isExpanded(item)) this.#open(item);
        else focusRow(rows[at + 1]);
        return true;
      case "ArrowLeft":
        if (item.children !== undefined && isExpanded(item)) collapse(item);
        else focusRow(this.#itemAt(parentOf(item.path)));
        return true;
      case "Home":
        focusRow(rows[0]);
        return true;
      case "End":
        focusRow(rows.at(-1));
        return true;
      case "Enter":
      case " ":
        this.#activate(item);
        return true;
      default:
        return false;
    }
  }

  #open(item: TreeItem): void {
    this.#expand(item).catch(this.#options.onFailure);
  }

  async #expand(item: TreeItem): Promise<void> {
    const { node, path, children } = item;
    if (children === undefined) return;
    children.hidden = false;
    node.setAttribute("aria-expanded", "true");
    try {
      await this.#load(path, children, Number(node.getAttribute("aria-level")) + 1);
    } catch (error) {
      collapse(item);
      throw error;
    }
  }

  /** Adds the rows of a folder once. After a failure, the next call tries again. */
  #load(folder: string, parent: HTMLElement, level: number): Promise<void> {
    const loads = this.#loads;
    let loading = loads.get(folder);
    if (loading === undefined) {
      loading = this.#addRows(folder, parent, level);
      loads.set(folder, loading);
      loading.catch(() => loads.delete(folder));
    }
    return loading;
  }

  async #addRows(folder: string, parent: HTMLElement, level: number): Promise<void> {
    const items = this.#items;
    const { folders, files } = await this.#options.list(folder);
    // Another namespace was chosen meanwhile.
    if (items !== this.#items) return;
    const names = [...folders.map((name) => `${name}/`), ...files.map(({ name }) => name)];
    for (const name of names) parent.append(...this.#add(`${folder}${name}`, name, level));
    if (level === 1) this.#setTabStop([...items.values()][0]);
  }

  #add(path: string, name: string, level: number): readonly HTMLElement[] {
    const isFolder = name.endsWith("/");
    const label = element("bdi", {}, makeVisible(isFolder ? name.slice(0, -1) : name));
    const node = element(
      "div",
      { role: "treeitem", class: "row", tabindex: "-1", "aria-level": String(level) },
      element("span", { class: isFolder ? "twisty" : "leaf", "aria-hidden": "true" }),
      label,
    );
    node.title = makeVisible(path);
    node.style.setProperty("--level", String(level));
    if (!isFolder) {
      this.#items.set(node, { node, path, children: undefined });
      return [node];
    }
    node.setAttribute("aria-expanded", "false");
    const children = element("div", { role: "group" });
    children.hidden = true;
    this.#items.set(node, { node, path, children });
    return [node, children];
  }

  #select(item: TreeItem | undefined): void {
    for (const { node } of this.#items.values()) node.removeAttribute("aria-current");
    if (item === undefined) return;
    item.node.setAttribute("aria-current", "page");
    this.#setTabStop(item);
    item.node.scrollIntoView({ block: "nearest" });
  }

  #setTabStop(stop: TreeItem | undefined): void {
    for (const item of this.#items.values()) {
      item.node.setAttribute("tabindex", item === stop ? "0" : "-1");
    }
  }

  #itemOf(target: EventTarget | null): TreeItem | undefined {
    const node = target instanceof Element ? target.closest<HTMLElement>("[role=treeitem]") : null;
    return node === null ? undefined : this.#items.get(node);
  }

  #itemAt(path: string): TreeItem | undefined {
    return [...this.#items.values()].find((item) => item.path === path);
  }

  #visibleItems(): readonly TreeItem[] {
    const nodes = this.#options.tree.querySelectorAll<HTMLElement>("[role=treeitem]");
    const shown = [...nodes].filter((node) => node.closest("[hidden]") === null);
    return shown.flatMap((node) => this.#items.get(node) ?? []);
  }
}

function isExpanded({ node }: TreeItem): boolean {
  return node.getAttribute("aria-expanded") === "true";
}

function collapse({ node, children }: TreeItem): void {
  node.setAttribute("aria-expanded", "false");
  if (children !== undefined) children.hidden = true;
}

/** The folder around a path; "" for one at the root. */
function parentOf(path: string): string {
  return path.slice(0, path.replace(/\/$/, "").lastIndexOf("/") + 1);
}
