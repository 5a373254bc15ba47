// The names of style sheets in markup: attributes with classes and ids, and what templates and scripts write in their place.

import { classesInText } from "./class-attribute.ts";
import { classesInCode } from "./class-code.ts";
import { classWords, type ClassWord } from "./class-words.ts";
import type { ValueEnds } from "./value-end.ts";

/** A name that markup or a script uses. */
export interface MarkupName {
  readonly name: string;
  /** Offset in the text. */
  readonly at: number;
  /** As in `StyleName`. */
  readonly isSought?: boolean;
}

const CLASS_NAME =
  "class|classes|className|classNames|ngClass|classList|[a-z]\\w{0,30}ClassName|[a-z][a-z-]{0,30}-class|[a-z]{1,12}Class";
/** An attribute, or the key of an object, with classes. */
const ATTRIBUTE = new RegExp(
  [
    "(?:(?<=\\.)(?=className\\b)|(?<![\\w$.-]))(?<bound>:|v-bind:|x-bind:|@)?",
    `\\[?(?:${CLASS_NAME})(?::list)?\\]?`,
    `(?:["']?[ \\t]{0,20}(?<sign>=>|\\+?=(?![=>])|:(?!:))|["'],)`,
    "\\s{0,40}(?<open>[\"'`{[]|(?=[\\w-]))",
  ].join(""),
  "g",
);
/** What every such attribute has. It is found fast, and most of a text has none. */
const HINT = /[cC]lass(?:es|List|Names?)?(?::list)?\]?(?:["']?[ \t]{0,20}(?:\+?=|:)|["'],)/g;
/** Characters of an attribute before its hint and after it, up to its value. */
const [MAX_BEFORE, MAX_AFTER] = [50, 50];
/** `class:active={…}` of Svelte and `[class.active]="…"` of Angular. */
const SWITCHED = /(?<=\s)(?:class:(-?[A-Za-z_][\w-]{0,80})(?=[\s={/>])|\[class\.([\w-]{1,80})\])/g;
const ID = /(?<=\s)id=\{?(["'])(-?[A-Za-z_][\w-]{0,80})\1/g;
/** A link to an element of the same page. */
const ANCHOR = /(?<=\shref=["'])#-?[A-Za-z_][\w-]{0,80}(?=["'])/g;
/** `%div.card#main`, `.card` of Haml, `div.card` of Slim and Pug. */
const SHORT =
  /^[ \t]*(?:%[\w:-]+|[a-z][a-z\d]*)?((?:[.#]-?[A-Za-z_][\w-]{0,80})+)(?=[\s({=/!]|$)/gm;
const SHORT_NAME = /[.#][\w-]+/g;

/** Returns the names in the attributes of a text. */
export function attributeNames(text: string, ends: ValueEnds): readonly MarkupName[] {
  return [...classAttributes(text, ends), ...switchedClasses(text), ...idsIn(text)];
}

function* classAttributes(text: string, ends: ValueEnds): Generator<MarkupName> {
  HINT.lastIndex = 0;
  let from = 0;
  for (let hint = HINT.exec(text); hint !== null; hint = HINT.exec(text)) {
    const opened = attributeAt(text, { hint: hint.index, end: HINT.lastIndex, from });
    if (opened === undefined) continue;
    from = opened.after;
    const found = valueAt(text, ends, opened);
    if (found !== undefined) {
      for (const { name, at } of found.words) yield { name: `.${name}`, at };
      from = Math.max(from, found.end);
    }
    HINT.lastIndex = Math.max(HINT.lastIndex, from);
  }
}

/** Returns the attribute with a hint. `from`: where it may begin. */
function attributeAt(
  text: string,
  { hint, end, from }: { readonly hint: number; readonly end: number; readonly from: number },
): Opened | undefined {
  const first = Math.max(from, hint - MAX_BEFORE);
  // With the character before it, at which the expression looks.
  const start = Math.max(0, first - 1);
  ATTRIBUTE.lastIndex = first - start;
  const match = ATTRIBUTE.exec(text.slice(start, end + MAX_AFTER));
  if (match === null || start + match.index > hint) return undefined;
  return { match, after: start + ATTRIBUTE.lastIndex };
}

interface Opened {
  readonly match: RegExpExecArray;
  /** Offset after the opening. */
  readonly after: number;
}

interface FoundValue {
  readonly words: readonly ClassWord[];
  readonly end: number;
}

function valueAt(text: string, ends: ValueEnds, { match, after }: Opened): FoundValue | undefined {
  const { sign, open = "" } = match.groups ?? {};
  if (open === "") return sign === "=" ? bareValue(text, after) : undefined;
  if (open === "{" || open === "[") {
    // The key of an object with another one as its value is no attribute.
    const end = sign === ":" && open === "{" ? undefined : ends.ofBracket(after - 1);
    if (end === undefined) return undefined;
    const start = open === "[" ? after - 1 : after;
    return { words: classesInCode(text, { start, end, hasKeys: true }), end };
  }
  const end = ends.ofText(after, open);
  if (end === undefined) return undefined;
  if (isBound(match)) {
    return { words: classesInCode(text, { start: after, end, hasKeys: true }), end };
  }
  const words =
    open === "`"
      ? classesInCode(text, { start: after - 1, end: end + 1, hasKeys: false })
      : classesInText(text, { start: after, end });
  return { words, end };
}

/** `class=btn`. */
function bareValue(text: string, after: number): FoundValue {
  const [value = ""] = /^[\w-]{1,80}(?=[\s>])/.exec(text.slice(after, after + 82)) ?? [];
  return { words: [...classWords(value, after)], end: after + value.length };
}

/** Whether the value is code: `:class="…"` and `[ngClass]="…"`. */
function isBound({ 0: whole, groups: { bound } = {} }: RegExpExecArray): boolean {
  return (bound !== undefined && bound !== "@") || whole.includes("[") || whole.includes("ngClass");
}

function* switchedClasses(text: string): Generator<MarkupName> {
  if (!/class[:.]/.test(text)) return;
  for (const { 0: whole, 1: svelte, 2: angular, index } of text.matchAll(SWITCHED)) {
    const name = svelte ?? angular ?? "";
    // `class:list` of Astro is a list of classes.
    if (svelte === "list" && text[index + whole.length] === "=") continue;
    yield { name: `.${name}`, at: index };
  }
}

function* idsIn(text: string): Generator<MarkupName> {
  if (!text.includes("id=") && !text.includes("href=")) return;
  for (const { 2: name = "", index } of text.matchAll(ID)) yield { name: `#${name}`, at: index };
  for (const { 0: name, index } of text.matchAll(ANCHOR)) yield { name, at: index };
}

/** Returns the names in a template without angle brackets: of Haml, Slim or Pug. */
export function shortNames(text: string): readonly MarkupName[] {
  return [...text.matchAll(SHORT)].flatMap(({ 0: whole, 1: names = "", index }) => {
    const start = index + whole.length - names.length;
    return [...names.matchAll(SHORT_NAME)].map((one) => ({ name: one[0], at: start + one.index }));
  });
}
