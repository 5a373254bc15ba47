// The head above a file: its path, its properties and the actions for it.
import { fileAddress, linesText, writeAddress, type FileAddress } from "./address.ts";
import { copyText } from "./clipboard.ts";
import { button, byId, element, link } from "./dom.ts";
import { makeVisible } from "./make-visible.ts";
import type { SearchQuery } from "./search-query.ts";
import type { FileResponse } from "./search-response.ts";
import { countedNoun } from "./searcher.ts";

/** A file with its address. */
export interface ShownFile {
  readonly file: FileResponse;
  readonly address: FileAddress;
  readonly searchQuery: SearchQuery;
  /** Whether the file is a document that can be shown as one. */
  readonly isDocument: boolean;
}

export class FileHead {
  readonly #crumbs = byId("crumbs", HTMLOListElement);
  readonly #facts = byId("file-facts", HTMLElement);
  readonly #actions = byId("file-actions", HTMLElement);
  readonly #announce: (text: string) => void;

  constructor(announce: (text: string) => void) {
    this.#announce = announce;
  }

  /** Shows the folders that lead to a path. */
  showPath(path: string, searchQuery: SearchQuery): void {
    const parts = path
      .replace(/\/$/, "")
      .split("/")
      .filter((part) => part !== "");
    const root = searchQuery.namespace === "" ? "root" : searchQuery.namespace;
    const crumb = (label: string, at: number): HTMLElement => {
      const isLast = at === parts.length - 1;
      const isFolder = !isLast || path.endsWith("/");
      const to = parts.slice(0, at + 1).join("/") + (isFolder && at >= 0 ? "/" : "");
      const made = link(
        writeAddress({ searchQuery, file: fileAddress(to) }),
        isLast ? { "aria-current": "page" } : {},
        element("bdi", {}, makeVisible(label)),
      );
      return element("li", {}, made);
    };
    this.#crumbs.replaceChildren(crumb(root, -1), ...parts.map((part, at) => crumb(part, at)));
    this.#facts.replaceChildren();
    this.#actions.replaceChildren();
  }

  showFile(shown: ShownFile): void {
    const { file } = shown;
    const facts = [
      file.language,
      file.binary ? "binary" : countedNoun(file.lines, "line"),
      byteText(file.bytes),
      ...(file.commit === "" ? [] : [`commit ${file.commit.slice(0, 8)}`]),
    ].filter((fact) => fact !== "");
    this.#facts.replaceChildren(
      ...facts.map((fact) => element("span", { class: "fact" }, fact)),
      ...(file.changed
        ? [element("span", { class: "fact changed" }, "changed since indexing")]
        : []),
    );
    this.#actions.replaceChildren(...this.#buttons(shown));
  }

  #buttons(shown: ShownFile): readonly HTMLElement[] {
    const { file, address, searchQuery, isDocument } = shown;
    const copyButton = (label: string, title: string, text: () => string): HTMLButtonElement => {
      const made = button(label, { title }, () => void copyText(text(), made, this.#announce));
      return made;
    };
    const isSource = !address.isSource;
    const view = writeAddress({ searchQuery, file: { ...address, isSource } });
    const lines = address.lines;
    const editor = file.local_path === "" ? [] : [editorLink(file.local_path, lines?.start ?? 1)];
    return [
      ...(isDocument
        ? [link(view, { class: "button" }, address.isSource ? "Document" : "Source")]
        : []),
      ...(file.binary
        ? []
        : [
            copyButton("Copy", "Copy the file, or the marked lines", () => markedText(shown)),
            button("Raw", { title: "Show the plain text in a new tab" }, () => openRaw(file)),
          ]),
      copyButton("Copy link", "Copy a link to this place (y)", () => permalinkOf(shown)),
      ...editor,
    ];
  }
}

/** The marked lines, or all. */
function markedText({ file, address }: ShownFile): string {
  const { lines } = address;
  if (lines === undefined) return file.text;
  return file.text
    .split("\n")
    .slice(lines.start - 1, lines.end)
    .join("\n");
}

/** The address without the query, and with the commit if the index knows it. */
function permalinkOf({ file, address }: ShownFile): string {
  const { namespace, commit } = file;
  const fragment = writeAddress({
    searchQuery: { text: "", namespace },
    file: { ...address, commit },
  });
  return `${location.origin}${location.pathname}${fragment}`;
}

/** Opens the text by itself. As plain text of this page's origin it can do nothing. */
function openRaw({ text }: FileResponse): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  window.open(url, "_blank");
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function editorLink(path: string, line: number): HTMLAnchorElement {
  const made = element("a", { class: "button", title: "Open in Visual Studio Code (e)" }, "Editor");
  const steps = path.split(/[/\\]/).map((part) => encodeURIComponent(part));
  // Only the server knows the path, and every part of it is escaped.
  made.href = `vscode://file${path.startsWith("/") ? "" : "/"}${steps.join("/")}:${line}`;
  made.id = "open-editor";
  return made;
}

export function byteText(bytes: number): string {
  if (bytes < 1024) return countedNoun(bytes, "byte");
  const units = ["KB", "MB", "GB"];
  let size = bytes / 1024;
  let unit = 0;
  for (; size >= 1024 && unit < units.length - 1; unit += 1) size /= 1024;
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
}

/** `src/a.ts:10-20`, as people write it. */
export function placeText({ path, lines }: FileAddress): string {
  return makeVisible(lines === undefined ? path : `${path}:${linesText(lines)}`);
}
