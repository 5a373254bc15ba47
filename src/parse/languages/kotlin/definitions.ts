import type { Node } from "web-tree-sitter";

import {
  childOfType,
  fieldNode,
  nameAt,
  nameWithin,
  textBeforeName,
  type AccessLevel,
  type AccessFacts,
  type DefinitionRule,
  type LanguageRules,
  type Name,
  type LeafDefinition,
} from "../definition-rules.ts";
import { repairText } from "./repair-text.ts";

const classBody = (node: Node): Node | undefined =>
  childOfType(node, "class_body", "enum_class_body");
const CLASS: DefinitionRule = {
  kind: "class",
  hasMembers: true,
  body: classBody,
  headMembers: constructorProperties,
};
const PROPERTY: DefinitionRule = { kind: "field", name: propertyName, owner: receiverType };

export const kotlin: LanguageRules = {
  repairText,
  definitions: {
    class_declaration: (node) =>
      /\b(?:interface|enum)\b/.test(textBeforeName(node)) ||
      childOfType(node, "enum_class_body") !== undefined
        ? { ...CLASS, kind: "type" }
        : CLASS,
    object_declaration: CLASS,
    function_declaration: {
      kind: "function",
      name: (node) => {
        const name = fieldNode(node, "name");
        return nameWithin(name, name?.text.replaceAll("`", ""));
      },
      owner: receiverType,
      body: (node) => childOfType(node, "function_body"),
    },
    secondary_constructor: {
      kind: "method",
      name: () => "constructor",
      body: (node) => childOfType(node, "block"),
    },
    property_declaration: (node, parent) =>
      parent === undefined
        ? PROPERTY
        : { ...PROPERTY, kind: isConstant(node) ? "constant" : "field", isInline: true },
    type_alias: { kind: "type", name: (node) => nameAt(fieldNode(node, "type")) },
    enum_entry: {
      kind: "constant",
      isInline: true,
      name: (node) => nameAt(childOfType(node, "identifier")),
      body: () => undefined,
    },
  },
  additionalDefinitions: {
    companion_object: (node) => (fieldNode(node, "name") === undefined ? [] : [{ kind: "class" }]),
  },
  // Members of a companion object are called as if they were members of the class.
  blocks: new Set(["companion_object", "class_body"]),
  attached: new Set(["line_comment", "block_comment"]),
  access: accessOf,
};

/** `const val NAME = …`. */
function isConstant(node: Node): boolean {
  return /^[^=]*\bconst\s+val\s/.test(node.text);
}

function propertyName(node: Node): Name | undefined {
  return nameAt(childOfType(node, "variable_declaration")?.firstNamedChild);
}

/** Returns the `val` and `var` parameters of the primary constructor. */
function constructorProperties(node: Node): readonly LeafDefinition[] {
  const head = childOfType(node, "primary_constructor");
  const parameters = head && childOfType(head, "class_parameters");
  return (parameters?.namedChildren ?? []).flatMap((parameter) => {
    const leaf = childOfType(parameter, "identifier");
    if (leaf === undefined) return [];
    const before = parameter.text.slice(0, leaf.startIndex - parameter.startIndex);
    if (!/\bva[lr]\s+$/.test(before)) return [];
    const name = nameAt(leaf);
    return [{ node: parameter, rule: { kind: "field", name: () => name } }];
  });
}

function accessOf({ type, head, outer }: AccessFacts): AccessLevel {
  if (type === "enum_entry") return outer;
  if (/\bprivate\b/.test(head)) return "private";
  return /\b(?:internal|protected)\b/.test(head) ? "internal" : "exported";
}

/** Returns `String` for the extension `fun String.shorten()`. */
function receiverType(node: Node): string | undefined {
  const name = fieldNode(node, "name") ?? childOfType(node, "variable_declaration");
  const type = childOfType(node, "user_type", "nullable_type");
  if (name === undefined || type === undefined || type.startIndex > name.startIndex)
    return undefined;
  return type.text.replace(/[<?].*$/s, "");
}
