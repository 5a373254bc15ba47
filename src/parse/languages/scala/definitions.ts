import type { Node } from "web-tree-sitter";

import {
  childOfType,
  fieldName,
  fieldNode,
  fieldText,
  lineSpan,
  nameAt,
  nameWithin,
  titleAt,
  type AccessLevel,
  type AccessFacts,
  type DefinitionRule,
  type LanguageRules,
  type LeafDefinition,
} from "../definition-rules.ts";
import { repairScalaText } from "./repair-text.ts";
import { extractDocLine } from "../../symbols/signature.ts";

/** In lines. A longer value is usually an instance with members and becomes a chunk. */
const LONG_VALUE = 6;
const IS_MEMBER =
  /^(?:@\w+(?:\([^()]*\))?\s+|(?:private|protected|override|final|implicit)\b(?:\[\w+\])?\s+)*(?:val|var)\s/;
/** A definition does not end in more nodes that are in one another. */
const MAX_LAST_NODES = 60;
const TESTS = new Set(["test", "it", "describe", "property", "scenario", "feature"]);

const CLASS: DefinitionRule = {
  kind: "class",
  hasMembers: true,
  headMembers: parameters,
  doc: docOf,
};
const FUNCTION: DefinitionRule = { kind: "function", doc: docOf };
const CASE: DefinitionRule = { kind: "constant", isInline: true, body: () => undefined };

export const scala: LanguageRules = {
  repairText: repairScalaText,
  definitions: {
    class_definition: CLASS,
    object_definition: CLASS,
    trait_definition: { ...CLASS, kind: "type" },
    enum_definition: { ...CLASS, kind: "type" },
    package_object: { kind: "module", hasMembers: true },
    function_definition: functionRule,
    function_declaration: FUNCTION,
    val_definition: valueRule,
    var_definition: valueRule,
    val_declaration: valueRule,
    var_declaration: valueRule,
    given_definition: {
      kind: "constant",
      hasMembers: true,
      name: (node) => fieldName(node, "name") ?? nameAt(fieldNode(node, "return_type")),
      body: (node) => templateOf(fieldNode(node, "body")) ?? fieldNode(node, "body"),
    },
    type_definition: (_node, parent) => ({
      kind: "type",
      body: (node) => fieldNode(node, "type"),
      ...(parent !== undefined && { isInline: true }),
    }),
    simple_enum_case: CASE,
    full_enum_case: CASE,
    call_expression: testRule,
  },
  blocks: new Set([
    "package_clause",
    "extension_definition",
    "template_body",
    "indented_block",
    "enum_case_definitions",
  ]),
  additionalDefinitions: { val_definition: furtherNames, var_definition: furtherNames },
  lastNode,
  attached: new Set(["comment", "block_comment", "annotation"]),
  access: accessOf,
};

/** A function that returns an anonymous instance has its members: `def functor = new Functor[F] { … }`. */
function functionRule(node: Node): DefinitionRule {
  const template = templateOf(fieldNode(node, "body"));
  return template === undefined
    ? FUNCTION
    : { ...FUNCTION, hasMembers: true, body: () => template };
}

function valueRule(node: Node, parent: string | undefined): DefinitionRule {
  const pattern = fieldNode(node, "pattern") ?? fieldNode(node, "name");
  const target = pattern?.type === "identifiers" ? pattern.firstNamedChild : pattern;
  const value = fieldNode(node, "value");
  const template = templateOf(value);
  return {
    kind: "field",
    name: () =>
      target?.type === "identifier"
        ? nameWithin(target, target.text.replaceAll("`", ""))
        : undefined,
    doc: docOf,
    body: () => template ?? value,
    ...(template !== undefined && { hasMembers: true }),
    ...(parent !== undefined && lineSpan(node) <= LONG_VALUE && { isInline: true }),
  };
}

/** Returns the definitions of the further names in `val a, b = …`, and of the names in `val (a, Some(b)) = …`. */
function furtherNames(node: Node): readonly DefinitionRule[] {
  const pattern = fieldNode(node, "pattern");
  if (pattern === undefined || pattern.type === "identifier") return [];
  const isList = pattern.type === "identifiers";
  const found = isList ? pattern.namedChildren.slice(1) : namesIn(pattern);
  return found.map((name) => ({ kind: "field", name: () => nameAt(name), body: () => undefined }));
}

/** Returns the variables in a pattern: other names begin with a capital. */
function namesIn(pattern: Node): readonly Node[] {
  return pattern.namedChildren.flatMap((child) => {
    if (child.type === "identifier") return /^[\p{Ll}_]/u.test(child.text) ? [child] : [];
    return child.type.endsWith("_pattern") ? namesIn(child) : [];
  });
}

/** Returns the last node with text of a definition: a block without braces has the comments after it. */
function lastNode(node: Node): Node {
  let last = node;
  for (let left = MAX_LAST_NODES; left > 0; left -= 1) {
    let inner = last.lastChild;
    while (inner?.type.endsWith("comment") === true) inner = inner.previousSibling;
    if (inner === null) break;
    last = inner;
  }
  return last;
}

/** Returns the body of `new Type { … }`. */
function templateOf(value: Node | undefined): Node | undefined {
  if (value?.type === "template_body") return value;
  return value?.type === "instance_expression" ? childOfType(value, "template_body") : undefined;
}

/** Returns the class parameters that are members: those in the first list of a case class, and those with `val` or `var`. */
function parameters(definition: Node): readonly LeafDefinition[] {
  const lists = definition.namedChildren.filter(({ type }) => type === "class_parameters");
  const [first] = lists;
  if (first === undefined) return [];
  const before = definition.text.slice(0, first.startIndex - definition.startIndex);
  const isCase = /\bcase\s+class\b/.test(before);
  return lists.flatMap((list) =>
    list.namedChildren
      .filter(
        ({ type, text }) =>
          type === "class_parameter" && ((isCase && list === first) || IS_MEMBER.test(text)),
      )
      .map((node) => ({ node, rule: { kind: "field" } as const })),
  );
}

/** Returns the rule for `test("adds") { … }` and similar calls. */
function testRule(call: Node): DefinitionRule | undefined {
  const inner = fieldNode(call, "function");
  if (inner?.type !== "call_expression" || !TESTS.has(fieldText(inner, "function") ?? ""))
    return undefined;
  const title = fieldNode(inner, "arguments")?.firstNamedChild;
  if (title?.type !== "string") return undefined;
  const body = fieldNode(call, "arguments");
  return {
    kind: "function",
    isSymbol: false,
    isTitle: true,
    name: () => titleAt(title),
    body: () => body,
  };
}

/**
 * Returns the first line of a comment that the grammar puts at the end of the previous node, because a block
 * without braces ends only at the next statement.
 */
function docOf(node: Node): string | undefined {
  let last = node.previousNamedSibling;
  if (last === null || last.type.endsWith("comment")) return undefined;
  const row = node.startPosition.row;
  for (; last !== null && last.endPosition.row >= row - 1; last = last.lastNamedChild) {
    if (last.type.endsWith("comment")) return extractDocLine(last.text);
  }
  return undefined;
}

function accessOf({ head }: AccessFacts): AccessLevel {
  if (/\bprivate\b(?!\[)/.test(head)) return "private";
  return /\b(?:private|protected)\b/.test(head) ? "internal" : "exported";
}
