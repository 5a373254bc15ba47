import type { Node } from "web-tree-sitter";

import {
  childOfType,
  nameAt,
  titleAt,
  type AccessLevel,
  type AccessFacts,
  type DefinitionRule,
  type LanguageRules,
  type Name,
} from "../definition-rules.ts";

const CLASSES = new Set(["struct_declaration", "union_declaration", "opaque_declaration"]);
const TYPES = new Set(["enum_declaration", "error_set_declaration"]);

export const zig: LanguageRules = {
  definitions: {
    function_declaration: { kind: "function" },
    variable_declaration: variableRule,
    container_field: { kind: "field", isInline: true, body: () => undefined },
    test_declaration: {
      kind: "function",
      name: (node) => titleAt(node.firstNamedChild),
      body: (node) => childOfType(node, "block"),
      isSymbol: false,
      isTitle: true,
    },
  },
  // A generic type is a function that returns a struct.
  blocks: new Set(["expression_statement", "return_expression", "struct_declaration"]),
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
  if (TYPES.has(type)) return { ...rule, kind: "type", hasMembers: true };
  // `@import` and `@This()` create an alias of another definition.
  if (type === "builtin_function") return undefined;
  return parent === undefined ? rule : { ...rule, isInline: true };
}
