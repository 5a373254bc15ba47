// Markdown as elements. A parser makes tokens of the text; each becomes an element with text, so nothing in a document
// can become markup, and its HTML is shown without its tags.
import { lexer, type Token, type Tokens } from "marked";

import { linesOf } from "./code-lines.ts";
import { tokensOf } from "./code-tokens.ts";
import { element, externalLink, link } from "./dom.ts";
import { makeVisible } from "./make-visible.ts";

export interface MarkdownOptions {
  /** Path of the document in the index. */
  readonly path: string;
  /** Returns the address of a file or folder, or of a line of the document itself. */
  readonly addressOf: (path: string, line?: number) => `#${string}`;
}

/** Names of languages after the fences of code. */
const FENCE_LANGUAGES: Readonly<Record<string, string>> = {
  ts: "typescript",
  js: "javascript",
  mjs: "javascript",
  jsx: "javascript",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "bash",
  shell: "bash",
  console: "bash",
  zsh: "bash",
  yml: "yaml",
  golang: "go",
  "c++": "cpp",
  "c#": "csharp",
  cs: "csharp",
  kt: "kotlin",
  jsonc: "json",
  json5: "json",
};

/** The page has a heading of the first level itself. */
const HEADINGS = ["h2", "h3", "h4", "h5", "h6"] as const;
/** Nested deeper, lists and quotes are shown as text. */
const MAX_DEPTH = 20;

/** Returns the document. Its blocks have the attribute `data-line`: the line where they begin. */
export function renderMarkdown(text: string, options: MarkdownOptions): HTMLElement {
  // Only metadata: a document that begins with a list of settings shows it as code.
  const front = /^---\n[^]*?\n---(?:\n|$)/.exec(text)?.[0] ?? "";
  const renderer = new MarkdownRenderer(options, lexer(text.slice(front.length)));
  const blocks = renderer.document(lineCount(front) + 1);
  const settings = front === "" ? [] : [codeBlock(front.trimEnd(), "yaml")];
  return element("div", { class: "markdown" }, ...settings, ...blocks);
}

class MarkdownRenderer {
  readonly #options: MarkdownOptions;
  readonly #tokens: readonly Token[];
  /** Line of each heading by the anchor that code hosts make of it. */
  readonly #anchors = new Map<string, number>();
  #depth = 0;

  constructor(options: MarkdownOptions, tokens: readonly Token[]) {
    this.#options = options;
    this.#tokens = tokens;
  }

  document(firstLine: number): readonly Node[] {
    const lines: number[] = [];
    let line = firstLine;
    for (const token of this.#tokens) {
      lines.push(line + (/^\n*/.exec(token.raw)?.[0].length ?? 0));
      if (token.type === "heading") this.#addAnchor(token.raw, line);
      line += lineCount(token.raw);
    }
    return this.#tokens.flatMap((token, at) => {
      const made = this.#block(token);
      for (const node of made)
        if (node instanceof HTMLElement) node.dataset["line"] = String(lines[at]);
      return made;
    });
  }

  #addAnchor(raw: string, line: number): void {
    const words = raw
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .toLowerCase();
    const anchor = words.replaceAll(/\s/gu, "-");
    if (!this.#anchors.has(anchor)) this.#anchors.set(anchor, line);
  }

  #blocks(tokens: readonly Token[] | undefined): readonly Node[] {
    if (tokens === undefined) return [];
    if (this.#depth >= MAX_DEPTH) return tokens.map(({ raw }) => plain(raw));
    this.#depth += 1;
    const made = tokens.flatMap((token) => this.#block(token));
    this.#depth -= 1;
    return made;
  }

  #block(token: Token): readonly Node[] {
    if (isToken(token, "heading")) {
      return [element(HEADINGS[token.depth - 1] ?? "h6", {}, ...this.#inline(token.tokens))];
    }
    if (isToken(token, "code")) return [codeBlock(token.text, token.lang ?? "")];
    if (isToken(token, "blockquote")) {
      return [element("blockquote", {}, ...this.#blocks(token.tokens))];
    }
    if (isToken(token, "list")) return [this.#list(token)];
    if (isToken(token, "table")) return [this.#table(token)];
    if (isToken(token, "paragraph")) return [element("p", {}, ...this.#inline(token.tokens))];
    if (isToken(token, "text")) {
      return token.tokens === undefined ? [plain(token.text)] : this.#inline(token.tokens);
    }
    if (isToken(token, "html")) return htmlBlock(token.raw);
    if (token.type === "hr") return [element("hr")];
    return token.type === "space" || token.type === "def" ? [] : [plain(token.raw)];
  }

  #list({ ordered, start, items }: Tokens.List): HTMLElement {
    const list = ordered ? element("ol") : element("ul");
    if (list instanceof HTMLOListElement && typeof start === "number") list.start = start;
    list.append(
      ...items.map((item) => {
        const parts = this.#blocks(item.tokens.filter(({ type }) => type !== "checkbox"));
        if (!item.task) return element("li", {}, ...parts);
        const box = element("span", { role: "img" }, item.checked === true ? "☑" : "☐");
        box.setAttribute("aria-label", item.checked === true ? "done" : "not done");
        return element("li", { class: "task" }, box, " ", ...parts);
      }),
    );
    return list;
  }

  #table({ header, rows }: Tokens.Table): HTMLElement {
    const heads = header.map((cell) =>
      element("th", { scope: "col" }, ...this.#inline(cell.tokens)),
    );
    const body = rows.map((row) =>
      element("tr", {}, ...row.map((cell) => element("td", {}, ...this.#inline(cell.tokens)))),
    );
    const table = element(
      "table",
      {},
      element("thead", {}, element("tr", {}, ...heads)),
      element("tbody", {}, ...body),
    );
    // A wide table scrolls by itself, also with the keyboard.
    return element(
      "div",
      { class: "wide", tabindex: "0", role: "group", "aria-label": "Table" },
      table,
    );
  }

  #inline(tokens: readonly Token[] | undefined): readonly Node[] {
    if (tokens === undefined) return [];
    if (this.#depth >= MAX_DEPTH) return tokens.map(({ raw }) => plain(raw));
    this.#depth += 1;
    const made = tokens.flatMap((token) => this.#inlineToken(token));
    this.#depth -= 1;
    return made;
  }

  #inlineToken(token: Token): readonly Node[] {
    if (isToken(token, "link")) return [this.#link(token)];
    if (isToken(token, "image")) return [imageText(token.text, token.href)];
    if (isToken(token, "strong")) return [element("strong", {}, ...this.#inline(token.tokens))];
    if (isToken(token, "em")) return [element("em", {}, ...this.#inline(token.tokens))];
    if (isToken(token, "del")) return [element("del", {}, ...this.#inline(token.tokens))];
    if (isToken(token, "codespan")) return [element("code", {}, makeVisible(token.text))];
    if (isToken(token, "html")) return inlineHtml(token.raw);
    if (token.type === "br") return [element("br")];
    if (isToken(token, "text") && token.tokens !== undefined) return this.#inline(token.tokens);
    if (isToken(token, "text") || isToken(token, "escape")) return [plain(decoded(token.text))];
    return [plain(token.raw)];
  }

  #link({ href, tokens, text }: Tokens.Link): Node {
    const children = tokens.length === 0 ? [plain(text)] : this.#inline(tokens);
    const address = this.#addressOf(decoded(href));
    if (address !== undefined) return link(address, {}, ...children);
    return (
      externalLink(href, ...children) ?? element("span", { title: makeVisible(href) }, ...children)
    );
  }

  /** The address of a heading, or of a file that a relative link names; undefined for other links. */
  #addressOf(href: string): `#${string}` | undefined {
    const { path, addressOf } = this.#options;
    if (href.startsWith("#")) {
      const line = this.#anchors.get(href.slice(1).toLowerCase());
      return line === undefined ? undefined : addressOf(path, line);
    }
    if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(href) || href === "") return undefined;
    const [relative = ""] = href.split(/[?#]/);
    const parts = relative.startsWith("/") ? [] : path.split("/").slice(0, -1);
    for (const part of unescapedPath(relative).split("/")) {
      if (part === ".." && parts.length === 0) return undefined;
      if (part === "..") parts.pop();
      else if (part !== "" && part !== ".") parts.push(part);
    }
    return addressOf(`${parts.join("/")}${relative.endsWith("/") ? "/" : ""}`);
  }
}

interface TokenTypes {
  heading: Tokens.Heading;
  code: Tokens.Code;
  blockquote: Tokens.Blockquote;
  list: Tokens.List;
  table: Tokens.Table;
  paragraph: Tokens.Paragraph;
  text: Tokens.Text;
  html: Tokens.HTML;
  link: Tokens.Link;
  image: Tokens.Image;
  strong: Tokens.Strong;
  em: Tokens.Em;
  del: Tokens.Del;
  codespan: Tokens.Codespan;
  escape: Tokens.Escape;
}

/** The library's own union has a token of any type, which no comparison narrows. */
function isToken<Type extends keyof TokenTypes>(
  token: Token,
  type: Type,
): token is TokenTypes[Type] & Token {
  return token.type === type;
}

function plain(text: string): Text {
  return document.createTextNode(
    text
      .split("\n")
      .map((line) => makeVisible(line))
      .join("\n"),
  );
}

function codeBlock(text: string, fence: string): HTMLElement {
  const name = /^[\w+#.-]*/.exec(fence.trim().toLowerCase())?.[0] ?? "";
  const lines = linesOf(text, tokensOf(text, FENCE_LANGUAGES[name] ?? name), []);
  const pieces = lines.flatMap((line) => [
    ...line.map(({ text: piece, kind }) =>
      kind === undefined
        ? makeVisible(piece)
        : element("span", { class: kind }, makeVisible(piece)),
    ),
    "\n",
  ]);
  return element(
    "pre",
    { tabindex: "0", role: "group", "aria-label": "Code" },
    element("code", {}, ...pieces),
  );
}

/** An image is not loaded: it could tell its owner who reads the document. */
function imageText(alt: string, source: string): HTMLElement {
  const name = alt === "" ? (source.split("/").at(-1) ?? "") : alt;
  return element(
    "span",
    { class: "image", title: makeVisible(`Image: ${source}`) },
    makeVisible(decoded(name)),
  );
}

/** The text of HTML without its tags and comments; nothing if no text is left. */
function htmlBlock(raw: string): readonly Node[] {
  const pictures = [...raw.matchAll(IMAGE)].map((found) => inlineHtml(found[0])).flat();
  const text = decoded(
    raw.replaceAll(/<!--[^]*?(?:-->|$)/g, "").replaceAll(/<[^<>]*>/g, ""),
  ).trim();
  if (text === "" && pictures.length === 0) return [];
  return [element("p", { class: "html" }, ...pictures, text === "" ? "" : plain(text))];
}

const IMAGE = /<img\b[^<>]*>/gi;

function inlineHtml(tag: string): readonly Node[] {
  if (/^<br\b/i.test(tag)) return [element("br")];
  if (!/^<img\b/i.test(tag)) return [];
  const attribute = (name: string): string =>
    new RegExp(`\\b${name}\\s*=\\s*["']([^"']*)`, "i").exec(tag)?.[1] ?? "";
  const [alt, source] = [attribute("alt"), attribute("src")];
  return alt === "" && source === "" ? [] : [imageText(alt, source)];
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  copy: "©",
  mdash: "—",
  ndash: "–",
  hellip: "…",
};

function decoded(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,8}));/gi,
    (whole, ...groups: string[]) => {
      const [decimal, hex, name = ""] = groups;
      const code = decimal === undefined ? parseInt(hex ?? "", 16) : Number(decimal);
      if (code > 0 && code <= 0x10_ffff) return String.fromCodePoint(code);
      return ENTITIES[name] ?? whole;
    },
  );
}

function unescapedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Counts the line ends of a text. */
function lineCount(text: string): number {
  return text.split("\n").length - 1;
}
