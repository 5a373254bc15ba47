// The rules of a language, compiled into tables indexed by the node type numbers of its grammar.
import type { Language } from "web-tree-sitter";

import type {
  NodeRule,
  NodePart,
  ReferenceRules,
  ValueRule,
} from "../languages/reference-rules.ts";
import type { UseRole } from "./references.ts";
import { shapeOf, type GrammarShape, type FlatSyntaxTree } from "../flat-tree/flat-syntax-tree.ts";

/** Kinds of names of leaves, in `GrammarRules.names`. */
export const NO_NAME = 0;
const VALUE_NAME = 1;
export const TYPE_NAME = 2;
export const MEMBER_NAME = 3;

/**
 * All properties of a rule. The rules of all types have them in one order, so that V8 reads each at the same place; with a
 * set of its own for each type it would have to search them.
 */
const NO_RULE = {
  scope: undefined,
  self: undefined,
  declares: undefined,
  value: undefined,
  type: undefined,
  pattern: undefined,
  roles: undefined,
  isType: undefined,
  isKey: undefined,
  inheritedFields: undefined,
  leads: undefined,
  holds: undefined,
  sets: undefined,
  imports: undefined,
  constructs: undefined,
  text: undefined,
  isIgnored: undefined,
  means: undefined,
  accepts: undefined,
} satisfies Record<keyof NodeRule, undefined>;
/** The same for the value of a rule. */
const NO_VALUE = {
  is: undefined,
  object: undefined,
  name: undefined,
  isBareToo: undefined,
  isKey: undefined,
  expected: undefined,
  from: undefined,
  callee: undefined,
  arguments: undefined,
  literal: undefined,
  type: undefined,
  of: undefined,
  index: undefined,
  value: undefined,
  when: undefined,
  returns: undefined,
  body: undefined,
} satisfies Record<KeyOfEach<ValueRule>, undefined>;
type KeyOfEach<T> = T extends unknown ? keyof T : never;

const EMPTY: NodeRule = Object.assign({ ...NO_RULE });

/** Compiled reference rules. The arrays are indexed by type. */
export interface GrammarRules {
  readonly shape: GrammarShape;
  readonly rules: ReferenceRules;
  /** By type; `EMPTY` for types without a rule. The extra last entry is for ERROR nodes. */
  readonly nodes: readonly NodeRule[];
  /** By type: the kind of name that a leaf is, such as TYPE_NAME. */
  readonly names: Uint8Array;
  /** By type: bits such as DECLARES, which show the readers whether the rule concerns them. */
  readonly marks: Uint8Array;
  readonly isReturn: Uint8Array;
  /** By type: whether a leaf may be the key of a literal. */
  readonly isKey: Uint8Array;
  readonly isBlock: Uint8Array;
  readonly isDefinition: Uint8Array;
  readonly ignored: ReadonlySet<string>;
}

/** Bits of `marks`. The node opens a scope, declares something, or is an import. */
export const DECLARES = 1;
/** The names in it are type names. */
export const IS_TYPE = 2;
/** It precedes its definition. */
export const LEADS = 4;
/** Its value or name is that of one of its parts: roles of the node apply to the name in that part. */
export const HAS_HEAD = 8;
export const HAS_ROLES = 16;
/** It calls a constructor without its name. */
export const CONSTRUCTS = 32;
/** A part of it is text with names. */
export const HAS_TEXT = 64;
/** It adds members to a type that is defined elsewhere: `impl Foo`. */
export const EXTENDS_TYPE = 128;

/**
 * Compiles the rules of a language. `definitions` are the node types that the outline makes definitions of.
 */
export function compileRules(
  language: Language,
  rules: ReferenceRules,
  definitions: Iterable<string>,
): GrammarRules {
  const shape = shapeOf(language, rules.keywords, rules.arrangement);
  const nodes: NodeRule[] = Array.from({ length: shape.typeNames.length + 1 }, () => EMPTY);
  const columns = {
    names: new Uint8Array(nodes.length),
    marks: new Uint8Array(nodes.length),
    isReturn: new Uint8Array(nodes.length),
    isKey: new Uint8Array(nodes.length),
    isBlock: new Uint8Array(nodes.length),
    isDefinition: new Uint8Array(nodes.length),
  };
  const definitionTypes = new Set(definitions);
  const kinds = { value: VALUE_NAME, type: TYPE_NAME, member: MEMBER_NAME };
  for (const [id, name] of shape.typeNames.entries()) {
    const isNamed = id >= language.types.length || language.nodeTypeIsNamed(id);
    if (!isNamed && rules.keywords?.includes(name) !== true) continue;
    const kind = Object.hasOwn(rules.names, name) ? rules.names[name] : undefined;
    const rule = Object.hasOwn(rules.nodes, name) ? rules.nodes[name] : undefined;
    nodes[id] = rule === undefined ? EMPTY : withAllProperties(rule);
    columns.names[id] = kind === undefined ? NO_NAME : kinds[kind];
    columns.marks[id] = rule === undefined ? 0 : marksOf(rule);
    columns.isKey[id] = Number(rules.shapes?.keys.has(name) === true);
    columns.isReturn[id] = Number(rules.returns?.includes(name) === true);
    columns.isBlock[id] = Number(rules.blocks?.includes(name) === true);
    columns.isDefinition[id] = Number(definitionTypes.has(name));
  }
  return { shape, rules, nodes, ...columns, ignored: new Set(rules.ignored) };
}

function withAllProperties(rule: NodeRule): NodeRule {
  const { value } = rule;
  const whole: NodeRule = Object.assign({ ...NO_RULE }, rule);
  if (value === undefined) return whole;
  return Object.assign(whole, { value: Object.assign({ ...NO_VALUE }, value) });
}

function marksOf(rule: NodeRule): number {
  const { scope, declares, imports, sets, isIgnored, isType, leads, roles } = rule;
  const isDeclaring = (scope ?? declares ?? imports ?? sets ?? isIgnored) !== undefined;
  return (
    (isDeclaring ? DECLARES : 0) |
    (isType === undefined ? 0 : IS_TYPE) |
    (leads === true ? LEADS : 0) |
    (headOf(rule) === undefined ? 0 : HAS_HEAD) |
    (roles === undefined ? 0 : HAS_ROLES) |
    (rule.constructs === undefined ? 0 : CONSTRUCTS) |
    (rule.text === undefined ? 0 : HAS_TEXT) |
    (typeof rule.self === "object" ? EXTENDS_TYPE : 0)
  );
}

/** Returns the part whose name is the name of the whole node. */
export function headOf({ value, type }: NodeRule): NodePart | undefined {
  if (value?.is === "member") return value.name;
  if (value?.is === "through") return value.of;
  if (type?.is === "generic") return type.name;
  return type?.is === "path" ? -1 : undefined;
}

/** Returns the first child that the part matches; -1 if there is none, or no part. */
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

/** Returns the leaf with the name of a node: `f` of `f<int>`. The innermost node if there is no such leaf. */
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

/** Returns all children that the part matches. */
export function partsOf(tree: FlatSyntaxTree, node: number, part: NodePart): readonly number[] {
  if (part === "*") return tree.children(node);
  if (part === ".") return [node];
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

/** Returns whether the part of its parent matches the child. */
export function isPart(tree: FlatSyntaxTree, child: number, part: NodePart): boolean {
  return part === "*" || partOf(tree, tree.parent(child), part) === child;
}

/** Returns the role that the rule gives to the name in a child; undefined if it gives none. */
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

/** Returns the rule by which the leaf names a member, or undefined. */
export function accessRuleOf(
  tree: FlatSyntaxTree,
  leaf: number,
  rule: NodeRule | undefined,
): Extract<ValueRule, { is: "member" | "invocation" }> | undefined {
  const value = rule?.value;
  if (value?.is !== "member" && value?.is !== "invocation") return undefined;
  return isPart(tree, leaf, value.name) ? value : undefined;
}
