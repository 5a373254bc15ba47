// Reads the tags of markup. Every part of the text is read once.
import type { SourcePart } from "./appended-text.ts";
import { endOfCode } from "./script-code.ts";

/** An attribute of a tag. */
export interface Attribute {
  /** With its prefix: `@open`, `on:click`, `v-slot:item`; "" for `{name}` and `{...rest}`. */
  readonly name: string;
  /** Offset of the name in the file. */
  readonly at: number;
  /** Without quotes or brackets; undefined without a value. */
  readonly value: SourcePart | undefined;
  /** What is around the value: a quote, "{" for code, "" for nothing. */
  readonly quote: string;
}

/** A closing tag. */
export interface ClosingTag {
  /** "" for `</>`. */
  readonly name: string;
  readonly at: number;
  readonly end: number;
  /** Whether an opening tag of the name is before it on the line, which has the use already. */
  readonly isOnLine: boolean;
}

/** How far back an opening tag is searched for on a line. */
const MAX_LINE_CHARS = 300;

/** Where code can be in a tag: nowhere in Vue, whose values are code or not by their names; in braces, also inside of quotes. */
export type TagSyntax = "vue" | "svelte" | "astro";

/** An opening tag. */
export interface Tag {
  readonly name: SourcePart;
  readonly attributes: readonly Attribute[];
  /** Offset after the tag. */
  readonly end: number;
  readonly isSelfClosing: boolean;
}

const TAG_NAME = /[\p{L}][\p{L}\p{N}_$.:-]*/uy;
const CLOSING_TAG = /<\/([\p{L}][\p{L}\p{N}_$.:-]*)?[^>]*>?/uy;
const SPACE = /\s*/y;
const ATTRIBUTE_NAME = /[^\s=>{}"'/]+/y;
const VUE_NAME = /[^\s=>"'/]+/y;
const BARE_VALUE = /[^\s>"'=<`]+/y;

const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|!doctype)$/i;

/** Returns whether a tag has no content. */
export function isEmptyTag({ name, isSelfClosing }: Tag): boolean {
  return isSelfClosing || VOID.test(name.text);
}

const RAW = /^(?:script|style)$/i;

/** Returns whether the content of an element is no markup. */
export function isRawElement({ name }: Tag): boolean {
  return RAW.test(name.text);
}

/** What is done with the tags of markup. */
interface MarkupReading {
  readonly syntax: TagSyntax;
  readonly onElement: (tag: Tag) => void;
  readonly onClosing: (tag: ClosingTag) => void;
}

/**
 * Reads the comment, the tag or the element without markup that begins with the `<` at an offset. Returns the offset after it;
 * -1 if there is no further markup.
 */
export function readMarkup(
  text: string,
  at: number,
  { syntax, onElement, onClosing }: MarkupReading,
): number {
  const comment = endOfComment(text, at);
  if (comment > at) return comment;
  const closing = readClosingTag(text, at);
  if (closing !== undefined) {
    onClosing(closing);
    return closing.end;
  }
  const tag = readTag(text, at, syntax);
  if (tag === undefined) return at + 1;
  if (tag === "open") return -1;
  if (isRawElement(tag)) return endOfRawElement(text, tag);
  onElement(tag);
  return tag.end;
}

/** Reads a closing tag; undefined if there is none at the offset. */
export function readClosingTag(text: string, at: number): ClosingTag | undefined {
  CLOSING_TAG.lastIndex = at;
  const match = CLOSING_TAG.exec(text);
  if (match === null) return undefined;
  const name = match[1] ?? "";
  const line = text.slice(Math.max(0, at - MAX_LINE_CHARS), at);
  const isOnLine = line.lastIndexOf(`<${name}`) > line.lastIndexOf("\n");
  // Its name begins two characters later, on the same line.
  return { name, at, end: CLOSING_TAG.lastIndex, isOnLine };
}

/**
 * Reads the opening tag at an offset. Returns undefined if none begins there, and "open" if it has no end: then there is no
 * further markup.
 */
export function readTag(text: string, at: number, syntax: TagSyntax): Tag | "open" | undefined {
  TAG_NAME.lastIndex = at + 1;
  const named = TAG_NAME.exec(text);
  // `<>`
  if (named === null && text[at + 1] !== ">") return undefined;
  const name = { text: named?.[0] ?? "", at: at + 1 };
  const attributes: Attribute[] = [];
  let next = at + 1 + name.text.length;
  for (;;) {
    next = after(SPACE, text, next);
    const char = text[next];
    if (char === undefined) return "open";
    if (char === ">") return { name, attributes, end: next + 1, isSelfClosing: false };
    if (char === "/" && text[next + 1] === ">") {
      return { name, attributes, end: next + 2, isSelfClosing: true };
    }
    const found = readAttribute(text, next, syntax);
    if (found === "open") return "open";
    if (found.attribute !== undefined) attributes.push(found.attribute);
    next = found.end;
  }
}

interface FoundAttribute {
  /** Undefined for characters that begin none. */
  readonly attribute: Attribute | undefined;
  readonly end: number;
}

function readAttribute(text: string, at: number, syntax: TagSyntax): FoundAttribute | "open" {
  if (syntax !== "vue" && text[at] === "{") {
    const end = endOfCode(text, at + 1);
    if (end === -1) return "open";
    const value = { text: text.slice(at + 1, end), at: at + 1 };
    return { attribute: { name: "", at, value, quote: "{" }, end: end + 1 };
  }
  const nameEnd = after(syntax === "vue" ? VUE_NAME : ATTRIBUTE_NAME, text, at);
  if (nameEnd === at) return { attribute: undefined, end: at + 1 };
  const name = text.slice(at, nameEnd);
  const equals = after(SPACE, text, nameEnd);
  if (text[equals] !== "=") {
    return { attribute: { name, at, value: undefined, quote: "" }, end: nameEnd };
  }
  const start = after(SPACE, text, equals + 1);
  const found = readValue(text, start, syntax);
  if (found === "open") return "open";
  return { attribute: { name, at, ...found }, end: found.end };
}

function readValue(
  text: string,
  start: number,
  syntax: TagSyntax,
): { value: SourcePart; quote: string; end: number } | "open" {
  const quote = text[start] ?? "";
  if (syntax !== "vue" && quote === "{") {
    const end = endOfCode(text, start + 1);
    return end === -1 ? "open" : inside(text, start, end, quote);
  }
  if (quote === '"' || quote === "'" || (syntax === "astro" && quote === "`")) {
    const end =
      syntax === "svelte" ? endOfQuoted(text, start, quote) : text.indexOf(quote, start + 1);
    return end === -1 ? "open" : inside(text, start, end, quote);
  }
  const end = after(BARE_VALUE, text, start);
  return { value: { text: text.slice(start, end), at: start }, quote: "", end };
}

// oxlint-disable-next-line max-params -- the two ends and what is around them
function inside(
  text: string,
  start: number,
  end: number,
  quote: string,
): { value: SourcePart; quote: string; end: number } {
  return { value: { text: text.slice(start + 1, end), at: start + 1 }, quote, end: end + 1 };
}

/** A quote in code of the value does not end it: `class="a {b ? "c" : ""}"`. */
function endOfQuoted(text: string, start: number, quote: string): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === quote) return at;
    if (text[at] !== "{") continue;
    at = endOfCode(text, at + 1);
    if (at === -1) return -1;
  }
  return -1;
}

function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** Returns the offset after the content of an element whose content is no markup: a script or a style. */
export function endOfRawElement(text: string, { name, end, isSelfClosing }: Tag): number {
  if (isSelfClosing) return end;
  const closing = text.indexOf(`</${name.text}`, end);
  return closing === -1 ? text.length : closing;
}

/** Returns the offset after a comment, a declaration or a processing instruction; the same offset if there is none. */
export function endOfComment(text: string, at: number): number {
  if (text.startsWith("<!--", at)) {
    const end = text.indexOf("-->", at + 4);
    return end === -1 ? text.length : end + 3;
  }
  if (!text.startsWith("<!", at) && !text.startsWith("<?", at)) return at;
  const end = text.indexOf(">", at);
  return end === -1 ? text.length : end + 1;
}
