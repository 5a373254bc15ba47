import type { Node } from "web-tree-sitter";

import {
  fieldNode,
  fieldText,
  nameAt,
  titleAt,
  type AccessLevel,
  type AccessFacts,
  type DefinitionRule,
  type LanguageRules,
  type Name,
  type LeafDefinition,
} from "../definition-rules.ts";

const CLASS: DefinitionRule = { kind: "class", hasMembers: true };
const TYPE: DefinitionRule = { kind: "type", hasMembers: true };
const CONSTANT: DefinitionRule = {
  kind: "constant",
  name: (node) => elementNames(node)[0],
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
      kind: "field",
      isInline: true,
      name: (node) => elementNames(node)[0],
    },
    enum_case: { kind: "constant", isInline: true },
    expression_statement: callRule,
  },
  blocks: new Set([
    "namespace_definition",
    "compound_statement",
    "if_statement",
    "else_clause",
    "colon_block",
  ]),
  additionalDefinitions: {
    const_declaration: additionalNames,
    property_declaration: additionalNames,
    namespace_definition: () => [{ kind: "module" }],
  },
  attributes: { method_declaration: promotedProperties },
  attached: new Set(["comment"]),
  access: accessOf,
};

/** Returns the names of `const A = 1, B = 2` and of `public $a, $b`. */
function elementNames(node: Node): readonly Name[] {
  return node.namedChildren.flatMap(({ type, firstNamedChild }) => {
    if (type === "const_element") return nameAt(firstNamedChild) ?? [];
    return type === "property_element" ? (variableName(firstNamedChild) ?? []) : [];
  });
}

function variableName(variable: Node | null): Name | undefined {
  const name = nameAt(variable);
  return name?.text.startsWith("$") === true
    ? { ...name, text: name.text.slice(1), index: name.index + 1 }
    : name;
}

function additionalNames(node: Node): readonly DefinitionRule[] {
  if (!node.text.includes(",")) return [];
  const kind = node.type === "property_declaration" ? "field" : "constant";
  return elementNames(node)
    .slice(1)
    .map((name) => ({ kind, name: () => name }));
}

/**
 * Returns the properties that constructor parameters declare: `public function __construct(private string
 * $name)`.
 */
function promotedProperties(method: Node, text: string): readonly LeafDefinition[] {
  const start = method.startIndex;
  if (!/\bfunction\s+__construct\b/.test(text.slice(start, start + 80))) return [];
  const parameters = fieldNode(method, "parameters")?.namedChildren ?? [];
  return parameters
    .filter(({ type }) => type === "property_promotion_parameter")
    .map((node) => {
      const name = variableName(node.childForFieldName("name"));
      return { node, rule: { kind: "field", name: () => name } };
    });
}

function accessOf({ head }: AccessFacts): AccessLevel {
  if (/\bprivate\b/.test(head)) return "private";
  return /\bprotected\b/.test(head) ? "internal" : "exported";
}

/** Returns the rule for `define('NAME', …)` and for Pest tests: `it('does this', function () {…})`. */
function callRule(statement: Node): DefinitionRule | undefined {
  const call = statement.firstNamedChild;
  if (call?.type !== "function_call_expression") return undefined;
  const callee = fieldText(call, "function");
  const list = fieldNode(call, "arguments");
  const name = (): Name | undefined => titleAt(list?.firstNamedChild);
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
