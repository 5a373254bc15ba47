// The rules of a language as tables by the numbers that its grammar gives to node types.
import type { Language } from "web-tree-sitter";

import type { NodeRule, NodePart, ReferenceRules } from "../languages/reference-rules.ts";
import type { UseRole } from "./references.ts";
import { shapeOf, type GrammarShape, type FlatSyntaxTree } from "../flat-tree/flat-syntax-tree.ts";

export const NO_NAME = 0;
const VALUE_NAME = 1;
export const TYPE_NAME = 2;
export const MEMBER_NAME = 3;

const EMPTY: NodeRule = {};

export interface GrammarRules {
  readonly shape: GrammarShape;
  readonly rules: ReferenceRules;
  /** By type; `EMPTY` where there is none. One more than there are types, for what could not be parsed. */
  readonly nodes: readonly NodeRule[];
  /** By type: the kind of name that a leaf is. */
  readonly names: Uint8Array;
  /** By type: whether its rule says anything that the readers have to stop for, as bits. */
  readonly marks: Uint8Array;
  readonly isReturn: Uint8Array;
  readonly isBlock: Uint8Array;
  readonly isDefinition: Uint8Array;
  readonly ignored: ReadonlySet<string>;
}

/** The node opens a scope, declares something, or is an import. */
export const DECLARES = 1;
/** The names in it are those of types. */
export const IS_TYPE = 2;
/** It stands before its definition. */
export const LEADS = 4;
/** Its value passes through a part of it, or is named by one: a name there is met as the node itself. */
export const HAS_HEAD = 8;
export const HAS_ROLES = 16;

/** `definitions` are the node types that the outline makes definitions of. */
export function compileRules(
  language: Language,
  rules: ReferenceRules,
  definitions: Iterable<string>,
): GrammarRules {
  const shape = shapeOf(language, rules.keywords);
  const nodes: NodeRule[] = Array.from({ length: shape.typeNames.length + 1 }, () => EMPTY);
  const columns = {
    names: new Uint8Array(nodes.length),
    marks: new Uint8Array(nodes.length),
    isReturn: new Uint8Array(nodes.length),
    isBlock: new Uint8Array(nodes.length),
    isDefinition: new Uint8Array(nodes.length),
  };
  const definitionTypes = new Set(definitions);
  const kinds = { value: VALUE_NAME, type: TYPE_NAME, member: MEMBER_NAME };
  for (const [id, name] of shape.typeNames.entries()) {
    if (!language.nodeTypeIsNamed(id) && rules.keywords?.includes(name) !== true) continue;
    const kind = Object.hasOwn(rules.names, name) ? rules.names[name] : undefined;
    const rule = Object.hasOwn(rules.nodes, name) ? rules.nodes[name] : undefined;
    nodes[id] = rule ?? EMPTY;
    columns.names[id] = kind === undefined ? NO_NAME : kinds[kind];
    columns.marks[id] = rule === undefined ? 0 : marksOf(rule);
    columns.isReturn[id] = Number(rules.returns?.includes(name) === true);
    columns.isBlock[id] = Number(rules.blocks?.includes(name) === true);
    columns.isDefinition[id] = Number(definitionTypes.has(name));
  }
  return { shape, rules, nodes, ...columns, ignored: new Set(rules.ignored) };
}

function marksOf(rule: NodeRule): number {
  const { scope, declares, imports, sets, isIgnored, isType, leads, roles } = rule;
  const isDeclaring = (scope ?? declares ?? imports ?? sets ?? isIgnored) !== undefined;
  return (
    (isDeclaring ? DECLARES : 0) |
    (isType === true ? IS_TYPE : 0) |
    (leads === true ? LEADS : 0) |
    (headOf(rule) === undefined ? 0 : HAS_HEAD) |
    (roles === undefined ? 0 : HAS_ROLES)
  );
}

/** The part of a node that names what the whole node is. */
export function headOf({ value, type }: NodeRule): NodePart | undefined {
  if (value?.is === "member") return value.name;
  if (value?.is === "through") return value.of;
  if (type?.is === "generic") return type.name;
  return type?.is === "path" ? -1 : undefined;
}

/** The first child that the part matches; -1 when there is none, or no part. */
export function partOf(tree: FlatSyntaxTree, node: number, part: NodePart | undefined): number {
  if (part === undefined) return -1;
  if (typeof part === "number") return tree.child(node, part);
  if (part === ".") return node;
  if (typeof part === "string") return tree.childInField(node, part);
  if (typeof part === "function") return part(node, tree);
  for (const one of part) {
    const found = partOf(tree, node, one);
    if (found !== -1) return found;
  }
  return -1;
}

/** The leaf that a node comes to as a name: `f` of `f<int>`; the node itself when there is none. */
export function firstNameIn(tree: FlatSyntaxTree, node: number, { nodes }: GrammarRules): number {
  let name = node;
  while (name !== -1 && !tree.isLeaf(name)) {
    const head = headOf(nodes[tree.types[name] ?? 0] ?? EMPTY);
    const next = partOf(tree, name, head);
    if (next === -1) return name;
    name = next;
  }
  return name;
}

/** All children that the part matches. */
export function partsOf(tree: FlatSyntaxTree, node: number, part: NodePart): readonly number[] {
  if (part === "*") return tree.children(node);
  if (typeof part === "string") {
    return tree.children(node).filter((child) => tree.fieldName(child) === part);
  }
  if (typeof part === "object") {
    for (const one of part) {
      const all = partsOf(tree, node, one);
      if (all.length > 0) return all;
    }
    return [];
  }
  const found = partOf(tree, node, part);
  return found === -1 ? [] : [found];
}

/** Whether the child is what the part of its parent matches. */
export function isPart(tree: FlatSyntaxTree, child: number, part: NodePart): boolean {
  return part === "*" || partOf(tree, tree.parent(child), part) === child;
}

/** What the rule says of a name that the child of its node comes to; undefined when it says nothing. */
export function useRoleOf(
  tree: FlatSyntaxTree,
  child: number,
  rule: NodeRule,
): UseRole | "none" | undefined {
  const parent = tree.parent(child);
  const roles = typeof rule.roles === "function" ? rule.roles(parent, tree) : rule.roles;
  if (roles === undefined) return undefined;
  const field = tree.fieldName(child);
  if (field !== "" && Object.hasOwn(roles, field)) return roles[field];
  const isFirst = child === parent + 1;
  return isFirst ? (roles["0"] ?? roles["*"]) : roles["*"];
}
