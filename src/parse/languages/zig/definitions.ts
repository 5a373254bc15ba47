import type { Node } from "web-tree-sitter";

import {
  childOfType,
  fieldNode,
  fieldText,
  nameAt,
  titleAt,
  type AccessLevel,
  type AccessFacts,
  type DefinitionRule,
  type LeafDefinition,
  type LanguageRules,
  type Name,
} from "../definition-rules.ts";

const CLASSES = new Set(["struct_declaration", "union_declaration", "opaque_declaration"]);

const WRAPPER = /^(?:pointer|nullable|slice|array)_type$/;
const GENERIC_TYPE = { kind: "class", hasMembers: true } as const;

export const zig: LanguageRules = {
  definitions: {
    function_declaration: (node) => ({
      kind: "function",
      ...(isGenericType(node) && GENERIC_TYPE),
    }),
    variable_declaration: variableRule,
    container_field: {
      kind: "field",
      isInline: true,
      body: () => undefined,
      fields: (node) => innerType(fieldNode(node, "type")),
    },
    test_declaration: {
      kind: "function",
      name: (node) => titleAt(node.firstNamedChild),
      body: (node) => childOfType(node, "block"),
      isSymbol: false,
      isTitle: true,
    },
  },
  blocks: new Set(["expression_statement", "return_expression", ...CLASSES, "enum_declaration"]),
  attached: new Set(["comment"]),
  access: accessOf,
  hasNestedFunctions: true,
};

function accessOf({ type, head, outer }: AccessFacts): AccessLevel {
  if (type === "container_field") return outer;
  return /^\s*(?:export\s+)?pub\b|^\s*export\b/.test(head) ? "exported" : "private";
}

function variableRule(node: Node, parent: string | undefined): DefinitionRule | undefined {
  const value = node.lastNamedChild;
  const name = (): Name | undefined => nameAt(childOfType(node, "identifier"));
  const rule: DefinitionRule = { kind: "constant", name, body: () => value ?? undefined };
  const type = value?.type ?? "";
  if (CLASSES.has(type)) return { ...rule, kind: "class", hasMembers: true };
  if (type === "error_set_declaration") {
    return { ...rule, kind: "type", headMembers: () => errorNames(value) };
  }
  if (type === "enum_declaration") return { ...rule, kind: "type", hasMembers: true };
  // `@import` and `@This()` create an alias of another definition.
  if (type === "builtin_function" && /^@(?:import|This)\b/.test(value?.text ?? ""))
    return undefined;
  return parent === undefined ? rule : { ...rule, isInline: true };
}

function errorNames(set: Node | null): readonly LeafDefinition[] {
  const names = set?.namedChildren.filter(({ type }) => type === "identifier") ?? [];
  return names.map((node) => ({
    node,
    rule: { kind: "constant", isInline: true, name: () => nameAt(node), body: () => undefined },
  }));
}

/** Returns whether a function returns a type that is written out at its end. */
function isGenericType(node: Node): boolean {
  if (fieldText(node, "type") !== "type") return false;
  const last = fieldNode(node, "body")?.lastNamedChild;
  const returned = last?.type === "expression_statement" ? last.firstNamedChild : last;
  const value = returned?.type === "return_expression" ? returned.firstNamedChild : undefined;
  return (
    value !== null &&
    value !== undefined &&
    (CLASSES.has(value.type) || value.type === "enum_declaration")
  );
}

/** Returns the structure, union or enumeration without a name that is the type of a field, also in a pointer or a list. */
function innerType(type: Node | undefined): Node | undefined {
  let inner = type;
  while (inner !== undefined && WRAPPER.test(inner.type)) inner = inner.lastNamedChild ?? undefined;
  const isOwn =
    inner !== undefined && (CLASSES.has(inner.type) || inner.type === "enum_declaration");
  return isOwn ? inner : undefined;
}
