// Reads the types of Swift. Their values are expressions of references.ts.

import type { UseRole } from "../../references/references.ts";
import type { SwiftFile } from "./swift-file.ts";
import { NAME, OPERATOR, STRING, WORD } from "./tokens.ts";

/** Types that are a collection of their last type argument. */
const COLLECTIONS = new Set(
  `Array ArraySlice Set Dictionary ContiguousArray AnySequence AnyCollection OrderedSet OrderedDictionary AsyncStream
   AsyncThrowingStream IdentifiedArrayOf IdentifiedArray LazySequence Slice ReversedCollection`.split(
    /\s+/,
  ),
);
/** Types that are, or give, one value of their first type argument. */
const WRAPPERS = new Set("Optional Unmanaged UnsafePointer UnsafeMutablePointer".split(" "));
/** Words before a type. */
const PREFIXES = new Set(
  "inout some any each repeat borrowing consuming __owned __shared sending isolated _const".split(
    " ",
  ),
);
/** What every type has. */
const META = new Set(["Type", "Protocol", "self"]);
const EFFECTS = new Set(["async", "throws", "rethrows"]);

/** An object of the type of `self`, which may inherit from the type around. */
const SELF = "@Self";

/** A function type in `FileReferences.signatures`: `^@A,@B!@C`. */
export const FUNCTION_TYPE = "^";

/** Reads a type. Returns the expression of its values, the text of a function type, or "" if it is unknown. */
export function readType(file: SwiftFile, role: UseRole = "type"): string {
  return file.nested(() => readTypeWithin(file, role)) ?? "";
}

/** The same, but function types are unknown. */
export function readValueType(file: SwiftFile, role: UseRole = "type"): string {
  const type = readType(file, role);
  return type.startsWith(FUNCTION_TYPE) ? "" : type;
}

function readTypeWithin(file: SwiftFile, role: UseRole): string {
  readTypePrefix(file);
  let type = readSimpleType(file, role);
  for (;;) {
    if (file.begins("?") || file.begins("!")) {
      if (!file.isAdjacent()) break;
      file.takeCharacter();
      continue;
    }
    if (file.is("&")) {
      file.at += 1;
      readSimpleType(file, role);
      continue;
    }
    if (file.kind === OPERATOR && file.is("...") && file.isAdjacent()) {
      file.at += 1;
      type = collectionOf(type);
      continue;
    }
    break;
  }
  return readArrow(file) ? functionType(file, type) : type;
}

function readTypePrefix(file: SwiftFile): void {
  for (;;) {
    if (file.kind === 64) readTypeAttribute(file);
    else if (file.is("~")) file.at += 1;
    else if (PREFIXES.has(file.text) && startsType(file, 1)) file.at += 1;
    else return;
  }
}

/** `@escaping`, `@Sendable`, `@convention(c)`, `@MainActor` */
function readTypeAttribute(file: SwiftFile): void {
  file.at += 1;
  const { text, at } = file;
  file.at += 1;
  if (/^\p{Lu}/u.test(text) && text !== "Sendable" && text !== "MainActor")
    file.addUse(text, at, { role: "type" });
  if (file.kind === 40 && file.isAdjacent()) file.skipBrackets();
}

function startsType(file: SwiftFile, offset: number): boolean {
  const kind = file.kindAt(offset);
  return kind === NAME || kind === 40 || kind === 91 || kind === 64 || file.is("Self", offset);
}

/** Takes `->` and what is before it. */
function readArrow(file: SwiftFile): boolean {
  let offset = 0;
  while (EFFECTS.has(file.textAt(offset)) && file.kindAt(offset) !== STRING) {
    offset += 1;
    if (file.kindAt(offset) === 40) offset = file.closer(file.at + offset) + 1 - file.at;
  }
  if (!file.is("->", offset)) return false;
  file.at += offset + 1;
  return true;
}

function functionType(file: SwiftFile, parameters: string): string {
  const result = readValueType(file);
  const list = parameters.startsWith("(") ? parameters.slice(1) : parameters;
  return `${FUNCTION_TYPE}${list}!${result}`;
}

function collectionOf(type: string): string {
  return /^[@#]/.test(type) ? `${type}*` : "";
}

function readSimpleType(file: SwiftFile, role: UseRole): string {
  if (file.kind === 91) return readCollection(file);
  if (file.kind === 40) return readTuple(file);
  if (file.takeWord("Self")) return readMembersOfSelf(file, role);
  if (file.kind === NAME || (file.kind === WORD && file.is("protocol")))
    return readNamed(file, role);
  return "";
}

function readCollection(file: SwiftFile): string {
  const end = file.closer();
  file.at += 1;
  let element = readType(file);
  if (file.take(58)) element = readType(file);
  file.at = end + 1;
  return collectionOf(element);
}

/** Returns a type in parentheses, or the list of a function's parameters, which begins with "(". */
function readTuple(file: SwiftFile): string {
  const end = file.closer();
  file.at += 1;
  const types: string[] = [];
  while (file.at < end) {
    const before = file.at;
    // Labels: `(_ name: Type, other: Type)`
    if (file.kindAt(1) === 58 || (file.kindAt(1) === NAME && file.kindAt(2) === 58)) {
      file.at += file.kindAt(1) === 58 ? 2 : 3;
    }
    types.push(readType(file));
    while (file.at < end && file.kind !== 44) file.at += 1;
    if (!file.take(44) && file.at === before) break;
  }
  file.at = end + 1;
  const isFunction = arrowFollows(file);
  const [only = ""] = types;
  if (!isFunction) return types.length === 1 ? only : "";
  return `(${types.map((type) => (type.startsWith(FUNCTION_TYPE) ? "" : type)).join(",")}`;
}

function arrowFollows(file: SwiftFile): boolean {
  const before = file.at;
  const isArrow = readArrow(file);
  file.at = before;
  return isArrow;
}

function readMembersOfSelf(file: SwiftFile, role: UseRole): string {
  let type = SELF;
  while (file.kind === 46 && file.kindAt(1) === NAME) {
    file.at += 1;
    const name = file.text;
    if (!META.has(name)) {
      file.addUse(name, file.at, { role, receiver: file.self === "" ? "?" : file.self });
      type = "";
    }
    file.at += 1;
  }
  return type;
}

/** `A.B<C>` */
function readNamed(file: SwiftFile, role: UseRole): string {
  const { text: first, at: start } = file;
  file.at += 1;
  const local = file.local(first);
  const isParameter = local?.isType === true;
  let path = first;
  let passed = readTypeArguments(file);
  if (!isParameter) file.addUse(first, start, { role: endsHere(file) ? role : "type" });
  while (hasMember(file)) {
    const name = file.textAt(1);
    file.at += 2;
    if (META.has(name)) continue;
    // Members of type parameters are associated types.
    const receiver = isParameter ? "?" : path;
    file.addUse(name, file.at - 1, { role: endsHere(file) ? role : "type", receiver });
    path += `.${name}`;
    passed = readTypeArguments(file);
  }
  if (isParameter) return path === first ? local.type : "";
  return instanceText(path, passed);
}

function hasMember(file: SwiftFile): boolean {
  return file.kind === 46 && (file.kindAt(1) === NAME || file.kindAt(1) === WORD);
}

/** Returns the expression of the values of a type with type arguments. */
function instanceText(path: string, passed: readonly string[]): string {
  if (passed.length === 0) return `@${path}`;
  if (COLLECTIONS.has(path)) return collectionOf(passed.at(-1) ?? "");
  return WRAPPERS.has(path) ? (passed[0] ?? "") : typeWithArguments(`@${path}`, passed);
}

/** Returns a value of a generic type with its type arguments, as far as they are known. */
export function typeWithArguments(value: string, passed: readonly string[]): string {
  if (passed.every((type) => type === "")) return value;
  const texts = passed.map((type) => `:${type.startsWith(FUNCTION_TYPE) ? "" : type}`);
  return `${value}<${texts.join(",")}>`;
}

/** Whether no member follows a name in a type. */
function endsHere(file: SwiftFile): boolean {
  return file.kind !== 46 || META.has(file.textAt(1));
}

/** Returns the type arguments `<A, B>`; none if there is no list. */
export function readTypeArguments(file: SwiftFile): readonly string[] {
  if (!file.is("<") || !file.isAdjacent()) return [];
  file.at += 1;
  const types: string[] = [];
  for (;;) {
    types.push(readType(file));
    if (!file.take(44)) break;
  }
  if (file.begins(">")) file.takeCharacter();
  return types;
}

/** Reads `<T: Bound, U>` and declares the names. `isOfType`: they are those of a type, whose values may show them. */
export function readTypeParameters(file: SwiftFile, { isOfType = false } = {}): void {
  if (!file.is("<")) return;
  file.at += 1;
  while (file.kind === NAME) {
    if (file.is("each") || file.is("let")) file.at += 1;
    const name = file.text;
    file.at += 1;
    file.declare(name, isOfType ? `@${name}` : "", true);
    if (file.take(58)) file.declare(name, readValueType(file), true);
    if (!file.take(44)) break;
  }
  if (file.is("where")) readWhere(file);
  if (file.begins(">")) file.takeCharacter();
}

/** Reads `where T: Bound, U.Element == Other`. A bound of a type parameter is the type of its values. */
export function readWhere(file: SwiftFile): void {
  if (!file.takeWord("where")) return;
  for (;;) {
    const name = file.kindAt(1) === 46 ? "" : file.text;
    readType(file);
    const isBound = file.take(58);
    if (!isBound && !file.takeWord("==")) return;
    const bound = readValueType(file);
    if (file.local(name)?.isType === true) file.declare(name, bound, true);
    if (!file.take(44)) return;
  }
}
