// The facts about one definition: name and position, signature, documentation and access.
import type { Node } from "web-tree-sitter";

import { isValueKind } from "../../base/definition-kinds.ts";
import {
  nameAt,
  type AccessLevel,
  type AccessChange,
  type Definition,
  type DefinitionRule,
  type SymbolKind,
  type Name,
} from "../languages/definition-rules.ts";
import { extractDocLine, extractSignature } from "./signature.ts";
import type { FoundNode, OutlineWalk } from "./outline-walk.ts";

/** In UTF-16 code units. Modifiers and annotations before a name are rarely longer. */
const HEAD_CHARS = 400;

/** The name and body of a definition according to its rule. */
export interface DefinitionParts {
  readonly rule: DefinitionRule;
  readonly name: Name;
  readonly body: Node | undefined;
}

/** Returns the name of the definition, or undefined if the node is not one. */
export function definitionName({ name }: DefinitionRule, node: Node): Name | undefined {
  if (name === undefined) return nameAt(node.childForFieldName("name"));
  const found = name(node);
  if (typeof found !== "string") return found;
  return { text: found, index: -1, row: node.startPosition.row };
}

/** Returns the position of the name. A name without a position is searched in the declaration. */
export function locateName(
  walk: OutlineWalk,
  node: Node,
  { name, body, rule }: DefinitionParts,
): Pick<Definition, "nameLine" | "nameIndex"> {
  const { text, index, row } = name;
  if (index !== -1 || rule.isSymbol === false) return { nameLine: row + 1, nameIndex: index };
  const from = node.startIndex;
  const head = walk.text.slice(
    from,
    body?.startIndex ?? Math.min(node.endIndex, from + HEAD_CHARS),
  );
  const at = indexOfWord(head, text);
  if (at === -1) return { nameLine: row + 1, nameIndex: -1 };
  const lines = head.slice(0, at).split("\n").length - 1;
  return { nameLine: node.startPosition.row + 1 + lines, nameIndex: from + at };
}

/** Returns the offset of `word` as a whole word in the text, or -1. */
function indexOfWord(text: string, word: string): number {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!isWordPart(text[at - 1]) && !isWordPart(text[at + word.length])) return at;
  }
  return -1;
}

function isWordPart(char: string | undefined): boolean {
  return char !== undefined && /[\w$]/.test(char);
}

/** Returns the signature on one line. */
export function signatureFor(
  { text, maxSignatureChars }: OutlineWalk,
  found: FoundNode,
  { rule, name, body }: DefinitionParts,
): string {
  const { node } = found;
  const start = signatureStart(text, found);
  // The value of a constant or field is informative: its first line is included.
  if (isValueKind(rule.kind))
    return extractSignature(text, start, lineEnd(text, node), maxSignatureChars);
  const end = body?.startIndex ?? node.endIndex;
  const signature = extractSignature(text, start, end, maxSignatureChars);
  // In `typedef struct {…} name` the name comes last.
  const isNamed = rule.kind !== "type" || signature.includes(name.text);
  return isNamed ? signature : `${signature} ${name.text}`;
}

function signatureStart(text: string, { node, place }: FoundNode): number {
  if (place.outerStart === undefined) return node.startIndex;
  const keywords = text.slice(place.outerStart, node.startIndex);
  const isPart = /^(?:[\w\s]{1,60}|template\s*<[^]{1,200}>\s*)$/.test(keywords);
  return isPart ? place.outerStart : node.startIndex;
}

function lineEnd(text: string, node: Node): number {
  const end = text.indexOf("\n", node.startIndex);
  return end === -1 ? node.endIndex : Math.min(end, node.endIndex);
}

/** Returns the first line of the comments before the definition, or undefined. */
export function docLineFor({ text }: OutlineWalk, { lead }: FoundNode): string | undefined {
  return lead && extractDocLine(text.slice(lead.startIndex, lead.endIndex));
}

/** Returns the access of a definition. */
export function accessOf(
  walk: OutlineWalk,
  { node, type, place }: FoundNode,
  { name, kind, nameIndex }: Pick<Definition, "name" | "kind" | "nameIndex">,
): AccessLevel {
  // What a function returns can be used wherever its result is.
  if (place.inFunction) return place.isReturned?.(name) === true ? "internal" : "private";
  const { access } = walk.rules;
  if (access === undefined) return "internal";
  const start = place.outerStart ?? node.startIndex;
  const end = Math.min(nameIndex === -1 ? start + 80 : nameIndex, start + HEAD_CHARS);
  const { parent, outer, section } = place;
  return access({ type, name, kind, head: walk.text.slice(start, end), parent, outer, section });
}

/** Applies access changes that list names to the definitions with those names. */
export function applyAccessChanges(
  definitions: readonly Definition[],
  changes: readonly AccessChange[],
): void {
  for (const change of changes) applyAccessChange(definitions, change);
}

function applyAccessChange(definitions: readonly Definition[], change: AccessChange): void {
  for (const definition of definitions) {
    if (!definition.isScope) applyAccessChange(definition.members, change);
    if (change.names?.has(definition.name) !== true) continue;
    // Members of an interface or enumeration are as accessible as the type.
    if (definition.kind === "type") setAccess(definition.members, change.access);
    definition.access = change.access;
  }
}

function setAccess(definitions: readonly Definition[], access: AccessLevel): void {
  for (const definition of definitions) {
    definition.access = access;
    setAccess(definition.members, access);
  }
}

/** Returns the kind of a definition inside of another: a function in a type is a method. */
export function kindWithin(kind: SymbolKind, parent: SymbolKind | undefined): SymbolKind {
  const isMember = parent === "class" || parent === "type" || isValueKind(parent);
  if (kind === "function" && isMember) return "method";
  return kind === "field" && !isMember ? "constant" : kind;
}
