// Reads the parameters of a declaration, as far as a caller must know them.

import { languageFamily } from "../../base/language-families.ts";

/** A parameter of a callable. */
export interface ApiParameter {
  /** "" if the declaration does not name it. */
  readonly name: string;
  /** As written, with single spaces; "" if none is declared. */
  readonly type: string;
  /** Whether a call may leave it out. */
  readonly isOptional: boolean;
  /** The default value as written; "" if there is none. */
  readonly value: string;
  /** Whether it takes any number of arguments. */
  readonly isRest: boolean;
  /** How arguments are given to it, in languages that have both. */
  readonly by: "either" | "position" | "name";
}

type Style = "colon" | "typeFirst" | "go" | "ruby";

const STYLES: Readonly<Record<string, Style>> = {
  java: "typeFirst",
  groovy: "typeFirst",
  csharp: "typeFirst",
  c: "typeFirst",
  cpp: "typeFirst",
  objc: "typeFirst",
  php: "typeFirst",
  dart: "typeFirst",
  go: "go",
  ruby: "ruby",
};

/** Languages in which a call may name the parameters. */
const NAMED = new Set([
  "python",
  "notebook",
  "kotlin",
  "csharp",
  "php",
  "scala",
  "swift",
  "ruby",
  "r",
]);

/** What marks a parameter that takes any number of arguments, but stars and dots before it. */
const REST: Readonly<Record<string, RegExp>> = {
  csharp: /^params\b/,
  kotlin: /^vararg\b/,
  java: /\.\.\./,
  php: /\.\.\./,
  swift: /\.\.\.$/,
  scala: /\*$/,
  c: /^\.\.\.$/,
  r: /^\.\.\.$/,
  cpp: /\.\.\./,
};

/** Whether callers may name the parameters of a language, so that another name breaks them. */
export function hasNamedArguments(language: string): boolean {
  return NAMED.has(language);
}

const OPENING = "([{<";
const CLOSING = ")]}>";

/** Divides a text at a character that is in no bracket and in no string. */
export function splitOutside(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (const at of outsideBrackets(text)) {
    if (text[at] !== separator) continue;
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  return [...parts, text.slice(start)];
}

/** Returns the offset of the first character outside of brackets and strings for which `is` holds; -1 if there is none. */
export function findOutside(text: string, is: (character: string, at: number) => boolean): number {
  for (const at of outsideBrackets(text)) if (is(text[at] ?? "", at)) return at;
  return -1;
}

/** Yields the offsets that are in no bracket and in no string, those of opening brackets included. */
function* outsideBrackets(text: string): Generator<number> {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (`"'\``.includes(character) && !/\w'$/.test(text.slice(Math.max(0, at - 1), at + 1))) {
      at = endOfString(text, at);
      continue;
    }
    if (CLOSING.includes(character) && !isArrow(text, at)) depth = Math.max(0, depth - 1);
    else if (depth === 0) yield at;
    if (OPENING.includes(character)) depth += 1;
  }
}

/** Whether a `>` is the end of `->`, `=>` or `>=`. */
function isArrow(text: string, at: number): boolean {
  return text[at] === ">" && (/[-=]/.test(text[at - 1] ?? "") || text[at + 1] === "=");
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === text[start]) return at;
  }
  // An apostrophe, such as that of a lifetime.
  return start;
}

/** Returns the offset after the bracket that closes the one at `start`. */
export function endOfBrackets(text: string, start: number): number {
  const inside = text.slice(start + 1);
  let depth = 1;
  for (let at = 0; at < inside.length; at += 1) {
    const character = inside[at] ?? "";
    if (`"'\``.includes(character)) at = endOfString(inside, at);
    else if ("([{".includes(character)) depth += 1;
    else if (")]}".includes(character)) depth -= 1;
    if (depth === 0) return start + at + 2;
  }
  return text.length;
}

/**
 * Returns the parameters in a text without its brackets. Those that a caller never gives, such as `self`, are left out.
 * `hasReceiver`: the first one of Python is the object, whatever its name is.
 */
export function parseParameters(
  text: string,
  language: string,
  hasReceiver = false,
): readonly ApiParameter[] {
  const style = STYLES[language] ?? "colon";
  const parts = splitOutside(withoutComments(text), ",")
    .map((part) => part.replace(/\s+/g, " ").trim())
    .filter((part) => part !== "");
  if (style === "go") return goParameters(parts);
  if (language === "r") return pythonParameters(parts, language);
  if (languageFamily(language) === "python") {
    const isFirst = hasReceiver && /^\w+(?:\s*:.*)?$/.test(parts[0] ?? "");
    return pythonParameters(isFirst ? parts.slice(1) : parts, language);
  }
  return parts
    .filter((part) => !isReceiver(part, language))
    .map((part) => parseParameter(part, style, language));
}

/** Those before `/` are given by position, those after `*` by name; in R, those after `...`. */
function pythonParameters(parts: readonly string[], language: string): readonly ApiParameter[] {
  const found: ApiParameter[] = [];
  let by: ApiParameter["by"] = "either";
  for (const part of parts) {
    if (part === "/") {
      for (const [at, one] of found.entries()) found[at] = { ...one, by: "position" };
    } else if (part === "*") by = "name";
    else {
      const parameter = parseParameter(part, "colon", language);
      found.push(by === "name" ? { ...parameter, by } : parameter);
      if (parameter.isRest && !part.startsWith("**")) by = "name";
    }
  }
  return found;
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[^]*?\*\//g, " ").replace(/(?<=^|\s)\/\/[^\n]*(?=\n)/g, " ");
}

function isReceiver(part: string, language: string): boolean {
  if (language === "rust") return /^(?:&\s*(?:'\w+\s+)?)?(?:mut\s+)?self\b/.test(part);
  if (language === "c" || language === "cpp") return part === "void";
  return /^this\s*:/.test(part);
}

function parseParameter(part: string, style: Style, language: string): ApiParameter {
  const equals = findOutside(
    part,
    (character, at) => character === "=" && !/[=>]/.test(part[at + 1] ?? ""),
  );
  const head = (equals === -1 ? part : part.slice(0, equals)).trim();
  const value = equals === -1 ? "" : part.slice(equals + 1).trim();
  if (style === "ruby") return rubyParameter(head, value);
  const isRest = /^(?:\*{1,2}|\.\.\.)/.test(head) || REST[language]?.test(head) === true;
  const named = style === "colon" ? colonParts(head) : typeFirstParts(head);
  const isOptional = value !== "" || isRest || named.isOptional;
  // Two stars take the arguments with other names.
  const name = head.startsWith("**") ? "**" : isRest ? "" : named.name;
  const isPattern = language !== "rust" && /^[[{(]/.test(name);
  return {
    name: isPattern ? "" : name,
    type: spaced(named.type),
    isOptional,
    value,
    isRest,
    // By convention, nobody names a parameter with two underscores.
    by: /^__(?!.*__$)/.test(name) ? "position" : "either",
  };
}

/** `readonly name?: Type`, `mut name: Type`, `outer inner: Type`. */
function colonParts(head: string): Pick<ApiParameter, "name" | "type" | "isOptional"> {
  const colon = findOutside(head, (character) => character === ":");
  const written = (colon === -1 ? head : head.slice(0, colon)).trim();
  const type = colon === -1 ? "" : head.slice(colon + 1).trim();
  const plain = written.replace(/^(?:\*{1,2}|\.\.\.|&)\s*/, "");
  const isOptional = plain.endsWith("?");
  const bare = isOptional ? plain.slice(0, -1).trim() : plain;
  const name = /^[[{(]/.test(bare) ? bare : (bare.split(" ").at(-1) ?? "");
  return { name, type, isOptional };
}

/** `final Type name`, `?Type $name`, `Type *name[]`, `Type`. */
function typeFirstParts(head: string): Pick<ApiParameter, "name" | "type" | "isOptional"> {
  const plain = head.replace(/^(?:@\w+(?:\([^()]*\))?\s+|(?:final|readonly|this|in)\s+)+/, "");
  const found =
    /^(?<type>.*?[\s*&>\].])?(?<name>\$?[A-Za-z_]\w*)(?<array>(?:\s*\[[^\]]*\])*)$/.exec(plain);
  const { type = "", name = "", array = "" } = found?.groups ?? {};
  if (found === null || (type === "" && !name.startsWith("$")))
    return { name: "", type: plain, isOptional: false };
  return { name, type: `${type.trim()}${array.trim()}`, isOptional: false };
}

/** `a, b int, c ...string`, or types only. */
function goParameters(parts: readonly string[]): readonly ApiParameter[] {
  const isNamed = parts.some(
    (part) => /^\w+\s+[^\s]/.test(part) && !/^(?:chan|func|map)\b/.test(part),
  );
  let type = "";
  const found: ApiParameter[] = [];
  for (const part of parts.toReversed()) {
    const [, name = "", own = ""] = (isNamed ? /^(\w+)(?:\s+(.+))?$/.exec(part) : null) ?? [];
    type = isNamed ? own || type : part;
    const isRest = type.startsWith("...");
    found.unshift({
      name,
      type: spaced(type),
      isOptional: isRest,
      value: "",
      isRest,
      by: "either",
    });
  }
  return found;
}

function rubyParameter(head: string, value: string): ApiParameter {
  const keyword = /^(?<name>\w+):\s*(?<value>.*)$/.exec(head)?.groups;
  if (keyword !== undefined) {
    const { name = "", value: own = "" } = keyword;
    return { name, type: "", isOptional: own !== "", value: own, isRest: false, by: "name" };
  }
  const isRest = head.startsWith("*");
  const name = head.startsWith("**") ? "**" : isRest ? "" : head.replace(/^&/, "");
  const isOptional = value !== "" || isRest || head.startsWith("&");
  return { name, type: "", isOptional, value, isRest, by: "position" };
}

/** The same type is equal, however it is spaced. */
export function spaced(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/\s*([,:;|&=<>()[\]{}])\s*/g, "$1")
    .replace(/[,;](?=[)\]}>])/g, "")
    .replace(/([,:;|]|=>|(?<=[\w)\]}>])&(?!&))/g, "$1 ")
    .replace(/ (?=[|&])|(?<![ ])(?=[|&] )/g, " ")
    .replace(/ ?=> /g, " => ")
    .trim();
}
