// Reads the definitions out of a syntax tree. Only the levels that can hold definitions are visited;
// the bodies of functions are left alone unless they are long enough to be cut.
import type { Node } from "web-tree-sitter";

import { endRowOf, markCut, markInside, MAX_DEPTH } from "./cut-points.ts";
import {
  fieldNode,
  fieldText,
  type Definition,
  type DefinitionRule,
  type Kind,
  type LanguageRules,
  type Outline,
} from "./language.ts";
import { docLineOf, signatureOf } from "./summary.ts";

/** Functions shorter than this are not searched for functions inside; most have none. */
const NESTED_FROM_LINES = 20;

/** Comments and attributes that stand directly before a node. */
interface Lead {
  readonly startRow: number;
  readonly startIndex: number;
  endRow: number;
  endIndex: number;
}

interface Walk {
  readonly text: string;
  readonly rules: LanguageRules;
  readonly cuts: Uint8Array;
  /** What was seen since the last statement. */
  lead: Lead | undefined;
  /** Row in which the last statement ended: a comment there trails it. */
  lastRow: number;
}

interface Place {
  readonly parent: Kind | undefined;
  readonly depth: number;
  readonly inFunction: boolean;
  /** Where the wrapper around the node begins; its keywords belong to the signature. */
  readonly outerStart?: number;
}

interface Found {
  readonly node: Node;
  // Each question to a node costs a call into WebAssembly: these two are asked once.
  readonly type: string;
  readonly endRow: number;
  readonly place: Place;
  readonly lead: Lead | undefined;
}

export function readOutline(
  root: Node,
  source: { text: string; lineCount: number; rules: LanguageRules },
): Outline {
  const { text, rules, lineCount } = source;
  const cuts = new Uint8Array(lineCount + 1);
  const walk: Walk = { text, rules, cuts, lead: undefined, lastRow: -1 };
  const definitions = visit(walk, root, { parent: undefined, depth: 1, inFunction: false });
  return { definitions, cuts };
}

function visit(walk: Walk, container: Node, place: Place): Definition[] {
  const definitions: Definition[] = [];
  if (place.depth > MAX_DEPTH) return definitions;
  for (const node of container.namedChildren) {
    const startRow = node.startPosition.row;
    const { type } = node;
    const endRow = endRowOf(node);
    if (walk.rules.attached.has(type) || walk.rules.isAttached?.(node) === true) {
      extendLead(walk, { node, startRow, endRow });
      continue;
    }
    const lead = isAdjacent(walk.lead, startRow) ? walk.lead : undefined;
    markCut(walk.cuts, lead?.startRow ?? startRow, place.depth);
    // Cleared first: a comment at the end of a block may belong to what comes after the block.
    walk.lead = undefined;
    for (const definition of define(walk, { node, type, endRow, place, lead }))
      definitions.push(definition);
    walk.lastRow = endRow;
  }
  return walk.rules.hasClauses === true ? joinClauses(definitions) : definitions;
}

function isAdjacent(lead: Lead | undefined, row: number): lead is Lead {
  return lead !== undefined && row - lead.endRow <= 1;
}

function extendLead(
  walk: Walk,
  { node, startRow, endRow }: { node: Node; startRow: number; endRow: number },
): void {
  if (startRow === walk.lastRow && walk.lead === undefined) return;
  const { startIndex, endIndex } = node;
  if (isAdjacent(walk.lead, startRow)) {
    walk.lead.endRow = endRow;
    walk.lead.endIndex = endIndex;
  } else {
    walk.lead = { startRow, startIndex, endRow, endIndex };
  }
}

/** The definition a node is, or those it holds. */
function define(walk: Walk, found: Found): Definition[] {
  const { node, type, place } = found;
  const { rules } = walk;
  const rule = ruleFor(rules, found);
  const definition = rule && build(walk, found, rule);
  if (definition !== undefined) return [definition];

  const { parent, inFunction } = place;
  const inside: Place = { parent, inFunction, depth: place.depth + 1 };
  const wrapped: Place = { ...inside, outerStart: place.outerStart ?? node.startIndex };
  if (rules.wrappers?.has(type) === true) {
    const members = visit(walk, node, wrapped);
    if (members.length === 1) for (const only of members) widen(walk, only, found);
    return members;
  }
  if (rules.groups?.has(type) === true) return group(walk, visit(walk, node, wrapped), found);
  if (rules.blocks?.has(type) === true || type === "ERROR") {
    // Where a block begins with its first definition, what is before the one is before the other.
    walk.lead = found.lead;
    return visit(walk, node, inside);
  }
  const inner = rules.enter?.(node);
  if (inner !== undefined) return visit(walk, inner, inside);
  markInside(walk.cuts, node, inside.depth);
  return [];
}

function ruleFor(
  { definitions }: LanguageRules,
  { node, type, place }: Found,
): DefinitionRule | undefined {
  const entry = Object.hasOwn(definitions, type) ? definitions[type] : undefined;
  return typeof entry === "function" ? entry(node, place.parent) : entry;
}

function build(walk: Walk, found: Found, rule: DefinitionRule): Definition | undefined {
  const { node, place } = found;
  if (place.inFunction && rule.kind === "constant") return undefined;
  const name = rule.name === undefined ? fieldText(node, "name") : rule.name(node);
  if (name === undefined || name === "" || name === "_") return undefined;
  const body = rule.body === undefined ? fieldNode(node, "body") : rule.body(node);
  const owner = rule.owner?.(node);
  const definition: Definition = {
    ...TRAITS,
    ...traitsOf(rule),
    name,
    owner,
    kind: kindIn(rule.kind, owner === undefined ? place.parent : "class"),
    startLine: startRowOf(found) + 1,
    endLine: found.endRow + 1,
    signature: signatureFor(walk, found, { rule, body, name }),
    docLine: rule.doc?.(node) ?? docOf(walk, found),
    members: [],
  };
  if (body === undefined) markInside(walk.cuts, node, place.depth + 1);
  else definition.members = readInside(walk, { body, definition, rule, place });
  return definition;
}

const TRAITS = { isSymbol: true, isTitle: false, isInline: false, isScope: true };

function traitsOf({ isSymbol, isTitle, isInline }: DefinitionRule): Partial<typeof TRAITS> {
  return {
    ...(isSymbol !== undefined && { isSymbol }),
    ...(isTitle !== undefined && { isTitle }),
    ...(isInline !== undefined && { isInline }),
  };
}

function readInside(
  walk: Walk,
  outer: { body: Node; definition: Definition; rule: DefinitionRule; place: Place },
): Definition[] {
  const { body, definition, rule, place } = outer;
  const inside: Place = { parent: definition.kind, depth: place.depth + 1, inFunction: false };
  const isLong = definition.endLine - definition.startLine >= NESTED_FROM_LINES;
  const isSearched = walk.rules.hasNestedFunctions === true && isLong;
  if (rule.hasMembers !== true && !isSearched) {
    markInside(walk.cuts, body, inside.depth);
    return [];
  }
  // The first line of the definition is no statement that a comment could trail.
  walk.lastRow = -1;
  const members = visit(walk, body, { ...inside, inFunction: rule.hasMembers !== true });
  walk.lead = undefined;
  return members;
}

function signatureFor(
  walk: Walk,
  found: Found,
  { rule, body, name }: { rule: DefinitionRule; body: Node | undefined; name: string },
): string {
  const { text } = walk;
  const { node } = found;
  const start = signatureStart(text, found);
  // A value says more than its name; of a long one the first line.
  if (rule.kind === "constant") return signatureOf(text, start, lineEnd(text, node));
  const signature = signatureOf(text, start, body?.startIndex ?? node.endIndex);
  // In `typedef struct {…} name` the name comes last.
  const isNamed = rule.kind !== "type" || signature.includes(name);
  return isNamed ? signature : `${signature} ${name}`;
}

function signatureStart(text: string, { node, place }: Found): number {
  if (place.outerStart === undefined) return node.startIndex;
  const keywords = text.slice(place.outerStart, node.startIndex);
  const isPart = /^(?:[\w\s]{1,60}|template\s*<[^]{1,200}>\s*)$/.test(keywords);
  return isPart ? place.outerStart : node.startIndex;
}

function lineEnd(text: string, node: Node): number {
  const end = text.indexOf("\n", node.startIndex);
  return end === -1 ? node.endIndex : Math.min(end, node.endIndex);
}

function kindIn(kind: Kind, parent: Kind | undefined): Kind {
  const isMember = parent === "class" || parent === "type" || parent === "constant";
  return kind === "function" && isMember ? "method" : kind;
}

function startRowOf({ node, lead }: Found): number {
  return lead?.startRow ?? node.startPosition.row;
}

function docOf({ text }: Walk, { lead }: Found): string | undefined {
  return lead && docLineOf(text.slice(lead.startIndex, lead.endIndex));
}

/** Lets a definition begin and end where the node around it does. */
function widen(walk: Walk, definition: Definition, around: Found): void {
  definition.startLine = Math.min(definition.startLine, startRowOf(around) + 1);
  definition.endLine = Math.max(definition.endLine, around.endRow + 1);
  definition.docLine ??= docOf(walk, around);
}

/** Several small definitions in one statement become one place with several symbols. */
function group(walk: Walk, members: Definition[], around: Found): Definition[] {
  const [first] = members;
  if (first === undefined) return members;
  if (members.length === 1) {
    widen(walk, first, around);
    return members;
  }
  const whole: Definition = {
    ...first,
    startLine: startRowOf(around) + 1,
    endLine: around.endRow + 1,
    docLine: docOf(walk, around),
    isSymbol: false,
    isInline: false,
    isScope: false,
    members: members.map((member) => ({ ...member, isInline: true })),
  };
  return [whole];
}

/** Makes one definition of neighbours of the same name: clauses, overloads, a signature and its equations. */
function joinClauses(definitions: readonly Definition[]): Definition[] {
  const joined: Definition[] = [];
  for (const next of definitions) {
    const last = joined.at(-1);
    if (last === undefined || !areClauses(last, next)) {
      joined.push(next);
      continue;
    }
    last.endLine = Math.max(last.endLine, next.endLine);
    last.docLine ??= next.docLine;
    last.members.push(...next.members);
  }
  return joined;
}

function areClauses(last: Definition, next: Definition): boolean {
  return (
    (next.kind === "function" || next.kind === "method") &&
    last.name === next.name &&
    last.kind === next.kind &&
    last.owner === next.owner &&
    !next.isTitle &&
    next.startLine - last.endLine <= 2
  );
}
