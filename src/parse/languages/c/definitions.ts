import type { Node } from "web-tree-sitter";

import {
  fieldName,
  fieldNode,
  type AccessLevel,
  type AccessFacts,
  type DefinitionRule,
  type SymbolKind,
  type LanguageRules,
} from "../definition-rules.ts";
import {
  functionDeclarator,
  functionRule,
  additionalDeclaratorNames,
  nameOfDeclarator,
} from "./declarators.ts";
import { withoutMacros } from "./macros.ts";

const CLASS: DefinitionRule = { kind: "class", fields: "body" };
const ENUM: DefinitionRule = { kind: "type", fields: "body" };
/** A declaration that contains a structure, which may have a name and members. */
const STRUCTURE = /(?:\w+\s+)*?(?:struct|union|enum|class)\b[^;=(){}]*\{/y;
const HEADER = /\.(?:h|hh|hpp|hxx|h\+\+|inl|ipp|tpp)$/i;

const declaredName: DefinitionRule["name"] = (node) =>
  nameOfDeclarator(fieldNode(node, "declarator"));

/** A structure is a definition only if it has a body. */
export function structureRule(rule: DefinitionRule): (node: Node) => DefinitionRule | undefined {
  return (node) => (fieldNode(node, "body") === undefined ? undefined : rule);
}

/** A constant of the whole class; a mere `const` may belong to the type of a field. */
const STATIC_CONSTANT =
  /^[^=;{(]*\b(?:constexpr|static\s+(?:\w+\s+)*const|const\s+(?:\w+\s+)*static)\s/;

export const c: LanguageRules = {
  definitions: {
    function_definition: functionRule,
    declaration: declarationRule,
    struct_specifier: structureRule(CLASS),
    union_specifier: structureRule(CLASS),
    enum_specifier: structureRule(ENUM),
    enumerator: { kind: "constant", isInline: true },
    field_declaration: cFieldRule,
    type_definition: {
      kind: "type",
      name: declaredName,
      body: typeBody,
      fields: typeBody,
    },
    // A macro without a value is an include guard or a flag.
    preproc_def: (node) =>
      fieldNode(node, "value") === undefined ? undefined : { kind: "constant" },
    preproc_function_def: { kind: "function", body: (node) => fieldNode(node, "value") },
  },
  additionalDefinitions: {
    declaration: additionalDeclarators,
    type_definition: additionalDeclarators,
    field_declaration: additionalDeclaratorNames,
    preproc_def: (node) =>
      fieldNode(node, "value") === undefined && !isGuard(node) ? [{ kind: "constant" }] : [],
  },
  inlineBlocks: {
    enum_specifier: (node) => fieldNode(node, "body"),
    struct_specifier: (node) => fieldNode(node, "body"),
    union_specifier: (node) => fieldNode(node, "body"),
    field_declaration: typeBody,
  },
  blocks: new Set([
    "preproc_if",
    "preproc_ifdef",
    "preproc_elif",
    "preproc_elifdef",
    "preproc_else",
    "linkage_specification",
    "declaration_list",
  ]),
  attached: new Set(["comment"]),
  repairText: withoutMacros,
  access: accessOf,
  fileAccess: (path) => (HEADER.test(path) ? "exported" : "internal"),
};

/**
 * Returns the rule for a prototype, a variable, or a structure that is defined in a variable's declaration.
 */
function declarationRule(node: Node): DefinitionRule | undefined {
  const declarator = fieldNode(node, "declarator");
  if (declarator === undefined) return undefined;
  if (functionDeclarator(declarator) !== undefined) return functionRule(node);
  return {
    kind: "constant",
    name: () => nameOfDeclarator(declarator),
    body: () => declarator,
    fields: (declaration) =>
      hasStructure(declaration.text, 0) ? typeBody(declaration) : undefined,
  };
}

/** Returns the rule for a field or for a nested structure. */
export function cFieldRule(node: Node): DefinitionRule | undefined {
  const declarator = fieldNode(node, "declarator");
  if (declarator === undefined) return nestedRule(node);
  return {
    kind: STATIC_CONSTANT.test(node.text) ? "constant" : "field",
    isInline: true,
    name: () => nameOfDeclarator(declarator),
    body: () => undefined,
    fields: (field) => (field.text.includes("{") ? typeBody(field) : undefined),
  };
}

function nestedRule(node: Node): DefinitionRule | undefined {
  const type = fieldNode(node, "type");
  if (type === undefined || fieldNode(type, "body") === undefined) return undefined;
  return { ...named(type), fields: () => fieldNode(type, "body") };
}

function named(type: Node): DefinitionRule {
  const kind: SymbolKind = type.type === "enum_specifier" ? "type" : "class";
  const section = (): AccessLevel | undefined =>
    type.type === "class_specifier" ? "private" : undefined;
  return { kind, isInline: true, name: () => fieldName(type, "name"), section };
}

function typeBody(node: Node): Node | undefined {
  const type = fieldNode(node, "type");
  return type && fieldNode(type, "body");
}

/**
 * Returns rules for the `S` of `typedef struct S {…} T, *P` and of `struct S {…} a, b`, and for the names
 * after the first.
 */
function additionalDeclarators(node: Node, text: string): readonly DefinitionRule[] {
  const further = additionalDeclaratorNames(node, text);
  if (!hasStructure(text, node.startIndex)) return further;
  const type = fieldNode(node, "type");
  return type === undefined
    ? further
    : [{ ...named(type), body: () => fieldNode(type, "body") }, ...further];
}

function hasStructure(text: string, start: number): boolean {
  STRUCTURE.lastIndex = start;
  return STRUCTURE.test(text);
}

/** Returns whether the node is the `#define NAME` of an include guard `#ifndef NAME`. */
function isGuard(node: Node): boolean {
  const around = node.parent;
  if (around?.type !== "preproc_ifdef") return false;
  const name = fieldNode(around, "name");
  return name?.text === fieldNode(node, "name")?.text;
}

/**
 * Definitions in headers are exported. In source files, types, classes and macros are private, functions
 * internal.
 */
function accessOf({ type, kind, head, parent, outer, section }: AccessFacts): AccessLevel {
  if (parent === "class" || parent === "type") return section ?? outer;
  if (/\bstatic\b/.test(head)) return "private";
  if (section !== undefined || outer !== "internal") return section ?? outer;
  const isOwn = kind === "type" || kind === "class" || type.startsWith("preproc_");
  return isOwn ? "private" : "internal";
}
