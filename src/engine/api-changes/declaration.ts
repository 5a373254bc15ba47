// Parses the parts of a declaration that its users depend on: parameters, result and modifiers.

import { isCallableKind, isValueKind } from "../../base/definition-kinds.ts";
import { languageFamily } from "../../base/language-families.ts";
import type { ChunkKind } from "../../index/types.ts";
import {
  endOfBrackets,
  findOutside,
  parseParameters,
  spaced,
  splitOutside,
  type ApiParameter,
} from "./parameters.ts";

export interface ApiDeclaration {
  readonly kind: ChunkKind;
  readonly language: string;
  /** One line, for people. */
  readonly signature: string;
  /** Undefined for what is not called. */
  readonly parameters: readonly ApiParameter[] | undefined;
  /** The declared type of the result or the value; "" if none is declared. */
  readonly type: string;
  /** What it inherits from, as written. */
  readonly bases: readonly string[];
  /** What follows the name of a type, without what it inherits from; the definition of an alias. */
  readonly rest: string;
  /** `static`, `async`, `property` and the like, which decide how it is used. */
  readonly modifiers: ReadonlySet<string>;
}

/** A definition whose declaration is read. */
interface Declared {
  readonly name: string;
  readonly kind: ChunkKind;
  readonly language: string;
  /** The declaration on one line, without its body. */
  readonly signature: string;
  /** The lines before that of the name. */
  readonly above: readonly string[];
  /** Returns the text of a type that only this file knows. */
  readonly localType: (name: string) => string | undefined;
  /** The whole definition; for values and aliases, whose declaration may go on over several lines. */
  readonly text: string;
}

const MODIFIERS = [
  "static",
  "async",
  "abstract",
  "readonly",
  "const",
  "suspend",
  "unsafe",
  "override",
];
/** Those whose presence changes what a user must write. */
const USED_MODIFIERS = new Set(["static", "async", "suspend", "unsafe"]);
const DECORATORS: Readonly<Record<string, string>> = {
  staticmethod: "static",
  classmethod: "classmethod",
  property: "property",
  cached_property: "property",
  overload: "overload",
};

/** Returns the parameters of `open <- function(path)` in R. */
function withoutAssignment(tail: string, language: string): string {
  return language === "r" ? tail.replace(/^\W*(?:<<?-|=)\s*(?:function\b|\\)/, "") : tail;
}

/** Reads a declaration. */
export function parseDeclaration(declared: Declared): ApiDeclaration {
  const { kind, language, name } = declared;
  const signature = tidy(withoutComments(declared.signature, language));
  const at = nameIn(signature, name);
  const head = at === -1 ? "" : signature.slice(0, at);
  const tail = withoutAssignment(
    at === -1 ? signature : signature.slice(at + name.length),
    language,
  );
  const modifiers = modifiersOf(head, declared.above);
  const none = { parameters: undefined, type: "", bases: [], rest: "" };
  const common = { kind, language, signature, modifiers };
  const isAccessor =
    /\b(?:get|set|accessor)\s*$/.test(head) && languageFamily(language) === "javascript";
  if (isAccessor) {
    const { type } = callable(head, tail, { ...declared, modifiers });
    return { ...none, ...common, type, modifiers: new Set([...modifiers, "property"]) };
  }
  const annotation = annotatedFunction(declared, tail);
  if (annotation !== undefined) {
    const isOpaque = annotation === "";
    return { ...none, ...common, kind: isOpaque ? "constant" : "function", type: annotation };
  }
  const literal = isValueKind(kind) ? functionIn(declared) : undefined;
  if (literal !== undefined) {
    const facts = { ...declared, kind: "function", modifiers } as const;
    return { ...none, ...common, kind: "function", ...callable(head, literal, facts) };
  }
  if (isCallableKind(kind))
    return { ...none, ...common, ...callable(head, tail, { ...declared, modifiers }) };
  if (isValueKind(kind)) {
    const text = withoutComments(declared.text, language).replace(/\s+/g, " ").trim();
    const { type, isOptional } = valueType(text, name, language);
    return {
      ...none,
      ...common,
      type,
      modifiers: isOptional ? new Set([...modifiers, "optional"]) : modifiers,
    };
  }
  if (kind === "class" || kind === "type") {
    const alias = aliasOf(declared, language);
    if (alias !== undefined)
      return { ...none, ...common, signature: clipped(alias), rest: spaced(alias) };
    return { ...none, ...common, ...inheritance(tail, language) };
  }
  return { ...none, ...common };
}

/** One line without the spaces of several. */
function tidy(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/(?<=[([]) | (?=[)\]])/g, "")
    .replace(/,(?=[)\]])/g, "")
    .trim();
}

/**
 * The declared type of a function in a variable: what its parameters are is written there. "" for the result of a call, whose
 * parameters nobody sees; undefined for any other function.
 */
function annotatedFunction(
  { kind, language, localType }: Declared,
  tail: string,
): string | undefined {
  if (!isCallableKind(kind) || languageFamily(language) !== "javascript") return undefined;
  const equals = assignedAt(tail);
  const written = /^\s*[?!]?:\s*(?<type>.+)$/.exec(equals === -1 ? "" : tail.slice(0, equals))
    ?.groups?.["type"];
  if (written === undefined) {
    const isCall =
      equals !== -1 &&
      /^\s*(?!async\b|function\b)[A-Za-z_$][\w$.]*(?:<.*>)?\s*\(/.test(tail.slice(equals + 1));
    return isCall ? "" : undefined;
  }
  const name = /^[\w$]+/.exec(written.trim())?.[0] ?? "";
  return spaced(localType(name) ?? written);
}

/** ` = <T>(a: T): T` of a constant with a function that the grammar does not know as one. */
function functionIn({ name, language, text }: Declared): string | undefined {
  if (languageFamily(language) !== "javascript") return undefined;
  const whole = withoutComments(text, language);
  const start = /^[^=(]*?=\s*(?:async\s*)?(?:<[^()]*>)?\s*\(/.exec(whole)?.[0];
  if (start === undefined || !start.includes(name)) return undefined;
  const end = endOfBrackets(whole, start.length - 1);
  const result = /^\s*(?::(?<type>[^=;{}]*?))?\s*=>/.exec(whole.slice(end));
  if (result === null) return undefined;
  const type = result.groups?.["type"];
  const head = whole.slice(start.indexOf(name) + name.length, end);
  return (head + (type === undefined ? "" : `: ${type}`)).replace(/\s+/g, " ");
}

const MAX_ALIAS_CHARS = 300;

function clipped(text: string): string {
  return text.length <= MAX_ALIAS_CHARS ? text : `${text.slice(0, MAX_ALIAS_CHARS - 1)}…`;
}

/** The whole of `type A = …`, unless its members are definitions of their own. */
function aliasOf({ kind, text }: Declared, language: string): string | undefined {
  if (kind !== "type") return undefined;
  const whole = withoutComments(text, language).replace(/\s+/g, " ").trim();
  const isAlias = /^(?:export |declare |pub |public )*(?:type|typealias|typedef|using) /.test(
    whole,
  );
  if (!isAlias) return undefined;
  const alias = whole.replace(/;$/, "").trim();
  const open = findOutside(alias, (character) => character === "{");
  const isObject =
    open !== -1 && /=\s*$/.test(alias.slice(0, open)) && endOfBrackets(alias, open) >= alias.length;
  return isObject ? undefined : alias;
}

function withoutComments(text: string, language: string): string {
  const isHash = language === "python" || language === "notebook" || language === "ruby";
  if (isHash) return text.replace(/(?<=^|\s)#[^\n]*(?=\n|$)/g, " ");
  return text.replace(/\/\*[^]*?\*\//g, " ").replace(/(?<=^|\s)\/\/[^\n]*(?=\n|$)/g, " ");
}

/** The last place before the parameters where the name is a word of its own. */
function nameIn(signature: string, name: string): number {
  const found = findOutside(
    signature,
    (_, at) =>
      signature.startsWith(name, at) &&
      !/[\w$]/.test(signature[at - 1] ?? "") &&
      !/[\w$]/.test(signature[at + name.length] ?? ""),
  );
  return found === -1 ? signature.indexOf(name) : found;
}

function modifiersOf(head: string, above: readonly string[]): ReadonlySet<string> {
  const words = head.split(/[^\w]+/);
  const found = new Set(
    MODIFIERS.filter((word) => words.includes(word)).filter((word) => USED_MODIFIERS.has(word)),
  );
  for (const line of above) {
    const name = /^\s*@(?:\w+\.)*(?<name>\w+)/.exec(line)?.groups?.["name"] ?? "";
    const modifier = DECORATORS[name];
    if (modifier !== undefined) found.add(modifier);
  }
  return found;
}

type Callable = Pick<ApiDeclaration, "parameters" | "type" | "rest">;

interface CallableFacts {
  readonly kind: ChunkKind;
  readonly language: string;
  readonly modifiers: ReadonlySet<string>;
}

function callable(
  head: string,
  tail: string,
  { kind, language, modifiers }: CallableFacts,
): Callable {
  const assigned = assignedFunction(tail);
  const text = assigned ?? tail;
  const open = findOutside(text, (character) => character === "(");
  if (open === -1) {
    const single = /^\s*(?:async\s+)?(?<name>[A-Za-z_$][\w$]*)\s*$/.exec(assigned ?? "")?.groups;
    const list = language === "ruby" ? text.trim() : (single?.["name"] ?? "");
    return { parameters: parseParameters(list, language), type: "", rest: "" };
  }
  const end = endOfBrackets(text, open);
  const hasReceiver = kind === "method" && !modifiers.has("static");
  const parameters = modifiers.has("property")
    ? undefined
    : parseParameters(text.slice(open + 1, end - 1), language, hasReceiver);
  const rest = spaced(
    text
      .slice(0, open)
      .replace(/^\s*async\b/, "")
      .replace(/^\s*[\w$]+\s*=(?!>)/, ""),
  );
  return { parameters, type: resultType(head, text.slice(end), language), rest };
}

/** What follows the `=` of a variable that holds a function, and of a key. */
function assignedFunction(tail: string): string | undefined {
  const equals = assignedAt(tail);
  return equals !== -1
    ? tail.slice(equals + 1).replace(/^\s*(?:async\s+)?function\b\s*\w*/, "")
    : undefined;
}

function assignedAt(tail: string): number {
  const equals = findOutside(
    tail,
    (character, at) => character === "=" && !/[=>]/.test(tail[at + 1] ?? ""),
  );
  const open = findOutside(tail, (character) => character === "(");
  return open === -1 || equals < open || /^\s*[?!]?:/.test(tail) ? equals : -1;
}

function resultType(head: string, after: string, language: string): string {
  const arrow = /^\s*->\s*(?<type>.*?)(?:\s+where\b.*)?$/.exec(after)?.groups?.["type"];
  if (arrow !== undefined) return spaced(arrow.replace(/:$/, ""));
  const colon = /^\s*:\s*(?<type>.*?)(?:\s*=>)?$/.exec(after)?.groups?.["type"];
  if (colon !== undefined) return spaced(colon);
  if (language === "go") return spaced(after);
  const isTyped = ["java", "csharp", "c", "cpp", "objc", "dart", "groovy"].includes(language);
  return isTyped ? spaced(head.replace(MODIFIER_WORDS, " ")) : "";
}

const MODIFIER_WORDS =
  /@\w+(?:\([^()]*\))?|\b(?:public|protected|private|internal|static|final|abstract|synchronized|native|default|virtual|override|sealed|async|extern|inline|constexpr|explicit|friend|new|partial|unsafe|[A-Z]+_(?:API|EXPORT|EXTERN))\b/g;

function valueType(
  text: string,
  name: string,
  language: string,
): { readonly type: string; readonly isOptional: boolean } {
  const at = nameIn(text, name);
  const head = at === -1 ? "" : text.slice(0, at);
  const after = at === -1 ? text : text.slice(at + name.length);
  const equals = findOutside(
    after,
    (character, place) =>
      (character === "=" && !/[=>]/.test(after[place + 1] ?? "")) || character === ";",
  );
  const declared = (equals === -1 ? after : after.slice(0, equals)).trim();
  const colon = /^(?<mark>[?!]?)\s*:\s*(?<type>.*)$/.exec(declared)?.groups;
  if (colon !== undefined)
    return {
      type: spaced((colon["type"] ?? "").replace(/,$/, "")),
      isOptional: colon["mark"] === "?",
    };
  if (language === "go") return { type: spaced(declared.replace(/`.*$/, "")), isOptional: false };
  const isTyped = ["java", "csharp", "c", "cpp", "php"].includes(language) && !head.startsWith("#");
  return { type: isTyped ? spaced(head.replace(MODIFIER_WORDS, " ")) : "", isOptional: false };
}

function inheritance(tail: string, language: string): Pick<ApiDeclaration, "bases" | "rest"> {
  if (language === "python" || language === "notebook") {
    const open = tail.indexOf("(");
    const list = open === -1 ? "" : tail.slice(open + 1, endOfBrackets(tail, open) - 1);
    const bases = splitOutside(list, ",").map(spaced);
    return { bases: bases.filter((one) => one !== "" && !/^\w+=/.test(one)), rest: "" };
  }
  const at = findOutside(tail, (_, place) =>
    /^(?:\b(?:extends|implements|with)\s|:(?!:))/.test(tail.slice(place)),
  );
  const before = at === -1 ? tail : tail.slice(0, at);
  const list = at === -1 ? "" : tail.slice(at).replace(/^(?:\w+|:)/, "");
  const bases = splitOutside(list.replace(/\s(?:implements|with|where)\s/g, ", "), ",").map(spaced);
  return { bases: bases.filter((one) => one !== ""), rest: spaced(before) };
}
