// Reads the definitions from a syntax tree. Only levels that can contain definitions are visited. Function
// bodies are skipped unless they are long.
import type { Node } from "web-tree-sitter";

import type { FlatSyntaxTree } from "../flat-tree/flat-syntax-tree.ts";
import { isCallableKind, isValueKind } from "../../base/definition-kinds.ts";
import { endRowOf, markCut, markInside, MAX_DEPTH } from "./cut-points.ts";
import {
  accessOf,
  applyAccessChanges,
  docLineFor,
  kindWithin,
  definitionName,
  locateName,
  signatureFor,
  type DefinitionParts,
} from "./describe-definition.ts";
import { groupMembers, joinClauses, wrapMembers } from "./group-members.ts";
import {
  fieldNode,
  type AccessChange,
  type Definition,
  type DefinitionRule,
  type LanguageRules,
  type Name,
  type ParsedOutline,
  type LeafDefinition,
} from "../languages/definition-rules.ts";
import {
  extendLead,
  startRowOf,
  takeLead,
  type FoundNode,
  type OutlinePlace,
  type OutlineWalk,
} from "./outline-walk.ts";

/** Shorter functions are not searched for nested functions; most have none. */
const NESTED_FROM_LINES = 20;

/** Returns the definitions and cut points of a syntax tree. */
export function parseOutline(
  root: Node,
  source: {
    text: string;
    maxSignatureChars?: number | undefined;
    path: string;
    lineCount: number;
    rules: LanguageRules;
    /** The copy of the same tree. */
    tree: FlatSyntaxTree;
  },
): ParsedOutline {
  const { text, maxSignatureChars, path, rules, lineCount, tree } = source;
  const cuts = new Uint8Array(lineCount + 1);
  const walk: OutlineWalk = {
    text,
    maxSignatureChars,
    rules,
    tree,
    cuts,
    lead: undefined,
    lastRow: -1,
    attributes: [],
  };
  const definitions = visitContainer(walk, root, {
    parent: undefined,
    outer: rules.fileAccess?.(path, text) ?? "internal",
    section: undefined,
    depth: 1,
    inFunction: false,
    isInline: false,
    marksCuts: true,
  });
  return { definitions, cuts };
}

function visitContainer(walk: OutlineWalk, container: Node, within: OutlinePlace): Definition[] {
  const definitions: Definition[] = [];
  let place = within;
  if (place.depth > MAX_DEPTH) return definitions;
  const { rules } = walk;
  const changes: AccessChange[] = [];
  for (const node of childrenInText(walk, container)) {
    const startRow = node.startPosition.row;
    const { type } = node;
    const endRow = lastRowOf(node, rules);
    if (rules.attached.has(type) || rules.isAttached?.(node) === true) {
      extendLead(walk, { node, startRow, endRow });
      continue;
    }
    const lead = takeLead(walk, startRow);
    if (place.marksCuts) markCut(walk.cuts, lead?.startRow ?? startRow, place.depth);
    for (const definition of define(walk, { node, type, endRow, place, lead }))
      definitions.push(definition);
    walk.lastRow = endRow;
    const change = ownEntry(rules.accessChanges, type)?.(node, walk.text);
    if (change?.names !== undefined) changes.push(change);
    else if (change !== undefined) place = { ...place, section: change.access };
  }
  applyAccessChanges(definitions, changes);
  return rules.hasClauses === true ? joinClauses(definitions) : definitions;
}

/** Code that is made of markup follows the text. */
function childrenInText({ text }: OutlineWalk, container: Node): readonly Node[] {
  const children = container.namedChildren;
  const last = children.at(-1);
  if (last === undefined || last.startIndex <= text.length) return children;
  return children.filter(({ startIndex }) => startIndex <= text.length);
}

function lastRowOf(node: Node, { lastNode }: LanguageRules): number {
  return endRowOf(lastNode?.(node) ?? node);
}

/**
 * Returns the entry of a node type. `Object.hasOwn`, because some grammars have a type called `constructor`.
 */
function ownEntry<T>(table: Readonly<Record<string, T>> | undefined, type: string): T | undefined {
  return table !== undefined && Object.hasOwn(table, type) ? table[type] : undefined;
}

/** Returns the definition that a node is, or those that it contains, plus additional ones. */
function define(walk: OutlineWalk, found: FoundNode): Definition[] {
  const { node, type, place } = found;
  const { rules, text } = walk;
  const attributes = ownEntry(rules.attributes, type);
  if (attributes !== undefined && place.parent === "class")
    walk.attributes.push(...buildLeaf(walk, place, attributes(node, text)));
  const small = [...buildAdditional(walk, found), ...buildOwned(walk, found)];

  const rule = ruleFor(rules, found);
  const definition = rule && buildDefinition(walk, found, rule);
  if (definition !== undefined) return [definition, ...small];
  const enclosed = definitionsIn(walk, found);
  return small.length === 0 ? enclosed : [...small, ...enclosed];
}

function buildAdditional(walk: OutlineWalk, found: FoundNode): readonly Definition[] {
  const { node, type, place } = found;
  const rules =
    ownEntry(walk.rules.additionalDefinitions, type)?.(node, walk.text, place.parent) ?? [];
  if (rules.length === 0) return [];
  const inline: FoundNode = { ...found, place: { ...place, isInline: true, marksCuts: false } };
  return rules.flatMap((rule) => buildDefinition(walk, inline, rule) ?? []);
}

function buildOwned(walk: OutlineWalk, { node, type, place }: FoundNode): readonly Definition[] {
  const owned = ownEntry(walk.rules.ownedFields, type)?.(node, walk.text) ?? [];
  return owned.length === 0 ? [] : buildLeaf(walk, { ...place, inFunction: false }, owned);
}

function buildLeaf(
  walk: OutlineWalk,
  place: OutlinePlace,
  small: readonly LeafDefinition[],
): Definition[] {
  return small.flatMap(({ node, rule }) => {
    const found = { node, type: node.type, endRow: endRowOf(node), lead: undefined };
    return (
      buildDefinition(
        walk,
        { ...found, place: { ...place, isInline: true, marksCuts: false } },
        rule,
      ) ?? []
    );
  });
}

function definitionsIn(walk: OutlineWalk, found: FoundNode): Definition[] {
  const { node, type, place } = found;
  const { rules } = walk;
  const inside: OutlinePlace = {
    parent: place.parent,
    outer: place.outer,
    section: place.section,
    inFunction: place.inFunction,
    isLocal: place.isLocal,
    isReturned: place.isReturned,
    isReturnedOnly: place.isReturnedOnly,
    isInline: place.isInline,
    marksCuts: place.marksCuts,
    depth: place.depth + 1,
  };
  const wrapped: OutlinePlace = { ...inside, outerStart: place.outerStart ?? node.startIndex };
  if (rules.wrappers?.has(type) === true)
    return wrapMembers(walk, visitContainer(walk, node, wrapped), found);
  if (rules.groups?.has(type) === true)
    return groupMembers(walk, visitContainer(walk, node, wrapped), found);
  if (rules.blocks?.has(type) === true || type === "ERROR") {
    // If a block begins with its first definition, comments before the block belong to that definition.
    walk.lead = found.lead;
    return visitContainer(walk, node, inside);
  }
  const inner = rules.enter?.(node);
  if (inner !== undefined) return visitContainer(walk, inner, { ...inside, isLocal: undefined });
  if (place.marksCuts) markInside(walk.cuts, node, inside.depth);
  const enclosed = ownEntry(rules.inlineBlocks, type)?.(node);
  if (enclosed === undefined) return [];
  return visitInside(walk, enclosed, { ...inside, isInline: true, marksCuts: false });
}

function ruleFor(
  { definitions }: LanguageRules,
  { node, type, place }: FoundNode,
): DefinitionRule | undefined {
  const entry = ownEntry(definitions, type);
  return typeof entry === "function" ? entry(node, place.parent) : entry;
}

function buildDefinition(
  walk: OutlineWalk,
  found: FoundNode,
  rule: DefinitionRule,
): Definition | undefined {
  const { node, place } = found;
  const isLocal = place.inFunction && isValueKind(rule.kind);
  const name = nameFor(found, rule, isLocal);
  if (name === undefined) return undefined;
  const body = rule.body === undefined ? fieldNode(node, "body") : rule.body(node);
  const parts: DefinitionParts = { rule, name, body };
  const owner = rule.owner?.(node);
  const definition: Definition = {
    name: name.text,
    owner,
    kind: kindWithin(rule.kind, owner === undefined ? place.parent : "class"),
    startLine: startRowOf(found) + 1,
    endLine: found.endRow + 1,
    ...locateName(walk, node, parts),
    access: "internal",
    signature: signatureFor(walk, found, parts),
    docLine: rule.doc?.(node) ?? docLineFor(walk, found),
    isSymbol: rule.isSymbol ?? true,
    isTitle: rule.isTitle ?? false,
    isInline: place.isInline || rule.isInline === true || isLocal,
    isScope: true,
    members: [],
  };
  definition.access = accessOf(walk, found, definition);
  definition.members = readInside(walk, found, { definition, rule, body });
  return definition;
}

/** Returns the name; undefined if it is not a symbol: in a function, most variables are not symbols. */
function nameFor(
  { node, place }: FoundNode,
  rule: DefinitionRule,
  isLocal: boolean,
): Name | undefined {
  if (isLocal && place.isLocal === undefined) return undefined;
  const name = definitionName(rule, node);
  if (name === undefined || name.text === "") return undefined;
  if (name.text === "_" && rule.mayBeUnderscore !== true) return undefined;
  if (place.isReturnedOnly === true && place.isReturned?.(name.text) !== true) return undefined;
  return isLocal && place.isLocal?.(name.text) !== true ? undefined : name;
}

interface Inside {
  readonly definition: Definition;
  readonly rule: DefinitionRule;
  readonly body: Node | undefined;
}

function readInside(walk: OutlineWalk, found: FoundNode, parts: Inside): Definition[] {
  const { definition, body } = parts;
  const returned = returnedIn(walk, definition, body);
  const inside = placeInside(walk, found, parts, returned);
  if (returned === undefined || body === undefined) return readOwn(walk, found, parts, inside);
  const isWhole = isWholeOf(body, returned);
  const own = readOwn(walk, found, isWhole ? { ...parts, body: undefined } : parts, inside);
  return [...own, ...readReturned(walk, returned, inside)];
}

function placeInside(
  walk: OutlineWalk,
  { node, place }: FoundNode,
  { definition, rule, body }: Inside,
  returned: Node | undefined,
): OutlinePlace {
  const isReturned = body && returned && walk.rules.returnedNames?.(body);
  return {
    parent: definition.kind,
    outer: definition.access,
    section: rule.section?.(node),
    depth: place.depth + 1,
    inFunction: false,
    isLocal: either(localsIn(walk, rule, body), isReturned),
    isReturned,
    isInline: place.isInline,
    marksCuts: place.marksCuts,
  };
}

/** Returns the definitions in the body or the fields of one. */
function readOwn(
  walk: OutlineWalk,
  { node }: FoundNode,
  { definition, rule, body }: Inside,
  inside: OutlinePlace,
): Definition[] {
  const fields = rule.fields === "body" ? body : rule.fields?.(node);
  const isSearched = rule.hasMembers === true || isLongFunction(walk, definition);
  if (fields === undefined && body !== undefined && isSearched) {
    const members = visitMembers(walk, body, { ...inside, inFunction: rule.hasMembers !== true });
    if (rule.headMembers === undefined) return members;
    return [...buildLeaf(walk, inside, rule.headMembers(node)), ...members];
  }
  // Fields may be cut from each other; anything else is cut where it is long.
  const marksCuts = inside.marksCuts && isSearched && fields !== undefined && fields === body;
  if (inside.marksCuts && !marksCuts) markInside(walk.cuts, body ?? node, inside.depth);
  return readLeaf(walk, { node, rule, body, fields }, { ...inside, isInline: true, marksCuts });
}

/** Returns whether a function is nothing but the object: `() => ({…})`. */
function isWholeOf(body: Node, returned: Node): boolean {
  return body.id === returned.id || body.firstNamedChild?.id === returned.id;
}

/** Returns the object that a function returns. */
function returnedIn(
  { rules }: OutlineWalk,
  { kind, isTitle }: Definition,
  body: Node | undefined,
): Node | undefined {
  return isCallableKind(kind) && !isTitle && body !== undefined
    ? rules.returnedObject?.(body)
    : undefined;
}

/** Returns the members of an object that a function returns. All of them can be used. */
function readReturned(walk: OutlineWalk, returned: Node, inside: OutlinePlace): Definition[] {
  return visitInside(walk, returned, {
    ...inside,
    inFunction: true,
    isLocal: always,
    isReturned: always,
    isInline: true,
    marksCuts: false,
  });
}

function always(): boolean {
  return true;
}

function either(
  one: OutlinePlace["isLocal"],
  other: OutlinePlace["isLocal"],
): OutlinePlace["isLocal"] {
  if (one === undefined || other === undefined) return one ?? other;
  return (name) => one(name) || other(name);
}

/** Variables of tests are not symbols. */
function localsIn(
  { rules, tree }: OutlineWalk,
  rule: DefinitionRule,
  body: Node | undefined,
): OutlinePlace["isLocal"] {
  return rule.isTitle === true || body === undefined ? undefined : rules.localsOf?.(body, tree);
}

function isLongFunction({ rules }: OutlineWalk, { startLine, endLine }: Definition): boolean {
  return rules.hasNestedFunctions === true && endLine - startLine >= NESTED_FROM_LINES;
}

/** Returns the definitions inside of one that is never split. */
function readLeaf(
  walk: OutlineWalk,
  {
    node,
    rule,
    body,
    fields,
  }: { node: Node; rule: DefinitionRule; body: Node | undefined; fields: Node | undefined },
  place: OutlinePlace,
): Definition[] {
  if (fields !== undefined) return visitInside(walk, fields, place);
  if (rule.headMembers !== undefined) return buildLeaf(walk, place, rule.headMembers(node));
  if (body === undefined || rule.isTitle === true) return [];
  const { nestedFunctionPattern: pattern } = walk.rules;
  const hasLocals = pattern?.test(walk.text.slice(body.startIndex, body.endIndex)) === true;
  if (!hasLocals && place.isReturned === undefined) return [];
  return visitMembers(walk, body, { ...place, inFunction: true, isReturnedOnly: !hasLocals });
}

/** Returns the definitions inside a class or a long function, plus the fields that methods assign. */
function visitMembers(walk: OutlineWalk, body: Node, place: OutlinePlace): Definition[] {
  const { attributes } = walk;
  walk.attributes = [];
  const members = visitInside(walk, body, place);
  addAttributes(members, walk.attributes);
  walk.attributes = attributes;
  return members;
}

function visitInside(walk: OutlineWalk, body: Node, place: OutlinePlace): Definition[] {
  // A comment on the definition's first line does not trail a statement.
  walk.lastRow = -1;
  const members = visitContainer(walk, body, place);
  walk.lead = undefined;
  return members;
}

/** Adds the fields that methods assign, unless the class declares them. Each name once. */
function addAttributes(members: Definition[], attributes: readonly Definition[]): void {
  if (attributes.length === 0) return;
  const known = new Set(members.map(({ name }) => name));
  for (const attribute of attributes) {
    if (known.has(attribute.name)) continue;
    known.add(attribute.name);
    members.push(attribute);
  }
}
