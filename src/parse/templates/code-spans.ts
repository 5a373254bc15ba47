// The parts of a template that are code. Each scan goes through the text once.

import type { CodeMark } from "./template-dialects.ts";

/** A part of a text, in UTF-16 code units. */
export interface CodeSpan {
  readonly start: number;
  readonly end: number;
}

interface Delimiters {
  readonly open: string;
  readonly close: string;
  /** Matches what follows the opening in a comment or a literal delimiter. */
  readonly isText?: RegExp;
}

const PERCENT: readonly Delimiters[] = [{ open: "<%", close: "%>", isText: /[#%]|--/y }];
const BRACES: readonly Delimiters[] = [
  { open: "{{", close: "}}", isText: /!|--|#--|\*/y },
  { open: "{%", close: "%}", isText: /-?\s*(?:comment|raw|verbatim)\b/y },
  { open: "{!!", close: "!!}" },
];
const DOLLAR: readonly Delimiters[] = ["${", "*{"].map((open) => ({ open, close: "}" }));
const HASH: readonly Delimiters[] = [{ open: "#{", close: "}" }];
/** Longer code in brackets is not read. */
const MAX_BRACKETS = 50_000;
/** After so many brackets that nothing closes, the others of a text are not read either. */
const MAX_UNCLOSED = 20;
/** Words after `@` that are rules of CSS. */
const AT_RULES = /^(?:media|import|charset|font|keyframes|supports|page|layer|container)$/;

/** Returns the code of a template that has a mark. */
export function codeSpans(text: string, mark: CodeMark): Iterable<CodeSpan> {
  return READERS[mark](text);
}

const READERS: Readonly<Record<CodeMark, (text: string) => Iterable<CodeSpan>>> = {
  percent: (text) => delimited(text, PERCENT),
  braces: (text) => delimited(text, BRACES),
  brace: (text) => inBraces(withoutScripts(text)),
  dollar: (text) => delimited(text, DOLLAR),
  hash: (text) => delimited(text, HASH),
  at: afterAt,
  lines: codeLines,
  bindings: (text) => valuesOf(text, /(?<=\s)(?:\([\w.:@-]+\)|\[\(?[\w.@-]+\)?\]|\*\w+)=(["'])/g),
  model: (text) => valuesOf(text, /(?<=\s)asp-(?:for|items|validation-for)=(["'])/g),
};

/** Scripts and styles have other braces. The text keeps its length. */
function withoutScripts(text: string): string {
  let kept = "";
  let from = 0;
  const opener = /<(script|style)\b/gi;
  for (let match = opener.exec(text); match !== null; match = opener.exec(text)) {
    const end = text.indexOf(`</${match[1] ?? ""}`, opener.lastIndex);
    if (end === -1) break;
    kept += text.slice(from, match.index) + " ".repeat(end - match.index);
    from = end;
    opener.lastIndex = end;
  }
  return kept + text.slice(from);
}

function* delimited(text: string, all: readonly Delimiters[]): Generator<CodeSpan> {
  for (const { open, close, isText } of all) {
    for (let at = text.indexOf(open); at !== -1;) {
      const start = at + open.length;
      const end = text.indexOf(close, start);
      // Nothing that follows is closed either.
      if (end === -1) break;
      if (isText !== undefined) isText.lastIndex = start;
      if (isText?.test(text) !== true) yield { start, end };
      at = text.indexOf(open, end + close.length);
    }
  }
}

function* inBraces(text: string): Generator<CodeSpan> {
  const brackets = new Brackets(text);
  for (let at = text.indexOf("{"); at !== -1;) {
    const end = brackets.endOf(at) ?? at + 1;
    if (end > at + 1) yield { start: at + 1, end: end - 1 };
    at = text.indexOf("{", end);
  }
}

/** `@if (order.isOpen)`, `@include('footer')`, `@order.label()`, `@(total)`, `@{ code }`, `@model Shop.Order`. */
function* afterAt(text: string): Generator<CodeSpan> {
  const brackets = new Brackets(text);
  const opener =
    /(?<![\w@.])@(?:(?:model|inject|inherits|using|implements)[ \t]+[^\r\n]*|[A-Za-z_][\w.]*|(?=[({]))/g;
  for (let match = opener.exec(text); match !== null; match = opener.exec(text)) {
    const start = match.index + 1;
    let end = opener.lastIndex;
    const word = text.slice(start, end);
    if (AT_RULES.test(word)) continue;
    const [gap = ""] = /^[ \t]*/.exec(text.slice(end, end + 8)) ?? [];
    const bracket = end + gap.length;
    const isBlock = text[bracket] === "{" && /^(?:code|functions)?$/.test(word);
    if (text[bracket] === "(" || isBlock) end = brackets.endOf(bracket) ?? end;
    yield { start, end };
    opener.lastIndex = Math.max(end, start);
  }
}

/** Finds the ends of brackets in a text. */
class Brackets {
  readonly #text: string;
  #unclosed = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the place after the bracket that closes the one at a place; undefined if there is none near. */
  endOf(from: number): number | undefined {
    if (this.#unclosed >= MAX_UNCLOSED) return undefined;
    let depth = 0;
    let quote = "";
    const limit = Math.min(this.#text.length, from + MAX_BRACKETS);
    for (let at = from; at < limit; at += 1) {
      const char = this.#text[at] ?? "";
      if (quote !== "") {
        if (char === "\\") at += 1;
        else if (char === quote) quote = "";
      } else if (char === '"' || char === "'") quote = char;
      else if ("({[".includes(char)) depth += 1;
      else if (")}]".includes(char)) {
        depth -= 1;
        if (depth === 0) return at + 1;
      }
    }
    this.#unclosed += 1;
    return undefined;
  }
}

/** The lines of Haml and Slim that begin with `=` or `-`, also after an element: `%h1= title`. */
function* codeLines(text: string): Generator<CodeSpan> {
  const opener = /^[ \t]*(?:[%.#]?[\w.#-]*(?:\{[^}\r\n]*\})?)[=-]{1,2}[ \t]([^\r\n]*)/gm;
  for (const match of text.matchAll(opener)) {
    const [line = "", code = ""] = match;
    const end = match.index + line.length;
    yield { start: end - code.length, end };
  }
}

/** The values of the attributes that an expression matches, up to and with the quote. */
function* valuesOf(text: string, opener: RegExp): Generator<CodeSpan> {
  for (let match = opener.exec(text); match !== null; match = opener.exec(text)) {
    const end = text.indexOf(match[1] ?? '"', opener.lastIndex);
    if (end === -1) return;
    yield { start: opener.lastIndex, end };
    opener.lastIndex = end;
  }
}
