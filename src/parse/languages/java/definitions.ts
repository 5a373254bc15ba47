import type { Node } from "web-tree-sitter";

import {
  childOfType,
  fieldName,
  fieldNode,
  type AccessLevel,
  type AccessFacts,
  type DefinitionRule,
  type LanguageRules,
  type LeafDefinition,
} from "../definition-rules.ts";

const CLASS: DefinitionRule = { kind: "class", hasMembers: true };
const TYPE: DefinitionRule = { kind: "type", hasMembers: true };
/** Members of an interface are public by default. */
const INTERFACE: DefinitionRule = { ...TYPE, section: () => "exported" };
const CONSTANT: DefinitionRule = {
  kind: "constant",
  isInline: true,
  fields: (node) => anonymousIn(node),
  name: (node) => {
    const declarator = childOfType(node, "variable_declarator");
    return declarator && fieldName(declarator, "name");
  },
};
/** Whether a field cannot change and is the same for all objects. */
const STATIC_FINAL = /\bstatic\s(?:[^=;]*\s)?final\s|\bfinal\s(?:[^=;]*\s)?static\s/;

/** A type in a function: an anonymous class, or one with a name. */
const LOCAL_TYPE =
  /\bnew\s[^;{}]*\)\s*\{|^[ \t]*(?:(?:final|abstract|static)\s+)*(?:class|record|enum|interface)\s+\w/mu;

export const java: LanguageRules = {
  definitions: {
    class_declaration: CLASS,
    record_declaration: { ...CLASS, headMembers: components },
    interface_declaration: INTERFACE,
    enum_declaration: TYPE,
    annotation_type_declaration: INTERFACE,
    method_declaration: { kind: "method" },
    constructor_declaration: { kind: "method" },
    compact_constructor_declaration: { kind: "method" },
    annotation_type_element_declaration: { kind: "method", isInline: true },
    field_declaration: (node) => ({ ...CONSTANT, kind: fieldKind(node) }),
    constant_declaration: CONSTANT,
    enum_constant: {
      kind: "constant",
      isInline: true,
      body: () => undefined,
      fields: (node) => fieldNode(node, "body"),
    },
  },
  additionalDefinitions: {
    field_declaration: additionalNames,
    constant_declaration: additionalNames,
  },
  nestedFunctionPattern: LOCAL_TYPE,
  enter: (node) => (LOCAL_TYPE.test(node.text) ? (anonymousIn(node) ?? undefined) : undefined),
  blocks: new Set(["enum_body_declarations"]),
  attached: new Set(["line_comment", "block_comment"]),
  access: accessOf,
};

/** Returns the body of the anonymous class in a node; the node itself if it has several types in it. */
function anonymousIn(node: Node): Node | undefined {
  const [first, ...others] = node.descendantsOfType([
    "class_body",
    "record_declaration",
    "enum_declaration",
    "interface_declaration",
  ]);
  return others.length > 0 || first?.type !== "class_body" ? first && node : first;
}

function fieldKind(node: Node): "constant" | "field" {
  return node.type === "field_declaration" && !STATIC_FINAL.test(node.text) ? "field" : "constant";
}

/** Returns rules for `b` and `c` of `int a, b, c`. */
function additionalNames(node: Node): readonly DefinitionRule[] {
  if (!node.text.includes(",")) return [];
  const declarators = node.namedChildren.filter(({ type }) => type === "variable_declarator");
  return declarators.slice(1).map((declarator) => ({
    kind: fieldKind(node),
    name: () => fieldName(declarator, "name"),
  }));
}

function components(record: Node): readonly LeafDefinition[] {
  const parameters = fieldNode(record, "parameters")?.namedChildren ?? [];
  return parameters
    .filter(({ type }) => type === "formal_parameter")
    .map((node) => ({ node, rule: { kind: "field" } }));
}

function accessOf({ type, head, outer, section }: AccessFacts): AccessLevel {
  if (type === "enum_constant") return outer;
  if (type === "formal_parameter" || /\bpublic\b/.test(head)) return "exported";
  if (/\bprivate\b/.test(head)) return "private";
  return section ?? "internal";
}
