import type { Node, Tree } from "web-tree-sitter";

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

const REQUIRED = /^require\s*\(?\s*["'][^"']*["']\s*\)?(?:\.\w+)?$/;
const REQUIRED_SAFELY = /^pcall\s*\(\s*require\b/;

export const lua: LanguageRules = {
  definitions: {
    function_declaration: (node) => ({ kind: "function", ...naming(fieldNode(node, "name")) }),
    assignment_statement: (node) => {
      const target = childOfType(node, "variable_list")?.firstNamedChild ?? undefined;
      const value = childOfType(node, "expression_list")?.firstNamedChild ?? undefined;
      const rule = classRule(node, target) ?? valueRule(value, naming(target));
      const isLocal = node.parent?.type === "variable_declaration";
      // It is another name of a definition.
      if (isLocal && REQUIRED.test(value?.text ?? "")) return undefined;
      return rule.kind === "constant" && rule.hasMembers !== true && !isLocal ? undefined : rule;
    },
    field: (node) => {
      const rule = valueRule(fieldNode(node, "value"), naming(fieldNode(node, "name")));
      return rule.kind === "function" ? rule : undefined;
    },
  },
  wrappers: new Set(["variable_declaration"]),
  blocks: new Set(["if_statement", "do_statement", "block"]),
  enter: returnedTable,
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
  const [value] = childOfType(node, "expression_list")?.namedChildren ?? [];
  if (REQUIRED.test(value?.text ?? "") || REQUIRED_SAFELY.test(value?.text ?? "")) return [];
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

/** Returns the rule for a table that is a class, because it has methods. */
function classRule(node: Node, target: Node | undefined): DefinitionRule | undefined {
  if (target?.type !== "identifier" || !classesIn(node.tree).has(target.text)) return undefined;
  const value = childOfType(node, "expression_list")?.firstNamedChild ?? undefined;
  const isTable = value?.type === "table_constructor" && value.namedChildCount > 0;
  return {
    ...naming(target),
    kind: "class",
    ...(isTable && { hasMembers: true }),
    body: () => value,
  };
}

const classesOfTrees = new WeakMap<Tree, ReadonlySet<string>>();

/** Returns the names of the tables of a file that have methods or are metatables, or that a comment declares to be classes. */
function classesIn(tree: Tree): ReadonlySet<string> {
  const known = classesOfTrees.get(tree);
  if (known !== undefined) return known;
  const classes = new Set<string>();
  let isAnnotated = false;
  for (const line of tree.rootNode.text.split("\n")) {
    const [, method, metatable] =
      /\bfunction[ \t]+(\w+):\w|^[ \t]*(\w+)\.__index[ \t]*=/.exec(line) ?? [];
    const name = method ?? metatable;
    if (name !== undefined) classes.add(name);
    const isComment = /^[ \t]*--/.test(line);
    if (isAnnotated && !isComment) {
      const table = /^[ \t]*(?:local[ \t]+)?(\w+)[ \t]*=/.exec(line)?.[1];
      if (table !== undefined) classes.add(table);
      isAnnotated = false;
    }
    if (isComment && /^[ \t]*---?[ \t]*@class\b/.test(line)) isAnnotated = true;
  }
  classesOfTrees.set(tree, classes);
  return classes;
}

/** Returns the table that a file returns, whose functions others call. */
function returnedTable(node: Node): Node | undefined {
  if (node.type !== "return_statement" || node.parent?.type !== "chunk") return undefined;
  const value = childOfType(node, "expression_list")?.firstNamedChild;
  return value?.type === "table_constructor" ? value : undefined;
}
