import type { Node } from "web-tree-sitter";

import { javascript, javascriptFieldRule } from "../javascript/definitions.ts";
import {
  fieldName,
  fieldNode,
  nameAt,
  titleAt,
  type DefinitionRule,
  type LanguageRules,
  type LeafDefinition,
} from "../definition-rules.ts";

const CONSTANT: DefinitionRule = { kind: "constant", isInline: true, body: () => undefined };
const ENUM_MEMBER: DefinitionRule = {
  ...CONSTANT,
  name: (node) => titleAt(fieldNode(node, "name")),
};
const PROPERTY: DefinitionRule = { ...ENUM_MEMBER, kind: "field" };
const MODULE: DefinitionRule = {
  kind: "module",
  hasMembers: true,
  name: (node) => titleAt(fieldNode(node, "name")),
};

const {
  localsOf: _locals,
  nestedFunctionPattern: _pattern,
  ...javascriptWithoutLocals
} = javascript;

/** TypeScript and TSX: the rules of JavaScript, plus declarations that only exist for the compiler. */
export const typescript: LanguageRules = {
  ...javascriptWithoutLocals,
  definitions: {
    ...javascript.definitions,
    abstract_class_declaration: { kind: "class", hasMembers: true },
    interface_declaration: { kind: "type", fields: "body" },
    type_alias_declaration: aliasRule,
    enum_declaration: { kind: "type", fields: "body" },
    function_signature: { kind: "function" },
    method_signature: (_node, parent) =>
      parent === "class" || parent === "type" ? { kind: "method" } : undefined,
    abstract_method_signature: { kind: "method" },
    property_signature: (_node, parent) => (parent === "type" ? PROPERTY : undefined),
    // Enum members, without and with a value.
    property_identifier: (_node, parent) =>
      parent === "type" ? { ...CONSTANT, name: nameAt } : undefined,
    enum_assignment: ENUM_MEMBER,
    internal_module: MODULE,
    module: MODULE,
    public_field_definition: javascriptFieldRule,
  },
  attributes: { method_definition: parameterProperties },
  ownedFields: {},
  wrappers: new Set(["export_statement", "ambient_declaration"]),
  hasClauses: true,
  prepareText: withSemicolons,
};

/**
 * Adds a semicolon between interface members if the next one begins with `<`. Without it, the grammar
 * continues the previous type and loses the rest of the file.
 */
function withSemicolons(text: string): string {
  return text.replace(UNENDED, "$1;");
}

/** The end of a type, lines of comments, and the type parameters of a call signature: `<T>(`, `<Key extends string`. */
const UNENDED =
  /([\w$>)}\]"'`][ \t]*\n(?:[ \t]*(?:\/\/.*|\/\*.*|\*.*)?\n){0,9}[ \t]*)[ \t](?=<(?:[ \t]*\n|\w+(?: extends | = |, \w|>\()))/g;

function aliasRule(alias: Node): DefinitionRule {
  const value = fieldNode(alias, "value");
  const rule: DefinitionRule = { kind: "type", body: () => value };
  return value?.type === "object_type" ? { ...rule, fields: "body" } : rule;
}

/** Returns the fields that constructor parameters declare: `constructor(private readonly name: Type)`. */
function parameterProperties(method: Node, text: string): readonly LeafDefinition[] {
  const head = /^(?:(?:public|private|protected)\s+)?constructor\b/;
  if (!head.test(text.slice(method.startIndex, method.startIndex + 40))) return [];
  const parameters = fieldNode(method, "parameters")?.namedChildren ?? [];
  return parameters.flatMap((node) => {
    const modifiers = /^(?:@[^@]*?\s)?\s*(?:public|private|protected|readonly|override)\s/;
    if (!modifiers.test(text.slice(node.startIndex, node.startIndex + 80))) return [];
    return [{ node, rule: { ...CONSTANT, kind: "field", name: () => fieldName(node, "pattern") } }];
  });
}
