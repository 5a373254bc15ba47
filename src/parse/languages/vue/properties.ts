// The properties and fields of a Vue component that no statement of its own declares: those of `defineProps`, and of `data()`.
import type { Node } from "web-tree-sitter";

import {
  childOfType,
  fieldNode,
  fieldText,
  literalText,
  titleAt,
  type DefinitionRule,
  type LeafDefinition,
} from "../definition-rules.ts";
import { COMPONENT } from "../../markup/component-symbol.ts";

const FIELD: DefinitionRule = { kind: "field", isInline: true, body: () => undefined };
const OWNED: DefinitionRule = { ...FIELD, owner: () => COMPONENT };
/** Calls around `defineProps`: `const props = withDefaults(defineProps<Props>(), {})`. */
const MAX_CALLS = 3;

/** Returns the properties that `defineProps` declares in a statement, if they have no named type. */
export function declaredProperties(statement: Node): readonly LeafDefinition[] {
  const call = callOf(statement);
  if (call === undefined) return [];
  const types = childOfType(call, "type_arguments");
  const [declared] = types === undefined ? (fieldNode(call, "arguments")?.namedChildren ?? []) : [];
  const type = types?.firstNamedChild ?? declared;
  return type === undefined ? [] : namesOf(type).map((node) => leafOf(node, OWNED));
}

/** Returns the call of `defineProps` in a statement. */
function callOf(statement: Node): Node | undefined {
  const inner = childOfType(statement, "variable_declarator", "call_expression");
  let call = inner?.type === "variable_declarator" ? fieldNode(inner, "value") : inner;
  for (let left = MAX_CALLS; left > 0 && call?.type === "call_expression"; left -= 1) {
    if (fieldText(call, "function") === "defineProps") return call;
    call = fieldNode(call, "arguments")?.firstNamedChild ?? undefined;
  }
  return undefined;
}

/** Returns the nodes that name properties: `{ name: String }`, `["name"]`, `{ name: string }`. */
function namesOf(node: Node): readonly Node[] {
  return node.namedChildren.flatMap((child) => {
    if (child.type === "property_signature" || child.type === "method_signature")
      return fieldNode(child, "name") ?? [];
    if (child.type === "pair") return fieldNode(child, "key") ?? [];
    if (child.type === "method_definition") return fieldNode(child, "name") ?? [];
    return child.type === "string" ? child : [];
  });
}

function leafOf(name: Node, rule: DefinitionRule): LeafDefinition {
  const around = name.parent ?? name;
  const node = name.type === "string" && around.type === "array" ? name : around;
  return { node, rule: { ...rule, name: () => titleAt(name) } };
}

/** Returns the fields of an options object that are not among its definitions: those of `props: ["name"]` and of `data()`. */
export function optionFields(options: Node): readonly LeafDefinition[] {
  const members = options.namedChildren.map((child) => ({
    key: literalText(fieldNode(child, child.type === "pair" ? "key" : "name") ?? child),
    child,
  }));
  const props = members.find(({ key }) => key === "props")?.child;
  const list = props && fieldNode(props, "value");
  const listed = list?.type === "array" ? namesOf(list) : [];
  const data = members.find(({ key }) => key === "data")?.child;
  const object = data && returnedObject(data);
  const fields = object === undefined ? [] : namesOf(object);
  return [...listed, ...fields].map((node) => leafOf(node, FIELD));
}

/** Returns the object in `data() { return {…}; }`, `data: () => ({…})` and `data: {…}`. */
function returnedObject(data: Node): Node | undefined {
  const value = data.type === "pair" ? fieldNode(data, "value") : data;
  if (value?.type === "object") return value;
  const body = value && fieldNode(value, "body");
  const statement = body?.namedChildren.findLast(({ type }) => type === "return_statement");
  const inner = body?.type === "parenthesized_expression" ? body : statement;
  const object = inner?.firstNamedChild;
  return object?.type === "object" ? object : undefined;
}
