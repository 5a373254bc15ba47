import type { Node } from "web-tree-sitter";

import {
  childOfType,
  fieldNode,
  nameAt,
  nameWithin,
  splitQualified,
  type AccessLevel,
  type AccessFacts,
  type DefinitionRule,
  type LanguageRules,
  type Name,
} from "../definition-rules.ts";

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
  additionalDefinitions: { assignment_statement: additionalNames },
  attached: new Set(["comment"]),
  access: accessOf,
  hasNestedFunctions: true,
};

function naming(target: Node | undefined): Naming {
  const { owner, name } = splitQualified(target?.text ?? "");
  const positioned = (): Name | undefined => nameWithin(target, name);
  return owner === undefined ? { name: positioned } : { name: positioned, owner: () => owner };
}

/** Returns rules for `b` of `local a, b = 1, 2`. */
function additionalNames(node: Node): readonly DefinitionRule[] {
  if (node.parent?.type !== "variable_declaration") return [];
  const [, ...names] = childOfType(node, "variable_list")?.namedChildren ?? [];
  return names.map((name) => ({
    kind: "constant",
    name: () => nameAt(name),
    body: () => undefined,
  }));
}

/** A Lua module is a local table that the file returns, so its members are exported. */
function accessOf({ head }: AccessFacts): AccessLevel {
  if (/^\s*local\b/.test(head)) return "private";
  return "exported";
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
