import type { Node } from "web-tree-sitter";

import {
  childOfType,
  fieldNode,
  splitQualified,
  type DefinitionRule,
  type LanguageRules,
} from "./language.ts";

type Naming = Pick<DefinitionRule, "name" | "owner">;

export const lua: LanguageRules = {
  definitions: {
    function_declaration: (node) => ({ kind: "function", ...naming(fieldNode(node, "name")) }),
    assignment_statement: (node) => {
      const target = childOfType(node, "variable_list")?.firstNamedChild ?? undefined;
      const value = childOfType(node, "expression_list")?.firstNamedChild ?? undefined;
      const rule = valueRule(value, naming(target));
      const isLocal = node.parent?.type === "variable_declaration";
      return rule.kind === "constant" && rule.hasMembers !== true && !isLocal ? undefined : rule;
    },
    field: (node) => {
      const rule = valueRule(fieldNode(node, "value"), naming(fieldNode(node, "name")));
      return rule.kind === "function" ? rule : undefined;
    },
  },
  wrappers: new Set(["variable_declaration"]),
  blocks: new Set(["if_statement", "do_statement", "block"]),
  attached: new Set(["comment"]),
  hasNestedFunctions: true,
};

function naming(target: Node | undefined): Naming {
  const { owner, name } = splitQualified(target?.text ?? "");
  return owner === undefined ? { name: () => name } : { name: () => name, owner: () => owner };
}

function valueRule(value: Node | undefined, names: Naming): DefinitionRule {
  if (value?.type === "function_definition") {
    return { ...names, kind: "function", body: () => fieldNode(value, "body") };
  }
  if (value?.type === "table_constructor" && value.namedChildCount > 0) {
    return { ...names, kind: "constant", hasMembers: true, body: () => value };
  }
  return { ...names, kind: "constant", body: () => value };
}
