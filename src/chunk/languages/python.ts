import type { Node } from "web-tree-sitter";

import { docLineOf } from "./summary.ts";
import { fieldNode, type DefinitionRule, type LanguageRules } from "./language.ts";

const CONSTANT: DefinitionRule = {
  kind: "constant",
  name: (node) => assignedName(node),
};

export const python: LanguageRules = {
  definitions: {
    class_definition: { kind: "class", hasMembers: true, doc: docstring },
    function_definition: { kind: "function", doc: docstring },
    expression_statement: (node, parent) => {
      if (node.firstNamedChild?.type !== "assignment") return undefined;
      return parent === "class" ? { ...CONSTANT, isInline: true } : CONSTANT;
    },
    type_alias_statement: { kind: "type", name: (node) => node.firstNamedChild?.text },
  },
  wrappers: new Set(["decorated_definition"]),
  blocks: new Set([
    "if_statement",
    "elif_clause",
    "else_clause",
    "try_statement",
    "except_clause",
    "finally_clause",
    "with_statement",
    "block",
  ]),
  attached: new Set(["comment", "decorator"]),
  hasNestedFunctions: true,
  hasClauses: true,
};

function assignedName(statement: Node): string | undefined {
  const assignment = statement.firstNamedChild;
  const left = assignment && fieldNode(assignment, "left");
  return left?.type === "identifier" ? left.text : undefined;
}

function docstring(node: Node): string | undefined {
  const first = fieldNode(node, "body")?.firstNamedChild;
  const text = first?.type === "expression_statement" ? first.firstNamedChild : first;
  if (text?.type !== "string") return undefined;
  return docLineOf(
    text.text.slice(0, 1000).replace(/^[rRbBuU]*(?:"""|'''|"|')|(?:"""|'''|"|')$/g, ""),
  );
}
