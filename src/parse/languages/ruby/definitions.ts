import type { Node } from "web-tree-sitter";

import {
  fieldNode,
  fieldText,
  lineSpan,
  nameAt,
  nameWithin,
  titleAt,
  type DefinitionRule,
  type LanguageRules,
  type Name,
} from "../definition-rules.ts";
import { rubyAccessChange, rubyMemberAccess } from "./access.ts";

const SUITES = new Set(["describe", "context", "feature", "shared_examples", "namespace"]);
const TESTS = new Set(["it", "specify", "scenario", "test", "task"]);
/** A call with a shorter block is treated like any other statement. */
const ENTER_FROM_LINES = 10;

const ACCESSORS = /(?:attr_(?:accessor|reader|writer)|alias_method)\b/y;
const METHOD: DefinitionRule = { kind: "method", isInline: true, body: () => undefined };

/** `Rack::Builder` is `Builder` of `Rack`. */
const TYPE: Omit<DefinitionRule, "kind"> = {
  hasMembers: true,
  name: (node) => constantParts(node).name,
  owner: (node) => constantParts(node).owner,
};

export const ruby: LanguageRules = {
  definitions: {
    module: { ...TYPE, kind: "module" },
    class: { ...TYPE, kind: "class" },
    method: (_node, parent) => ({ kind: parent === undefined ? "function" : "method" }),
    singleton_method: { kind: "method" },
    assignment: (node, parent) => {
      const left = fieldNode(node, "left");
      if (left?.type !== "constant") return undefined;
      const rule: DefinitionRule = {
        kind: "constant",
        name: () => nameAt(left),
        body: () => undefined,
      };
      return parent === "class" ? { ...rule, isInline: true } : rule;
    },
    call: callRule,
    alias: { ...METHOD, name: (node) => symbolName(fieldNode(node, "name")) },
  },
  additionalDefinitions: { call: accessorNames },
  inlineBlocks: {
    begin: (node) => node,
    rescue: (node) => node,
    ensure: (node) => node,
    if_modifier: (node) => node,
    unless_modifier: (node) => node,
  },
  blocks: new Set(["singleton_class", "body_statement", "if", "unless", "then", "else"]),
  attached: new Set(["comment"]),
  access: rubyMemberAccess,
  accessChanges: { identifier: rubyAccessChange, call: rubyAccessChange },
  enter,
};

function constantParts(node: Node): { name: Name | undefined; owner: string | undefined } {
  const name = fieldNode(node, "name");
  const parts = (name?.text ?? "").replace(/^::/, "").split("::");
  const last = parts.pop();
  return { name: nameWithin(name, last), owner: parts.length === 0 ? undefined : parts.join(".") };
}

/** Returns `name` of `name` and `:name`. */
function symbolName(node: Node | undefined): Name | undefined {
  const name = nameAt(node);
  return name?.text.startsWith(":") === true
    ? { ...name, text: name.text.slice(1), index: name.index + 1 }
    : name;
}

/** Returns rules for the methods of `attr_reader :a, :b` and `alias_method :new, :old`. */
function accessorNames(call: Node, text: string): readonly DefinitionRule[] {
  ACCESSORS.lastIndex = call.startIndex;
  if (!ACCESSORS.test(text)) return [];
  const list = fieldNode(call, "arguments")?.namedChildren ?? [];
  const names = list.filter(({ type }) => type === "simple_symbol");
  const isAlias = text.startsWith("alias", call.startIndex);
  return (isAlias ? names.slice(0, 1) : names).map((node) => ({
    ...METHOD,
    name: () => symbolName(node),
  }));
}

/** Returns the rule for tests of RSpec and Minitest, and for Rake tasks. */
function callRule(call: Node): DefinitionRule | undefined {
  const block = fieldNode(call, "block");
  const method = block && fieldText(call, "method");
  if (method === undefined) return undefined;
  const isSuite = SUITES.has(method);
  const first = fieldNode(call, "arguments")?.firstNamedChild;
  if (!first || (!isSuite && !TESTS.has(method))) return undefined;
  return {
    kind: isSuite ? "module" : "function",
    name: () => titleAt(first),
    body: () => block && fieldNode(block, "body"),
    hasMembers: isSuite,
    isSymbol: false,
    isTitle: true,
  };
}

/** Returns the content of `private def x` and of long blocks such as `included do … end`. */
function enter(node: Node): Node | undefined {
  if (node.type !== "call") return undefined;
  const list = fieldNode(node, "arguments");
  if (list?.firstNamedChild?.type === "method") return list;
  const block = fieldNode(node, "block");
  if (block === undefined || lineSpan(node) < ENTER_FROM_LINES) return undefined;
  return fieldNode(block, "body");
}
