import type { Node } from "web-tree-sitter";

import {
  fieldName,
  fieldNode,
  nameAt,
  nameWithin,
  type AccessLevel,
  type AccessFacts,
  type DefinitionRule,
  type LanguageRules,
  type Name,
} from "../definition-rules.ts";

const VALUE: DefinitionRule = { kind: "constant", body: (node) => fieldNode(node, "value") };
/** Matches the start of `a, b …`. */
const MULTIPLE_NAMES = /[\p{L}_][\p{L}\p{N}_]*\s*,/uy;

export const go: LanguageRules = {
  definitions: {
    function_declaration: { kind: "function" },
    method_declaration: { kind: "method", owner: receiverType },
    type_spec: typeRule,
    type_alias: typeRule,
    const_spec: VALUE,
    var_spec: VALUE,
    field_declaration: {
      kind: "field",
      isInline: true,
      name: fieldOrEmbedded,
      body: () => undefined,
      fields: structFields,
    },
    method_elem: { kind: "method", isInline: true },
  },
  additionalDefinitions: {
    const_spec: additionalNames,
    var_spec: additionalNames,
    field_declaration: additionalNames,
  },
  wrappers: new Set(["type_declaration"]),
  groups: new Set(["const_declaration", "var_declaration"]),
  blocks: new Set(["var_spec_list"]),
  attached: new Set(["comment"]),
  access: accessOfName,
};

function typeRule(node: Node): DefinitionRule {
  const type = fieldNode(node, "type");
  const members = type?.firstNamedChild ?? undefined;
  if (type?.type === "struct_type") {
    return { kind: "class", body: () => members, fields: () => members };
  }
  // An embedded interface may directly follow the opening brace.
  return type?.type === "interface_type"
    ? { kind: "type", body: () => members, fields: () => type }
    : { kind: "type", body: () => undefined };
}

function fieldOrEmbedded(field: Node): Name | undefined {
  const name = fieldName(field, "name");
  if (name !== undefined) return name;
  const type = fieldNode(field, "type");
  const last = type && /^[*\s]*(?:[\p{L}\p{N}_]+\s*\.\s*)?([\p{L}\p{N}_]+)/u.exec(type.text);
  return last?.[1] === undefined ? undefined : nameWithin(type, last[1]);
}

/** Returns the fields of an anonymous structure, which are named through the field. */
function structFields(field: Node): Node | undefined {
  if (!/\bstruct\s*\{\s*[^}\s]/.test(field.text)) return undefined;
  const type = fieldNode(field, "type");
  return type?.type === "struct_type" ? (type.firstNamedChild ?? undefined) : undefined;
}

function additionalNames(node: Node, text: string): readonly DefinitionRule[] {
  MULTIPLE_NAMES.lastIndex = node.startIndex;
  if (!MULTIPLE_NAMES.test(text)) return [];
  const [, ...names] = node.childrenForFieldName("name").filter((child) => child.isNamed);
  return names.map((name) => ({
    kind: node.type === "field_declaration" ? "field" : "constant",
    name: () => nameAt(name),
    body: () => undefined,
  }));
}

function accessOfName({ name }: AccessFacts): AccessLevel {
  return /^\p{Lu}/u.test(name) ? "exported" : "internal";
}

/** Returns `Tree` for the receivers `(t *Tree)`, `(Tree)` and `(t *Tree[K])`. */
function receiverType(method: Node): string | undefined {
  const receiver = fieldNode(method, "receiver")?.text ?? "";
  if (receiver.length > 300) return undefined;
  return /([\p{L}_][\p{L}\p{N}_]*)\s*(?:\[[^)]*\]\s*)?,?\s*\)$/u.exec(receiver)?.[1];
}
