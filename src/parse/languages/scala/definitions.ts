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
import { extractDocLine } from "../../symbols/signature.ts";

/** A value longer than this is an instance of something, and worth a chunk. */
const LONG_VALUE = 6;
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
  attached: new Set(["comment", "block_comment", "annotation"]),
  access: accessOf,
};

/** A function that gives an anonymous instance has its members: `def functor = new Functor[F] { … }`. */
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

/** The inside of `new Type { … }`. */
function templateOf(value: Node | undefined): Node | undefined {
  if (value?.type === "template_body") return value;
  return value?.type === "instance_expression" ? childOfType(value, "template_body") : undefined;
}

/** The parameters of a class that are members of it: those of a case class, and with `val` or `var`. */
function parameters(definition: Node): readonly LeafDefinition[] {
  const list = fieldNode(definition, "class_parameters");
  if (list === undefined) return [];
  const before = definition.text.slice(0, list.startIndex - definition.startIndex);
  const isCase = /\bcase\s+class\b/.test(before);
  return list.namedChildren
    .filter(
      ({ type, text }) => type === "class_parameter" && (isCase || /\b(?:val|var)\s/.test(text)),
    )
    .map((node) => ({ node, rule: { kind: "field" } }));
}

/** `test("adds") { … }` and what is called like it. */
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
 * The first line of a comment that the grammar has inside of what stands before, since a block without braces
 * ends at the next statement only.
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
