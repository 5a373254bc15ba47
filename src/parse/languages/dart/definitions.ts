import type { Node } from "web-tree-sitter";

import {
  childOfType,
  fieldName,
  literalText,
  nameAt,
  nameWithin,
  titleAt,
  type AccessLevel,
  type AccessFacts,
  type DefinitionRule,
  type LanguageRules,
  type Name,
} from "../definition-rules.ts";

const FUNCTION: DefinitionRule = { kind: "function", name: nameOfSignature, body: () => undefined };
const CLASS: DefinitionRule = { kind: "class", hasMembers: true };
const TYPE: DefinitionRule = { kind: "type", hasMembers: true };
const TESTS = new Set(["test", "group", "testWidgets", "blocTest"]);

const classBody = (node: Node): Node | undefined =>
  childOfType(node, "class_body", "extension_body");
const nameOf = (node: Node): Name | undefined => nameAt(childOfType(node, "identifier"));

export const dart: LanguageRules = {
  definitions: {
    class_definition: CLASS,
    mixin_declaration: { ...CLASS, name: nameOf, body: classBody },
    extension_declaration: { ...CLASS, body: classBody },
    extension_type_declaration: {
      ...CLASS,
      name: (node) =>
        fieldName(node, "name") ?? nameAt(childOfType(node, "extension_type_name", "identifier")),
      body: classBody,
    },
    enum_declaration: TYPE,
    enum_constant: { kind: "constant", isInline: true, body: () => undefined },
    type_alias: {
      kind: "type",
      name: (node) => nameAt(childOfType(node, "type_identifier")),
      body: () => undefined,
    },
    function_signature: FUNCTION,
    getter_signature: FUNCTION,
    setter_signature: FUNCTION,
    operator_signature: FUNCTION,
    constructor_signature: FUNCTION,
    constant_constructor_signature: FUNCTION,
    factory_constructor_signature: FUNCTION,
    redirecting_factory_constructor_signature: FUNCTION,
    // The grammar has the body as a sibling of the signature; both are merged as clauses of one definition.
    function_body: bodyRule,
    initialized_identifier: variableRule,
    static_final_declaration: variableRule,
    expression_statement: testRule,
  },
  wrappers: new Set([
    "method_signature",
    "declaration",
    "static_final_declaration_list",
    "initialized_identifier_list",
  ]),
  attached: new Set(["comment", "documentation_comment", "annotation", "marker_annotation"]),
  access: accessOf,
  hasClauses: true,
};

/** Returns `Foo`, or `named` of the constructor `Foo.named`. */
function nameOfSignature(signature: Node): Name | undefined {
  if (signature.type === "operator_signature") return operatorName(signature);
  if (!signature.type.includes("constructor")) {
    return fieldName(signature, "name") ?? nameOf(signature);
  }
  return nameAt(signature.namedChildren.filter(({ type }) => type === "identifier").at(-1));
}

function operatorName(signature: Node): Name | undefined {
  const operator = /\boperator\s*(\S+?)\s*\(/.exec(signature.text)?.[1];
  return operator === undefined ? undefined : nameWithin(signature, operator);
}

function bodyRule(body: Node): DefinitionRule | undefined {
  const before = body.previousNamedSibling;
  const isMethod = before?.type === "method_signature" || before?.type === "declaration";
  const signature = isMethod ? before.firstNamedChild : before;
  if (signature?.type.endsWith("_signature") !== true) return undefined;
  const name = nameOfSignature(signature);
  if (name === undefined) return undefined;
  const isTests = name.text === "main";
  const block = isTests ? (childOfType(body, "block") ?? body) : body;
  return {
    kind: "function",
    name: () => name.text,
    body: () => block,
    ...(isTests && { hasMembers: true }),
  };
}

function variableRule(node: Node, parent: string | undefined): DefinitionRule {
  // `const` is before the list of what is declared.
  const declaration = node.parent?.parent?.text ?? "";
  const kind = /^[^=;{(]*\bconst\s/.test(declaration) ? "constant" : "field";
  const rule: DefinitionRule = { kind, name: nameOf, body: () => undefined };
  return parent === undefined ? rule : { ...rule, isInline: true };
}

/** Returns the rule for `test('adds', () { … })` and `group`. */
function testRule(statement: Node): DefinitionRule | undefined {
  const called = statement.firstNamedChild;
  if (called === null || !TESTS.has(called.text)) return undefined;
  const list = statement.namedChild(1)?.firstNamedChild?.firstNamedChild;
  const title = list?.firstNamedChild?.firstNamedChild;
  if (title?.type !== "string_literal" || literalText(title) === "") return undefined;
  const callback = list?.namedChild(1)?.firstNamedChild;
  const body = callback && childOfType(callback, "function_expression_body");
  return {
    kind: called.text === "group" ? "module" : "function",
    name: () => titleAt(title),
    body: () => (body && childOfType(body, "block")) ?? undefined,
    isSymbol: false,
    isTitle: true,
    hasMembers: called.text === "group",
  };
}

function accessOf({ name }: AccessFacts): AccessLevel {
  return name.startsWith("_") ? "private" : "exported";
}
