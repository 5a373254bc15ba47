// Parses a query for a symbol: `Session#open`, `pkg.mod.open()`, `class Session`, `parse conf`.

import { distanceWithin, maxTypos } from "../base/edit-distance.ts";
import { letterMask, subWords } from "../index/names/sub-words.ts";

/** A parsed symbol query. */
export interface SymbolQuery {
  /** The whole query, without surrounding quotes, keywords and call. */
  readonly whole: string;
  /** The part after the qualifiers. */
  readonly name: string;
  /** `name` in lower case. */
  readonly lowerName: string;
  /** Outermost first, in lower case; empty when there are none. */
  readonly qualifiers: readonly string[];
  /** Sub-words of the name. */
  readonly words: readonly string[];
  /** `letterMask` of the name. */
  readonly mask: number;
}

const KEYWORDS =
  /^(?:(?:export|public|private|static|async|abstract|final|class|interface|struct|enum|trait|type|function|func|fn|fun|def|method|module|namespace|const|new)\s+)+(?=[\w$#@]+$)/;
/** Qualifiers that refer to the current scope, and so do not say where a symbol is. */
const RELATIVE = new Set(["crate", "self", "super", "this", "cls", "static", "global"]);
const SEPARATOR = /::|->|[.#/\\]|\s>\s/;
/** An operator of Haskell or Scala, which may be in parentheses or quotes. */
const OPERATOR = /^[`'"(]{0,2}([!#%&*+./<=>?@\\^|~:-]{1,20})[`'")]{0,2}$/;
const MAX_QUALIFIERS = 12;

/** Returns undefined when the text contains no possible symbol name. */
export function parseSymbolQuery(text: string): SymbolQuery | undefined {
  const whole = wholeOf(text);
  const parts = whole.split(SEPARATOR).map((part) => part.trim());
  const name = parts.findLast((part) => part !== "") ?? whole;
  if (!/[\p{L}\p{N}_$]/u.test(name)) return undefined;
  const qualifiers = parts
    .slice(0, parts.lastIndexOf(name))
    .map((part) => withoutCall(part).toLowerCase())
    .filter((part) => part !== "" && !RELATIVE.has(part))
    .slice(-MAX_QUALIFIERS);
  return { whole, qualifiers, ...queryOf(name) };
}

/** Returns a query for an operator; undefined for other texts. */
export function parseOperatorQuery(text: string): SymbolQuery | undefined {
  const operator = OPERATOR.exec(text.trim())?.[1];
  return operator === undefined
    ? undefined
    : { whole: operator, qualifiers: [], ...queryOf(operator) };
}

/** Returns the query with its text as one name, separators included: headings contain dots. */
export function wholeQuery(query: SymbolQuery): SymbolQuery {
  return { whole: query.whole, qualifiers: [], ...queryOf(query.whole) };
}

function queryOf(name: string): Omit<SymbolQuery, "whole" | "qualifiers"> {
  return {
    name,
    lowerName: name.toLowerCase(),
    words: subWords(name),
    mask: letterMask(name),
  };
}

function wholeOf(text: string): string {
  const bare = withoutTypes(text.trim().replace(/^[`'"]+|[`'";,]+$/g, ""));
  return withoutCall(bare).replace(KEYWORDS, "").replace(/\s+/g, " ").trim();
}

/** Removes text in angle brackets, however deeply nested. */
function withoutTypes(text: string): string {
  const shorter = text.replace(/(?<=[\p{L}\p{N}_$])<[^<>]*>/gu, "");
  return shorter === text ? text : withoutTypes(shorter);
}

/** Removes the arguments of a call and everything after them. */
function withoutCall(text: string): string {
  return text.replace(/(?<=[\p{L}\p{N}_$])\s*[(<[].*$/su, "");
}

/** The scope that contains a definition. */
export interface SymbolScope {
  /** As SymbolNames.ownerOf returns it. */
  readonly owner: string;
  /** Path of the file that contains it. */
  readonly path: string;
}

/**
 * Returns true when the definition is in the scope that the qualifiers name. The last qualifier names the directly
 * enclosing scope; the others must enclose that one, in order.
 */
export function isQualifiedBy(qualifiers: readonly string[], scope: SymbolScope): boolean {
  const { folders, stem, owners } = chainOf(scope);
  // The scope of a top-level definition is its file, or the folder that is the package.
  return owners.length > 0
    ? endsIn([...folders, stem, ...owners], qualifiers)
    : endsIn([...folders, stem], qualifiers) || endsIn(folders, qualifiers);
}

/**
 * Returns true when the qualifiers are, in order, among the folders, the file and the scopes around a definition: modules of
 * Rust and packages of Python re-export what files below them define, so that `ops::compile` may be in
 * `src/ops/cargo_compile/mod.rs`. For definitions of a file itself; the members of a type need its name.
 */
export function isBelow(qualifiers: readonly string[], scope: SymbolScope): boolean {
  const { folders, stem, owners } = chainOf(scope);
  const chain = [...folders, stem];
  return owners.length === 0 && endsIn([...chain, ""], [...qualifiers, ""]);
}

/** Returns true when an enclosing scope, or else the file, has almost the name of the last qualifier. */
export function isNearlyQualifiedBy(qualifiers: readonly string[], scope: SymbolScope): boolean {
  const last = qualifiers.at(-1) ?? "";
  const { stem, owners } = chainOf(scope);
  const allowed = maxTypos(last.length);
  const around = owners.length > 0 ? owners : [stem];
  return around.some((one) => distanceWithin(last, one, allowed) !== undefined);
}

/** Returns the enclosing scopes of a definition, in lower case, outermost first. */
function chainOf({ owner, path }: SymbolScope): {
  readonly folders: readonly string[];
  readonly stem: string;
  readonly owners: readonly string[];
} {
  const folders = path.toLowerCase().split("/");
  const stem = (folders.pop() ?? "").replace(/(?<=.)\..*$/, "");
  const owners = owner.toLowerCase().split(SEPARATOR);
  return {
    folders,
    stem,
    owners: owners.map((part) => part.trim()).filter((part) => part !== ""),
  };
}

/** Returns true when the chain ends with the last name and contains the others before it, in order. */
function endsIn(chain: readonly string[], names: readonly string[]): boolean {
  if (chain.at(-1) !== names.at(-1)) return false;
  let left = names.length;
  for (let at = chain.length - 1; at >= 0 && left > 0; at -= 1) {
    if (chain[at] === names[left - 1]) left -= 1;
  }
  return left === 0;
}
