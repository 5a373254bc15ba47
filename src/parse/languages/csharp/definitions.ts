import type { Node } from "web-tree-sitter";

import {
  childOfType,
  fieldName,
  fieldNode,
  fieldText,
  isOneLine,
  type AccessLevel,
  type AccessFacts,
  type DefinitionRule,
  type LanguageRules,
  type Name,
  type LeafDefinition,
} from "../definition-rules.ts";

const CLASS: DefinitionRule = { kind: "class", hasMembers: true };
/** Members of an interface are public by default. */
const INTERFACE: DefinitionRule = { kind: "type", hasMembers: true, section: () => "exported" };
const METHOD: DefinitionRule = { kind: "method" };
const EVENT: DefinitionRule = {
  kind: "field",
  isInline: true,
  name: (node) => variableNames(node)[0],
};
const CONSTANT_WORDS = /^[^=;{]*\b(?:const|static\s+readonly|readonly\s+static)\s/;
const NAMESPACE: DefinitionRule = { kind: "module" };

export const csharp: LanguageRules = {
  definitions: {
    class_declaration: CLASS,
    struct_declaration: CLASS,
    record_declaration: { ...CLASS, headMembers: components },
    interface_declaration: INTERFACE,
    enum_declaration: { kind: "type", fields: "body" },
    enum_member_declaration: { kind: "constant", isInline: true },
    delegate_declaration: { kind: "type" },
    method_declaration: METHOD,
    constructor_declaration: METHOD,
    destructor_declaration: { kind: "method", name: destructorName },
    operator_declaration: {
      kind: "method",
      name: (node) => `operator ${fieldText(node, "operator") ?? ""}`.trim(),
    },
    conversion_operator_declaration: {
      kind: "method",
      isInline: true,
      name: (node) => `operator ${fieldText(node, "type") ?? ""}`.trim(),
    },
    indexer_declaration: {
      kind: "method",
      name: () => "this[]",
      body: (node) => fieldNode(node, "accessors") ?? fieldNode(node, "value"),
    },
    property_declaration: (node) => {
      const rule: DefinitionRule = {
        kind: "field",
        body: (property) => fieldNode(property, "accessors") ?? fieldNode(property, "value"),
      };
      return isOneLine(node) ? { ...rule, isInline: true } : rule;
    },
    field_declaration: (node) => ({ ...EVENT, kind: fieldKind(node) }),
    event_field_declaration: EVENT,
    event_declaration: { kind: "field", isInline: true },
    local_function_statement: { kind: "function" },
  },
  blocks: new Set([
    "namespace_declaration",
    "file_scoped_namespace_declaration",
    "declaration_list",
    "preproc_if",
    "preproc_else",
    "preproc_elif",
    "global_statement",
  ]),
  additionalDefinitions: {
    field_declaration: additionalNames,
    event_field_declaration: additionalNames,
    namespace_declaration: () => [NAMESPACE],
    file_scoped_namespace_declaration: () => [NAMESPACE],
  },
  attached: new Set(["comment"]),
  access: accessOf,
};

function variableNames(node: Node): readonly Name[] {
  const declaration = childOfType(node, "variable_declaration");
  return (declaration?.namedChildren ?? []).flatMap((child) =>
    child.type === "variable_declarator" ? (fieldName(child, "name") ?? []) : [],
  );
}

/** Returns rules for `b` and `c` of `int a, b, c`. */
function additionalNames(node: Node): readonly DefinitionRule[] {
  if (!node.text.includes(",")) return [];
  return variableNames(node)
    .slice(1)
    .map((name) => ({ kind: fieldKind(node), name: () => name }));
}

function fieldKind(node: Node): "constant" | "field" {
  return CONSTANT_WORDS.test(node.text) ? "constant" : "field";
}

function destructorName(node: Node): Name | undefined {
  const name = fieldName(node, "name");
  return name && { ...name, text: `~${name.text}`, index: name.index - 1 };
}

/** Returns the properties of `record Point(int X, int Y)`. */
function components(record: Node): readonly LeafDefinition[] {
  const parameters = childOfType(record, "parameter_list")?.namedChildren ?? [];
  return parameters
    .filter(({ type }) => type === "parameter")
    .map((node) => ({ node, rule: { kind: "field" } }));
}

function accessOf({ type, kind, head, parent, outer, section }: AccessFacts): AccessLevel {
  if (type === "enum_member_declaration") return outer;
  if (kind === "module" || type === "parameter" || /\bpublic\b/.test(head)) return "exported";
  if (/\b(?:protected|internal)\b/.test(head)) return "internal";
  if (/\bprivate\b/.test(head)) return "private";
  return section ?? (parent === "class" ? "private" : "internal");
}
