import type { Node } from "web-tree-sitter";

import {
  childOfType,
  fieldNode,
  fieldText,
  nameAt,
  nameWithin,
  titleAt,
  type AccessLevel,
  type AccessFacts,
  type DefinitionRule,
  type LanguageRules,
  type Name,
} from "../definition-rules.ts";

const MODULES = new Set(["defmodule", "defprotocol", "defimpl"]);
const FUNCTIONS = new Set([
  "def",
  "defp",
  "defmacro",
  "defmacrop",
  "defguard",
  "defguardp",
  "defdelegate",
]);
const TYPES = new Set(["type", "typep", "opaque"]);
const ATTACHED = /^@(?:doc|spec|impl|tag|deprecated|dialyzer|typedoc|since)\b/;
const NO_CONSTANT =
  /^(?:moduledoc|behaviour|derive|enforce_keys|before_compile|after_compile|on_load|external_resource|moduletag|describetag|compile|shortdoc|optional_callbacks)$/;

const argumentsOf = (call: Node): Node | undefined => childOfType(call, "arguments");
const doBlock = (call: Node): Node | undefined => childOfType(call, "do_block");

export const elixir: LanguageRules = {
  definitions: { call: callRule, unary_operator: attributeRule },
  attached: new Set(["comment"]),
  isAttached: (node) => node.type === "unary_operator" && ATTACHED.test(node.text.slice(0, 20)),
  access: accessOf,
  hasClauses: true,
};

/** `defp`, `defmacrop`, `@typep` and attributes are private to the module. */
function accessOf({ head, name }: AccessFacts): AccessLevel {
  return name.startsWith("@") || /^(?:def\w*p|@typep)\b/.test(head) ? "private" : "exported";
}

function callRule(call: Node): DefinitionRule | undefined {
  const target = fieldText(call, "target") ?? "";
  if (MODULES.has(target)) {
    return {
      kind: "module",
      hasMembers: true,
      name: () => moduleName(call),
      body: doBlock,
    };
  }
  if (FUNCTIONS.has(target)) {
    return {
      kind: "function",
      name: () => headName(argumentsOf(call)?.firstNamedChild),
      body: functionBody,
    };
  }
  if (target !== "test" && target !== "describe") return undefined;
  const first = argumentsOf(call)?.firstNamedChild;
  const body = doBlock(call);
  if (!first || body === undefined) return undefined;
  return {
    kind: target === "describe" ? "module" : "function",
    name: () => titleAt(first),
    body: () => body,
    hasMembers: target === "describe",
    isSymbol: false,
    isTitle: true,
  };
}

/** Returns `Size.Map` for `defimpl Size, for: Map`, the name that Elixir gives it. */
function moduleName(call: Node): Name | undefined {
  const list = argumentsOf(call);
  const name = nameAt(list?.firstNamedChild);
  const target = /\bfor:\s*([\w.]+)/.exec(list?.text ?? "")?.[1];
  return target === undefined || name === undefined
    ? name
    : { ...name, text: `${name.text}.${target}` };
}

/** Returns `find` for the heads `find(name)`, `find(name) when …` and `find`. */
function headName(head: Node | null | undefined): Name | undefined {
  if (head?.type === "binary_operator") return headName(fieldNode(head, "left"));
  return nameAt(head?.type === "call" ? fieldNode(head, "target") : head);
}

/** Returns the block, or the keywords of the short form `, do: …`. */
function functionBody(call: Node): Node | undefined {
  const list = argumentsOf(call);
  return doBlock(call) ?? (list && childOfType(list, "keywords"));
}

/** Returns the rule for `@type user :: …`, `@callback size(…) :: …` and values such as `@limit 10`. */
function attributeRule(attribute: Node): DefinitionRule | undefined {
  const operand = fieldNode(attribute, "operand");
  const target = operand?.type === "call" ? fieldText(operand, "target") : undefined;
  if (operand === undefined || target === undefined || NO_CONSTANT.test(target)) return undefined;
  const name = (): Name | undefined => headName(argumentsOf(operand)?.firstNamedChild);
  if (TYPES.has(target)) return { kind: "type", name, isInline: true };
  if (target === "callback" || target === "macrocallback") return { kind: "function", name };
  return { kind: "constant", name: () => nameWithin(attribute, `@${target}`), isInline: true };
}
