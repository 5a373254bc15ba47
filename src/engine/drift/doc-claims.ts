// The checkable statements of a documentation page about the code: names, flags and paths in inline code, in roles and
// directives, in links to files and in code blocks.

import { parseProse } from "../../chunk/prose.ts";
import { splitLines, type TextLines } from "../../parse/text-lines.ts";
import { boundNames, importedFrom, isConstant, isDistinctive, isKeyword } from "./code-names.ts";
import { speaksOfPast } from "./past.ts";

export type ClaimKind = "name" | "flag" | "path";

/** A statement that something exists. */
export interface Claim {
  readonly kind: ClaimKind;
  /** The last part of a name, a flag without its dashes, or a path relative to the root of the source. */
  readonly key: string;
  /** As the page has it: `Session.open()`. */
  readonly text: string;
  /** 1-based. */
  readonly line: number;
  /** Whether it is in a code block, whose names come from anywhere. */
  readonly isExample: boolean;
  /** What the page imports it from: `httpx.client`; undefined if no import of the page names it. */
  readonly module?: string | undefined;
  /** Whether it is a path that a link leads to. */
  readonly isLink?: boolean;
}

/** Longer lines are no prose and no typical code. */
const MAX_LINE_LENGTH = 2000;
const MAX_CLAIMS_PER_PAGE = 5000;
/** Further lines are not searched for imports. */
const MAX_LINES = 100_000;
/** Lines above a line of prose that belong to its paragraph. */
const MAX_PARAGRAPH_LINES = 12;
/** Lines of code above a line that may comment on it. */
const CODE_LINES = 3;
const MAX_AROUND = 8000;

const SPANS: Readonly<Record<string, RegExp>> = {
  markdown: /(?<!`)(`{1,2})(?!`)(?<code>[^`]+)\1(?!`)/g,
  rst: /``(?<code>[^`]+)``|(?<=:[a-z-]+:)`(?<role>[^`]+)`|(?<![`:\w])`(?<plain>[^`<>]+)`(?![`_\w])/g,
  asciidoc: /[`+](?<code>[^`+]+)[`+]/g,
  org: /(?<![\w])[=~](?<code>[^=~\s](?:[^=~]*[^=~\s])?)[=~](?!\w)/g,
  pod: /C<(?:<+ )?(?<code>[^<>]+?)(?: >+)?>/g,
  tex: /\\(?:texttt|code|lstinline|verb)(?:\{(?<code>[^{}]+)\}|\|(?<plain>[^|]+)\|)/g,
  man: /\\fB(?<code>(?:[^\\]|\\-)+)\\f[RP]/g,
};
const DIRECTIVE =
  /^\s*\.\. (?:\w+:)?(?:auto)?(?:function|class|method|classmethod|staticmethod|attribute|data|exception|module|decorator|option|confval|envvar|setting)::\s+(?<name>\S.*)$/;
const LINK = /\]\((?<target>[^()\s#?]+)(?:#[^()\s]*)?\)/g;
/** A file or a folder, relative to something. */
const PATH = /^(?:\.{1,2}\/)*[\w@.-]+(?:\/[\w@.-]+)+\/?$/;
/** A name in a line of code, and what makes it a member of something. */
const CODE_NAME = /(\.|::|->)?(?<![\w$-])([A-Za-z_$][\w$]{2,})/g;
const FLAG = /(?<![\w-])--(?<flag>[a-z][a-z0-9]*(?:-[a-z0-9]+)*)(?![\w-])/gi;
/** The words before a name in a declaration: `async def .stream()`. */
const DECLARATION =
  /^(?:(?:async|await|static|export|default|public|new|const|let|var|def|class|function|func|fn|struct|enum|interface|type)\s+)+/;
const NAME =
  /^[~!@.:&*]*(?<name>[A-Za-z_$][\w$]*[?!]?(?:(?:\.|::|#|->|\\)[A-Za-z_$][\w$]*[?!]?)*)(?<call>\((?<args>.*)\))?[;,:]?$/;

/** Returns what a page states of the code now. Sentences about the past, and names that its own examples define, state nothing. */
export function claimsIn(text: string, language: string, path: string): readonly Claim[] {
  const lines = splitLines(text);
  const { headings, verbatim } = parseProse(lines, language);
  const page = new Page(lines, language, path);
  const pastSections = sectionsOfPast(headings, lines.count);
  const code = linesWhere(lines, verbatim);
  const bound = boundNames(code);
  const modules = importedFrom(text.split("\n", MAX_LINES));
  const isBound = ({ kind, key }: Found): boolean => kind === "name" && bound.has(key);
  const titles = new Map(headings.map((heading) => [heading.line, heading.title]));
  const claims: Claim[] = [];
  for (let line = 1; line <= lines.count; line += 1) {
    if (claims.length >= MAX_CLAIMS_PER_PAGE) break;
    if (pastSections[line] === 1 || lines.isBlank(line)) continue;
    const at = lines.at(line);
    if (at.length > MAX_LINE_LENGTH) continue;
    const isCode = verbatim[line] === 1;
    const title = titles.get(line);
    const found =
      title !== undefined
        ? page.titleClaims(title, at)
        : isCode
          ? page.codeClaims(at, modules)
          : page.proseClaims(at);
    if (found.length === 0) continue;
    if (speaksOfPast(page.around(line, verbatim))) continue;
    const seen = new Set<string>();
    for (const claim of found) {
      if (title === undefined && isBound(claim)) continue;
      if (seen.has(claim.key)) continue;
      seen.add(claim.key);
      claims.push({ ...claim, line, isExample: isCode, module: modules.get(claim.key) });
    }
  }
  return claims;
}

type Found = Omit<Claim, "line" | "isExample" | "module">;

class Page {
  readonly #lines: TextLines;
  readonly #language: string;
  readonly #path: string;

  constructor(lines: TextLines, language: string, path: string) {
    this.#lines = lines;
    this.#language = language;
    this.#path = path;
  }

  proseClaims(line: string): readonly Found[] {
    const found: Found[] = [];
    for (const { groups = {} } of line.matchAll(SPANS[this.#language] ?? SPAN_OF_MARKDOWN)) {
      const span = groups["code"] ?? groups["role"] ?? groups["plain"] ?? "";
      found.push(...this.#spanClaims(titled(span.replaceAll("\\-", "-"))));
    }
    if (this.#language === "rst") {
      const name = DIRECTIVE.exec(line)?.groups?.["name"];
      if (name !== undefined) found.push(...this.#spanClaims(name));
    }
    if (this.#language === "markdown") found.push(...this.#linkClaims(line));
    return found;
  }

  #linkClaims(line: string): readonly Found[] {
    return [...line.matchAll(LINK)].flatMap(({ groups }) => {
      const target = groups?.["target"] ?? "";
      const key = this.#linked(target);
      return key === undefined ? [] : [{ kind: "path", key, text: target, isLink: true } as const];
    });
  }

  /** A heading that is a name, with or without the markup of code. */
  titleClaims(title: string, line: string): readonly Found[] {
    const found = this.proseClaims(line);
    const isName =
      found.length === 0 && (isDistinctive(title) || /^[\w$]+(?:\.[\w$]+)+$/.test(title));
    return isName ? this.#spanClaims(title) : found;
  }

  /** Flags, members, constants, and what the page imports: other names may be those of the example. */
  codeClaims(line: string, modules: ReadonlyMap<string, string>): readonly Found[] {
    const found: Found[] = flagsIn(line);
    const code = line.replace(/(?:^|\s)(?:#(?!\[)|\/\/).*$/, "");
    for (const [, before, text = ""] of code.matchAll(CODE_NAME)) {
      const isOwn = before !== undefined || isConstant(text) || modules.has(text);
      if (isOwn && isDistinctive(text)) found.push({ kind: "name", key: text, text });
    }
    return found;
  }

  /** The paragraph of a line; of a line of code the lines above it, and the paragraph before the block. */
  around(line: number, verbatim: Uint8Array): string {
    let start = line;
    while (start > 1 && verbatim[start] === 1) start -= 1;
    const isCode = start < line;
    while (start > 1 && this.#lines.isBlank(start)) start -= 1;
    const before = isCode ? this.#paragraph(start) : "";
    const own = isCode
      ? this.#text(Math.max(start + 1, line - CODE_LINES), line)
      : this.#paragraph(line);
    return [this.#directiveAbove(start), before, own].join("\n");
  }

  #paragraph(line: number): string {
    const first = Math.max(1, line - MAX_PARAGRAPH_LINES);
    const last = Math.min(this.#lines.count, line + MAX_PARAGRAPH_LINES);
    let [start, end] = [line, line];
    while (start > first && !this.#lines.isBlank(start - 1)) start -= 1;
    while (end < last && !this.#lines.isBlank(end + 1)) end += 1;
    return this.#text(start, end);
  }

  /** Up to MAX_AROUND characters. */
  #text(start: number, end: number): string {
    const from = this.#lines.starts[start - 1] ?? 0;
    return this.#lines.text.slice(from, Math.min(from + MAX_AROUND, this.#lines.endOf(end)));
  }

  /** The directive or list item that the indented paragraph is in. */
  #directiveAbove(start: number): string {
    const indent = this.#lines.indents[start - 1] ?? 0;
    if (indent === 0) return "";
    for (let line = start - 1; line >= Math.max(1, start - 40); line -= 1) {
      if (this.#lines.isBlank(line)) continue;
      if ((this.#lines.indents[line - 1] ?? 0) < indent) return this.#lines.at(line);
    }
    return "";
  }

  #spanClaims(raw: string): readonly Found[] {
    const span = raw.trim().replace(/^(["'])(.*)\1$/, "$2");
    const flags = flagsIn(span);
    if (flags.length > 0) return flags;
    if (PATH.test(span)) {
      const key = this.#written(span);
      return key === undefined ? [] : [{ kind: "path", key, text: span }];
    }
    const match = NAME.exec(span.replace(DECLARATION, ""));
    if (match?.groups !== undefined) {
      const { name = "", call, args = "" } = match.groups;
      return namesIn({ name, isCall: call !== undefined, args, text: span });
    }
    const key = /^(?<key>[A-Za-z_$][\w$]*)\s*(?:=|:\s)/.exec(span)?.groups?.["key"];
    if (key !== undefined && isDistinctive(key)) return [{ kind: "name", key, text: key }];
    return [];
  }

  /** The path of a link, from the folder of the page. */
  #linked(target: string): string | undefined {
    if (/^[a-z][a-z0-9+.-]*:|^\/|^<|[{}$*]/i.test(target)) return undefined;
    const folder = this.#path.includes("/") ? this.#path.replace(/\/[^/]*$/, "") : "";
    return resolved(folder, decoded(target));
  }

  /** A path in inline code, which is relative to the root of the repository, or to the page if it begins with a dot. */
  #written(span: string): string | undefined {
    if (/^\.{1,2}\//.test(span)) return this.#linked(span);
    return resolved("", span);
  }
}

const SPAN_OF_MARKDOWN = /(?<!`)(`{1,2})(?!`)(?<code>[^`]+)\1(?!`)/g;

function flagsIn(text: string): Found[] {
  return [...text.matchAll(FLAG)].map(({ groups }) => {
    const flag = groups?.["flag"] ?? "";
    return { kind: "flag", key: flag, text: `--${flag}` } as const;
  });
}

interface WrittenName {
  readonly name: string;
  readonly isCall: boolean;
  readonly args: string;
  readonly text: string;
}

function namesIn({ name, isCall, args, text }: WrittenName): readonly Found[] {
  const parts = name.split(/\.|::|#|->|\\/);
  const isQualified = parts.length > 1;
  const last = parts.at(-1) ?? "";
  const found: Found[] = [];
  const add = (key: string, isSure: boolean): void => {
    if (key.length < 3 || isKeyword(key) || !(isSure || isDistinctive(key))) return;
    found.push({ kind: "name", key, text: text.length > 80 ? key : text });
  };
  add(last, isCall || isQualified);
  for (const part of parts.slice(0, -1)) add(part, false);
  for (const [, key = ""] of args.matchAll(/(?:^|[,(\s])([A-Za-z_]\w*)=(?!=)/g)) add(key, false);
  return found;
}

/** The target of a role with a title: `text <target>`. */
function titled(span: string): string {
  return /<(?<target>[^<>]+)>$/.exec(span)?.groups?.["target"] ?? span;
}

function decoded(target: string): string {
  try {
    return decodeURI(target);
  } catch {
    return target;
  }
}

/** Resolves `.` and `..`; undefined outside of the root. */
function resolved(folder: string, path: string): string | undefined {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.pop() === undefined) return undefined;
    if (part !== "..") parts.push(part);
  }
  return parts.length === 0 ? undefined : parts.join("/");
}

function linesWhere(lines: TextLines, verbatim: Uint8Array): readonly string[] {
  const found: string[] = [];
  for (let line = 1; line <= lines.count; line += 1)
    if (verbatim[line] === 1) found.push(lines.at(line).slice(0, MAX_LINE_LENGTH));
  return found;
}

/** By line: 1 below a heading about the past. */
function sectionsOfPast(
  headings: readonly { readonly line: number; readonly level: number; readonly title: string }[],
  count: number,
): Uint8Array {
  const past = new Uint8Array(count + 2);
  for (const [at, { line, level, title }] of headings.entries()) {
    if (!speaksOfPast(title)) continue;
    const next = headings.slice(at + 1).find((other) => other.level <= level);
    past.fill(1, line, next?.line ?? count + 1);
  }
  return past;
}
