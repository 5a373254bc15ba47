import type { Node } from "web-tree-sitter";

import {
  childOfType,
  fieldNode,
  fieldText,
  literalText,
  type DefinitionRule,
  type LanguageRules,
} from "./language.ts";

const CLASS: DefinitionRule = { kind: "class", hasMembers: true };
const TYPE: DefinitionRule = { kind: "type", hasMembers: true };
const CONSTANT: DefinitionRule = {
  kind: "constant",
  name: (node) => childOfType(node, "const_element")?.firstNamedChild?.text,
};

export const php: LanguageRules = {
  definitions: {
    class_declaration: CLASS,
    trait_declaration: CLASS,
    interface_declaration: TYPE,
    enum_declaration: TYPE,
    function_definition: { kind: "function" },
    method_declaration: { kind: "method" },
    const_declaration: (_node, parent) =>
      parent === undefined ? CONSTANT : { ...CONSTANT, isInline: true },
    property_declaration: {
      kind: "constant",
      isInline: true,
      name: (node) => childOfType(node, "property_element")?.firstNamedChild?.text.replace("$", ""),
    },
    expression_statement: callRule,
  },
  blocks: new Set([
    "namespace_definition",
    "compound_statement",
    "if_statement",
    "else_clause",
    "colon_block",
  ]),
  attached: new Set(["comment"]),
};

/** `define('NAME', …)`, and the tests of Pest: `it('does this', function () {…})`. */
function callRule(statement: Node): DefinitionRule | undefined {
  const call = statement.firstNamedChild;
  if (call?.type !== "function_call_expression") return undefined;
  const callee = fieldText(call, "function");
  const list = fieldNode(call, "arguments");
  const name = (): string | undefined =>
    list?.firstNamedChild ? literalText(list.firstNamedChild) : undefined;
  if (callee === "define") return { kind: "constant", name };
  if (callee !== "it" && callee !== "test" && callee !== "describe") return undefined;
  const callback = list?.lastNamedChild?.firstNamedChild ?? undefined;
  return {
    kind: callee === "describe" ? "module" : "function",
    name,
    body: () => callback && fieldNode(callback, "body"),
    hasMembers: callee === "describe",
    isSymbol: false,
    isTitle: true,
  };
}
