import type { Node } from "web-tree-sitter";

import {
  childOfType,
  fieldNode,
  fieldText,
  textBeforeName,
  type DefinitionRule,
  type LanguageRules,
} from "./language.ts";

const classBody = (node: Node): Node | undefined =>
  childOfType(node, "class_body", "enum_class_body");
const CLASS: DefinitionRule = { kind: "class", hasMembers: true, body: classBody };
const PROPERTY: DefinitionRule = { kind: "constant", name: propertyName, owner: receiverType };

export const kotlin: LanguageRules = {
  definitions: {
    class_declaration: (node) =>
      /\b(?:interface|enum)\b/.test(textBeforeName(node)) ? { ...CLASS, kind: "type" } : CLASS,
    object_declaration: CLASS,
    function_declaration: {
      kind: "function",
      name: (node) => fieldText(node, "name")?.replaceAll("`", ""),
      owner: receiverType,
      body: (node) => childOfType(node, "function_body"),
    },
    secondary_constructor: {
      kind: "method",
      name: () => "constructor",
      body: (node) => childOfType(node, "block"),
    },
    property_declaration: (_node, parent) =>
      parent === undefined ? PROPERTY : { ...PROPERTY, isInline: true },
    type_alias: { kind: "type", name: (node) => fieldText(node, "type") },
  },
  // Members of a companion are called as if they stood in the class.
  blocks: new Set(["companion_object", "class_body"]),
  attached: new Set(["line_comment", "block_comment"]),
};

function propertyName(node: Node): string | undefined {
  return childOfType(node, "variable_declaration")?.firstNamedChild?.text;
}

/** `String` for the extension `fun String.shorten()`. */
function receiverType(node: Node): string | undefined {
  const name = fieldNode(node, "name") ?? childOfType(node, "variable_declaration");
  const type = childOfType(node, "user_type", "nullable_type");
  if (name === undefined || type === undefined || type.startIndex > name.startIndex)
    return undefined;
  return type.text.replace(/[<?].*$/s, "");
}
