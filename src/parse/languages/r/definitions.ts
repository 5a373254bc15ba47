import type { Node } from "web-tree-sitter";

import {
  childOfType,
  fieldNode,
  fieldText,
  literalText,
  nameAt,
  nameWithin,
  titleAt,
  type DefinitionRule,
  type SymbolKind,
  type LanguageRules,
  type Name,
} from "../definition-rules.ts";

const ASSIGNMENTS = new Set(["<-", "<<-", "=", ":="]);
const CLASS_MAKERS =
  /^(?:R6::)?R6Class$|^(?:methods::)?setRefClass$|^ggproto$|^(?:S7::)?new_class$/;
const TESTS = new Set(["test_that", "describe", "it", "context"]);

export const r: LanguageRules = {
  definitions: { binary_operator: assignmentRule, call: callRule, argument: argumentRule },
  blocks: new Set(["if_statement", "braced_expression"]),
  attached: new Set(["comment"]),
  enter: listOf,
  access: ({ name }) => (name.startsWith(".") ? "private" : "exported"),
};

/** Returns the rule for `name <- function(…) …`, `Name <- R6Class(…)` and other named values. */
function assignmentRule(node: Node, parent: string | undefined): DefinitionRule | undefined {
  const target = fieldNode(node, "lhs");
  const value = fieldNode(node, "rhs");
  if (target === undefined || value === undefined) return undefined;
  if (!ASSIGNMENTS.has(fieldText(node, "operator") ?? "")) return undefined;
  const name = nameOfTarget(target);
  if (name === undefined) return undefined;
  const owner = target.type === "extract_operator" ? fieldText(target, "lhs") : undefined;
  const naming = {
    name: () => name,
    doc: docOf,
    ...(owner !== undefined && { owner: () => owner }),
  };
  if (value.type === "function_definition") {
    return { ...naming, kind: "function", body: () => fieldNode(value, "body") };
  }
  if (value.type === "call" && CLASS_MAKERS.test(fieldText(value, "function") ?? "")) {
    return {
      ...naming,
      kind: "class",
      hasMembers: true,
      body: () => fieldNode(value, "arguments"),
    };
  }
  if (parent !== undefined || owner !== undefined) return undefined;
  return { kind: "constant", isInline: true, name: () => name, body: () => value };
}

/** Returns the name in `fit`, `"fit"`, an operator in backticks, and the `fit` of `self$fit`. */
function nameOfTarget(target: Node): Name | undefined {
  if (target.type === "identifier") return nameWithin(target, target.text.replaceAll("`", ""));
  if (target.type === "string") return titleAt(target);
  return target.type === "extract_operator" ? nameAt(fieldNode(target, "rhs")) : undefined;
}

const MAKERS: Readonly<Record<string, SymbolKind>> = {
  setClass: "class",
  setRefClass: "class",
  setGeneric: "function",
  setMethod: "method",
};

/** Returns the rule for S4 classes, generics and methods, and for tests. */
function callRule(call: Node): DefinitionRule | undefined {
  const called = fieldText(call, "function")?.replace(/^methods::/, "") ?? "";
  const isTest = TESTS.has(called);
  const kind = isTest ? "function" : MAKERS[called];
  if (kind === undefined) return undefined;
  const values = argumentsOf(call);
  const [title, type] = values;
  if (title?.type !== "string") return undefined;
  const name = (): Name | undefined => titleAt(title);
  if (isTest) return { kind, isSymbol: false, isTitle: true, name, body: () => values.at(-1) };
  const method = values.find((value) => value.type === "function_definition");
  const body = (): Node | undefined => method && fieldNode(method, "body");
  const owner = kind === "method" && type?.type === "string" ? literalText(type) : undefined;
  return { kind, name, body, doc: docOf, ...(owner !== undefined && { owner: () => owner }) };
}

function argumentsOf(call: Node): readonly Node[] {
  const list = fieldNode(call, "arguments")?.namedChildren ?? [];
  return list.flatMap((child) =>
    child.type === "argument" ? (fieldNode(child, "value") ?? []) : [],
  );
}

/** Returns the rule for a function in the argument list that creates a class. */
function argumentRule(argument: Node, parent: string | undefined): DefinitionRule | undefined {
  const value = fieldNode(argument, "value");
  if (parent !== "class" || value?.type !== "function_definition") return undefined;
  return { kind: "function", doc: docOf, body: () => fieldNode(value, "body") };
}

/** Returns the arguments of `public = list(…)`. */
function listOf(argument: Node): Node | undefined {
  const value = argument.type === "argument" ? fieldNode(argument, "value") : undefined;
  const isList = value?.type === "call" && fieldText(value, "function") === "list";
  return isList ? childOfType(value, "arguments") : undefined;
}

/**
 * Returns the title of the roxygen documentation before the node (lines that begin with `#'`), or a reference
 * to the topic that contains it.
 */
function docOf(node: Node): string | undefined {
  let title: string | undefined;
  for (
    let above = node.previousNamedSibling;
    above?.type === "comment";
    above = above.previousNamedSibling
  ) {
    const words = /^#'\s*(?:@title\s+)?([^@\s].*)$/.exec(above.text)?.[1];
    if (words !== undefined) title = words.slice(0, 200);
    const topic = /^#'\s*@rdname\s+(\S+)/.exec(above.text)?.[1];
    if (topic !== undefined) title ??= `Documented with ${topic}.`;
  }
  return title;
}
