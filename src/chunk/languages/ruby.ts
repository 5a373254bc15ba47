import type { Node } from "web-tree-sitter";

import {
  fieldNode,
  fieldText,
  lineSpan,
  literalText,
  type DefinitionRule,
  type LanguageRules,
} from "./language.ts";

const SUITES = new Set(["describe", "context", "feature", "shared_examples", "namespace"]);
const TESTS = new Set(["it", "specify", "scenario", "test", "task"]);
/** Calls with a shorter block are statements like any other. */
const ENTER_FROM_LINES = 10;

const constantName = (node: Node): string | undefined =>
  fieldText(node, "name")?.replaceAll("::", ".");

export const ruby: LanguageRules = {
  definitions: {
    module: { kind: "module", hasMembers: true, name: constantName },
    class: { kind: "class", hasMembers: true, name: constantName },
    method: (_node, parent) => ({ kind: parent === undefined ? "function" : "method" }),
    singleton_method: { kind: "method" },
    assignment: (node, parent) => {
      const left = fieldNode(node, "left");
      if (left?.type !== "constant") return undefined;
      const rule: DefinitionRule = {
        kind: "constant",
        name: () => left.text,
        body: () => undefined,
      };
      return parent === "class" ? { ...rule, isInline: true } : rule;
    },
    call: callRule,
  },
  blocks: new Set(["singleton_class", "body_statement", "if", "unless", "then", "else"]),
  attached: new Set(["comment"]),
  enter,
};

/** The tests of RSpec and Minitest, and the tasks of Rake. */
function callRule(call: Node): DefinitionRule | undefined {
  const block = fieldNode(call, "block");
  const method = block && fieldText(call, "method");
  if (method === undefined) return undefined;
  const isSuite = SUITES.has(method);
  const first = fieldNode(call, "arguments")?.firstNamedChild;
  if (!first || (!isSuite && !TESTS.has(method))) return undefined;
  return {
    kind: isSuite ? "module" : "function",
    name: () => literalText(first),
    body: () => block && fieldNode(block, "body"),
    hasMembers: isSuite,
    isSymbol: false,
    isTitle: true,
  };
}

/** Looks into `private def x`, and into long blocks such as `included do … end`. */
function enter(node: Node): Node | undefined {
  if (node.type !== "call") return undefined;
  const list = fieldNode(node, "arguments");
  if (list?.firstNamedChild?.type === "method") return list;
  const block = fieldNode(node, "block");
  if (block === undefined || lineSpan(node) < ENTER_FROM_LINES) return undefined;
  return fieldNode(block, "body");
}
