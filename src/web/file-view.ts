// Shows a file or a folder: its text with colors, its outline, the files next to it, and what a name in it means.
import { fileAddress, writeAddress, type FileAddress, type MarkedLines } from "./address.ts";
import { fileTokens } from "./code-colors.ts";
import { CodePane, type PlacedName } from "./code-pane.ts";
import { button, byId, element } from "./dom.ts";
import { SearchError, type Failure } from "./failure.ts";
import { FileHead, placeText, type ShownFile } from "./file-head.ts";
import { FileNotices } from "./file-notices.ts";
import { OutlinePanel } from "./outline-panel.ts";
import { folderTable } from "./folder-list.ts";
import { FolderTree } from "./folder-tree.ts";
import { HoverCard } from "./hover-card.ts";
import { makeVisible } from "./make-visible.ts";
import { NamePanel, type NamePlace } from "./name-panel.ts";
import type { SearchClient } from "./search-client.ts";
import type { SearchQuery } from "./search-query.ts";
import type {
  ColorsResponse,
  FileResponse,
  FolderResponse,
  NameResponse,
  ReferencesResponse,
} from "./search-response.ts";
import { inNamespace } from "./suggestions.ts";

interface FileViewOptions {
  readonly announce: (text: string) => void;
  /** Called when the server does not accept the key any more. */
  readonly onRefusal: (failure: Failure) => void;
}

/** Longer documents are shown as source. */
const MAX_DOCUMENT = 512 * 1024;
const README = /^readme(?:\.md|\.markdown)$/i;

export class FileView {
  readonly #options: FileViewOptions;
  readonly #head: FileHead;
  readonly #outline = new OutlinePanel();
  readonly #pane = byId("code", HTMLElement);
  readonly #document = byId("document", HTMLElement);
  readonly #notices = new FileNotices();
  readonly #side = byId("side", HTMLElement);
  readonly #treePane = byId("tree-pane", HTMLElement);
  readonly #namePanel = byId("name-panel", HTMLElement);
  readonly #progress = byId("progress", HTMLElement);
  readonly #code: CodePane;
  readonly #tree: FolderTree;
  readonly #names: NamePanel;
  readonly #hover: HoverCard;
  readonly #explained = new Map<string, Promise<NameResponse>>();
  #client: SearchClient | undefined;
  #searchQuery: SearchQuery = { text: "", namespace: "" };
  #shown: ShownFile | undefined;
  /** The namespace that the tree shows. */
  #treeNamespace: string | undefined;
  #request = new AbortController();

  constructor(options: FileViewOptions) {
    this.#options = options;
    this.#head = new FileHead(options.announce);
    this.#code = new CodePane({ pane: this.#pane, addressOf: (lines) => this.#addressOf(lines) });
    this.#tree = new FolderTree({
      tree: byId("tree", HTMLElement),
      list: (folder) => this.#ask<FolderResponse>("/v1/folder", { path: folder }),
      open: (path) => this.#go(path),
      onFailure: (error) => this.#report(error),
    });
    this.#names = new NamePanel({
      panel: this.#namePanel,
      references: (definition, relation, cursor) =>
        this.#ask<ReferencesResponse>("/v1/references", {
          symbol: `${definition.path}#${definition.symbol}`,
          relation,
          ...(cursor === undefined ? {} : { cursor }),
        }),
      close: () => this.closePanel(),
      onFailure: (error) => this.#report(error),
    });
    this.#hover = new HoverCard({
      code: this.#code,
      pane: this.#pane,
      explain: (name) => this.#explain(name).catch(() => undefined),
      place: () => this.#place(),
    });
    this.#pane.addEventListener("click", (event) => {
      const isNumber = event.target instanceof Element && event.target.closest(".number") !== null;
      // Text that was just selected is not a click.
      if (isNumber || getSelection()?.isCollapsed === false) return;
      const name = this.#code.nameAt(event.clientX, event.clientY);
      if (name !== undefined) void this.showName(name);
    });
    // A pane over the file closes when the file is used again.
    byId("file-pane", HTMLElement).addEventListener("pointerdown", (event) => {
      const isButton = event.target instanceof Element && event.target.closest("button") !== null;
      if (!isButton) this.#closePanes();
    });
    this.#side.addEventListener("click", (event) => {
      const isLink = event.target instanceof Element && event.target.closest("a") !== null;
      if (isLink) this.#closePanes();
    });
    byId("tree-button", HTMLButtonElement).addEventListener("click", () => this.toggleTree());
    byId("outline-button", HTMLButtonElement).addEventListener("click", () => this.toggleOutline());
  }

  set client(client: SearchClient | undefined) {
    this.#client = client;
    this.hide();
    this.#shown = undefined;
    this.#treeNamespace = undefined;
    this.#tree.clear();
    this.#code.show("");
    this.#document.replaceChildren();
    this.#namePanel.replaceChildren();
    this.#outline.clear();
  }

  get code(): CodePane {
    return this.#code;
  }

  /** Shows the file or folder of an address. */
  async open(address: FileAddress, searchQuery: SearchQuery): Promise<void> {
    this.#hover.hide();
    this.#searchQuery = searchQuery;
    const shown = this.#shown;
    const isSame =
      shown !== undefined &&
      shown.address.path === address.path &&
      shown.address.commit === address.commit &&
      shown.searchQuery.namespace === searchQuery.namespace;
    if (isSame) {
      this.#showAddress({ ...shown, address, searchQuery });
      return;
    }
    this.#request.abort();
    this.#request = new AbortController();
    const { signal } = this.#request;
    this.#progress.hidden = false;
    this.closePanel();
    try {
      await this.#load(address, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof SearchError)) throw error;
      this.#fail(error.failure, address);
    } finally {
      if (this.#request.signal === signal) this.#progress.hidden = true;
    }
  }

  /** Called when results are shown again. */
  hide(): void {
    this.#request.abort();
    this.#hover.hide();
    this.#progress.hidden = true;
    this.#closePanes();
  }

  /** Shows a name in the panel, where references follow. */
  async showName(name: PlacedName): Promise<void> {
    this.#hover.hide();
    try {
      const answer = await this.#explain(name);
      if (answer.name === "") return;
      this.#names.show(answer, this.#place());
      this.#setPanel(true);
      this.#names.focus();
    } catch (error) {
      this.#report(error);
    }
  }

  /** Lists the names of the focused line, for people without a mouse. */
  showNamesOfLine(): void {
    const line = this.#code.focusedLine || this.#shown?.address.lines?.start || 0;
    const names = this.#code.namesOn(line);
    if (names.length === 0) return;
    const buttons = names.map((name) =>
      element(
        "li",
        {},
        button(makeVisible(name.name), { class: "name" }, () => void this.showName(name)),
      ),
    );
    const heading = element("h2", { tabindex: "-1" }, `Names on line ${line}`);
    const closeButton = button("Close", { class: "close" }, () => this.closePanel());
    this.#namePanel.replaceChildren(
      element("div", { class: "panel-head" }, heading, closeButton),
      element("ul", { class: "names" }, ...buttons),
    );
    this.#setPanel(true);
    this.#namePanel.querySelector<HTMLElement>(".names button")?.focus();
  }

  /** Closes the panel of a name, or a pane over the file; returns false if nothing was open. */
  closePanel(): boolean {
    const isOpen = !this.#namePanel.hidden;
    const hasClosed = this.#closePanes();
    if (isOpen) this.#setPanel(false);
    if (isOpen || hasClosed) this.focusText();
    return isOpen || hasClosed;
  }

  focusText(): void {
    const target = this.#pane.hidden ? this.#document : this.#pane;
    target.focus({ preventScroll: true });
  }

  toggleTree(): void {
    const isOpen = this.#toggle(this.#treePane);
    if (isOpen) this.#tree.focus();
    else this.focusText();
  }

  toggleOutline(): void {
    if (!this.#namePanel.hidden) this.#setPanel(false);
    const isOpen = this.#toggle(this.#side);
    if (isOpen) this.#outline.focus();
    else this.focusText();
  }

  /** Opens the folder of the file. */
  up(): void {
    const { path } = this.#shown?.address ?? { path: "" };
    this.#go(path.slice(0, path.replace(/\/$/, "").lastIndexOf("/") + 1));
  }

  /** On a small screen a pane lies over the file; on a large one it is hidden next to it. */
  #toggle(pane: HTMLElement): boolean {
    const isOver = getComputedStyle(pane).position === "absolute";
    if (isOver) return pane.classList.toggle("open");
    const hasFocus = pane.contains(document.activeElement);
    const isClosed = pane.classList.contains("closed");
    // The first time, an open pane gets the focus.
    if (!isClosed && !hasFocus) return true;
    return !pane.classList.toggle("closed");
  }

  /** Closes the panes that lie over the file; returns false if there were none. */
  #closePanes(): boolean {
    const open = [this.#treePane, this.#side].filter((pane) => pane.classList.contains("open"));
    for (const pane of open) pane.classList.remove("open");
    return open.length > 0;
  }

  #setPanel(isShown: boolean): void {
    this.#namePanel.hidden = !isShown;
    byId("outline", HTMLElement).hidden = isShown;
    if (isShown) this.#side.classList.remove("closed");
    this.#side.classList.toggle(
      "open",
      isShown && getComputedStyle(this.#side).position === "absolute",
    );
  }

  async #load(address: FileAddress, signal: AbortSignal): Promise<void> {
    const { path } = address;
    const { namespace } = this.#searchQuery;
    if (this.#treeNamespace !== namespace) this.#tree.clear();
    this.#treeNamespace = namespace;
    if (path === "" || path.endsWith("/")) {
      await this.#loadFolder(address, signal);
      return;
    }
    const searchQuery = this.#searchQuery;
    const text = this.#file(address, signal);
    // The server answers in this order. The colors are awaited after the text.
    const past = address.commit === "" ? {} : { commit: address.commit };
    const colors = this.#ask<ColorsResponse>("/v1/colors", { path, ...past }, signal);
    colors.catch(() => {});
    const file = await text;
    signal.throwIfAborted();
    this.#explained.clear();
    this.#notices.clear();
    const isDocument = file.language === "markdown" && file.text.length <= MAX_DOCUMENT;
    const rendered = isDocument ? [await this.#markdown(file, signal)] : [];
    this.#head.showPath(path, { ...searchQuery, namespace: file.namespace });
    // The links of the lines and of the outline are of this file.
    this.#shown = { file, address, searchQuery, isDocument };
    this.#code.show(file.text);
    this.#document.replaceChildren(...rendered);
    this.#outline.clear();
    this.#showAddress(this.#shown);
    await painted();
    signal.throwIfAborted();
    this.#outline.show(file.symbols, (line) => this.#addressOf({ start: line, end: line }));
    void this.#tree.reveal(path).catch(() => {});
    const found = await colors.catch(() => undefined);
    signal.throwIfAborted();
    const hasColors = found?.version === file.version;
    const { kinds, pieces } = hasColors ? found : { kinds: [], pieces: null };
    this.#code.tokens = fileTokens(file.text, file.language, { kinds, pieces });
  }

  /** The file as it is in the commit of its address; the present one if the server does not have that. */
  async #file({ path, commit }: FileAddress, signal: AbortSignal): Promise<FileResponse> {
    if (commit !== "") {
      try {
        return await this.#ask<FileResponse>("/v1/file", { path, commit }, signal);
      } catch (error) {
        if (!(error instanceof SearchError) || error.failure.isRefusal) throw error;
      }
    }
    return this.#ask<FileResponse>("/v1/file", { path }, signal);
  }

  async #loadFolder(address: FileAddress, signal: AbortSignal): Promise<void> {
    const { path } = address;
    const searchQuery = this.#searchQuery;
    const folder = await this.#ask<FolderResponse>("/v1/folder", { path }, signal);
    signal.throwIfAborted();
    this.#shown = undefined;
    this.#notices.clear();
    this.#code.show("");
    this.#outline.clear();
    this.#head.showPath(path, { ...searchQuery, namespace: folder.namespace });
    this.#document.replaceChildren(folderTable(folder, { path, searchQuery }));
    document.title = titleOf(address);
    this.#showPane("document", path === "" ? "Files" : `Folder ${makeVisible(path)}`);
    void this.#tree.reveal(path).catch(() => {});
    const readme = folder.files.find(({ name }) => README.test(name));
    if (readme === undefined) return;
    const file = await this.#ask<FileResponse>(
      "/v1/file",
      { path: `${path}${readme.name}` },
      signal,
    );
    signal.throwIfAborted();
    if (file.text.length <= MAX_DOCUMENT) this.#document.append(await this.#markdown(file, signal));
  }

  /** Shows the lines and the view of an address in the file that is shown. */
  #showAddress(shown: ShownFile): void {
    this.#shown = shown;
    const { file, address, isDocument } = shown;
    document.title = titleOf(address);
    this.#head.showFile(shown);
    const isRendered = isDocument && !address.isSource;
    this.#showPane(isRendered ? "document" : "code", makeVisible(address.path));
    this.#notices.show(shown);
    if (file.binary) return;
    if (isRendered) this.#markBlock(address.lines);
    else this.#code.mark(address.lines);
  }

  /** The parser of Markdown is loaded with the first document. */
  async #markdown(file: FileResponse, signal: AbortSignal): Promise<HTMLElement> {
    const searchQuery = { ...this.#searchQuery, text: "" };
    const { renderMarkdown } = await import("./markdown.ts");
    signal.throwIfAborted();
    return renderMarkdown(file.text, {
      path: file.path,
      addressOf: (path, line) => {
        const lines = line === undefined ? undefined : { start: line, end: line };
        return writeAddress({ searchQuery, file: fileAddress(path, lines) });
      },
    });
  }

  /** Marks the block of a document that contains a line, and scrolls to it. */
  #markBlock(lines: MarkedLines | undefined): void {
    let block: HTMLElement | undefined;
    for (const one of this.#document.querySelectorAll<HTMLElement>("[data-line]")) {
      one.classList.remove("marked-block");
      if (Number(one.dataset["line"]) <= (lines?.start ?? 0)) block = one;
    }
    if (lines === undefined) return;
    block?.classList.add("marked-block");
    block?.scrollIntoView({ block: "start" });
  }

  #showPane(pane: "code" | "document", label: string): void {
    this.#pane.hidden = pane !== "code";
    this.#document.hidden = pane !== "document";
    this.#pane.setAttribute("aria-label", `Code of ${label}`);
    this.#document.setAttribute("aria-label", label);
    const { activeElement } = document;
    // After a click on a result or a link, the keys are for the file.
    if (activeElement === document.body || activeElement?.closest("[hidden]") !== null)
      this.focusText();
  }

  /** Shows why a step failed, above the file that stays. */
  #report(error: unknown): void {
    if (!(error instanceof SearchError)) throw error;
    const { failure } = error;
    if (failure.isRefusal) {
      this.#options.onRefusal(failure);
      return;
    }
    this.#options.announce(failure.title);
    this.#notices.addProblem(failure);
  }

  #fail(failure: Failure, address: FileAddress): void {
    if (failure.isRefusal) {
      this.#options.onRefusal(failure);
      return;
    }
    this.#shown = undefined;
    document.title = titleOf(address);
    this.#head.showPath(address.path, this.#searchQuery);
    this.#code.show("");
    this.#document.replaceChildren();
    this.#outline.clear();
    this.#notices.showFailure(failure, () => void this.open(address, this.#searchQuery));
  }

  #explain({ line, column }: PlacedName): Promise<NameResponse> {
    // The index knows the names of the present file.
    if (this.#shown?.file.past === true) return Promise.resolve(NO_NAME);
    const path = this.#shown?.address.path ?? "";
    const key = `${line}:${column}`;
    let answer = this.#explained.get(key);
    if (answer === undefined) {
      answer = this.#ask<NameResponse>("/v1/name", { path, line, column });
      this.#explained.set(key, answer);
      // A failure may be over the next time.
      answer.catch(() => this.#explained.delete(key));
    }
    return answer;
  }

  #place(): NamePlace {
    return { searchQuery: this.#searchQuery, language: this.#shown?.file.language ?? "" };
  }

  #addressOf(lines: MarkedLines): `#${string}` {
    const address = this.#shown?.address ?? fileAddress("");
    return writeAddress({ searchQuery: this.#searchQuery, file: { ...address, lines } });
  }

  #go(path: string): void {
    this.#treePane.classList.remove("open");
    location.hash = writeAddress({ searchQuery: this.#searchQuery, file: fileAddress(path) });
  }

  async #ask<Answer>(path: string, body: object, signal?: AbortSignal): Promise<Answer> {
    if (this.#client === undefined) throw new Error("nobody is signed in");
    const { namespace } = this.#searchQuery;
    return this.#client.ask<Answer>(path, { ...body, ...inNamespace(namespace) }, signal);
  }
}

const NO_NAME: NameResponse = { name: "", column: 0, role: "", definitions: [] };

/** Resolves when the browser has shown what is on the page now. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
  });
}

function titleOf(address: FileAddress): string {
  return `${placeText(address) || "files"} · svc search`;
}
