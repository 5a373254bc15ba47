import type { Node } from "web-tree-sitter";

import {
  childOfType,
  fieldName,
  fieldNode,
  literalText,
  nameAt,
  nameWithin,
  titleAt,
  type AccessLevel,
  type AccessFacts,
  type DefinitionRule,
  type LanguageRules,
  type LeafDefinition,
  type Name,
} from "../definition-rules.ts";

const FUNCTION: DefinitionRule = { kind: "function", name: nameOfSignature, body: () => undefined };
const CONSTRUCTOR: DefinitionRule = { ...FUNCTION, mayBeUnderscore: true };
const CLASS: DefinitionRule = { kind: "class", hasMembers: true };
const TYPE: DefinitionRule = { kind: "type", hasMembers: true };
const TESTS = new Set(["test", "group", "testWidgets", "blocTest"]);

const classBody = (node: Node): Node | undefined =>
  childOfType(node, "class_body", "extension_body");
const nameOf = (node: Node): Name | undefined => nameAt(childOfType(node, "identifier"));

export const dart: LanguageRules = {
  definitions: {
    class_definition: { ...CLASS, name: (node) => fieldName(node, "name") ?? aliasedName(node) },
    mixin_declaration: { ...CLASS, name: nameOf, body: classBody },
    extension_declaration: { ...CLASS, name: nameOfExtension, body: classBody },
    extension_type_declaration: {
      ...CLASS,
      name: (node) =>
        fieldName(node, "name") ?? nameAt(childOfType(node, "extension_type_name", "identifier")),
      body: classBody,
      headMembers: representation,
    },
    enum_declaration: TYPE,
    enum_constant: { kind: "constant", isInline: true, body: () => undefined },
    type_alias: { kind: "type", name: nameOfAlias, body: () => undefined },
    function_signature: FUNCTION,
    getter_signature: FUNCTION,
    setter_signature: FUNCTION,
    operator_signature: FUNCTION,
    constructor_signature: CONSTRUCTOR,
    constant_constructor_signature: CONSTRUCTOR,
    factory_constructor_signature: CONSTRUCTOR,
    redirecting_factory_constructor_signature: CONSTRUCTOR,
    // The grammar has the body as a sibling of the signature; both are merged as clauses of one definition.
    function_body: bodyRule,
    initialized_identifier: variableRule,
    static_final_declaration: variableRule,
    expression_statement: testRule,
    // Of the arranged tree: see arrange.ts.
    function: () => undefined,
    constructor: () => undefined,
    representation_declaration: () => undefined,
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

/** `class Name = Base with Mixin`. */
function aliasedName(node: Node): Name | undefined {
  return nameAt(childOfType(node, "mixin_application_class")?.firstNamedChild);
}

/** An extension without a name is called after its type: `extension on String`. */
function nameOfExtension(node: Node): Name | undefined {
  const name = fieldName(node, "name");
  if (name !== undefined) return name;
  const type = fieldNode(node, "class");
  const place = nameAt(type);
  return type && place && { ...place, text: `extension on ${type.text}` };
}

/** `typedef Name = …` and `typedef void Name(…)`. */
function nameOfAlias(node: Node): Name | undefined {
  const names = node.namedChildren.filter(({ type }) => type === "type_identifier");
  const isOld = childOfType(node, "formal_parameter_list") !== undefined;
  return nameAt(isOld ? names.at(-1) : names[0]);
}

/** Returns the value that an extension type wraps. */
function representation(node: Node): readonly LeafDefinition[] {
  const declaration = fieldNode(node, "representation");
  if (declaration === undefined) return [];
  const name = fieldName(declaration, "name");
  return [{ node: declaration, rule: { kind: "field", name: () => name } }];
}

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
    ...(signature.type.includes("constructor") && { mayBeUnderscore: true }),
    ...(isTests && { hasMembers: true }),
  };
}

function variableRule(node: Node, parent: string | undefined): DefinitionRule {
  const kind = isConstant(node) ? "constant" : "field";
  const rule: DefinitionRule = { kind, name: nameOf, body: () => undefined };
  return parent === undefined ? rule : { ...rule, isInline: true };
}

/** Words before the list of what is declared: `static`, `late`, `const` and the type. */
const MAX_WORDS = 5;

function isConstant(node: Node): boolean {
  let before = node.parent?.previousSibling ?? null;
  for (let left = MAX_WORDS; before !== null && left > 0; left -= 1) {
    if (before.type === "const_builtin" || before.type === "const") return true;
    if (/^[;{}]$/.test(before.type)) return false;
    before = before.previousSibling;
  }
  return false;
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
