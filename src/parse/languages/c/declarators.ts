// Declarators of C. The names of a declaration are nested in its declarators.
import type { Node } from "web-tree-sitter";

import {
  fieldNode,
  fieldText,
  nameAt,
  nameWithin,
  splitQualified,
  type DefinitionRule,
  type Name,
} from "../definition-rules.ts";

const NAMES = new Set([
  "identifier",
  "field_identifier",
  "type_identifier",
  "qualified_identifier",
  "destructor_name",
  "operator_name",
  "operator_cast",
  "template_function",
]);

/** Returns the function declarator in `*name(…)` or `&name(…)`, below pointers and references. */
export function functionDeclarator(declarator: Node): Node | undefined {
  let node: Node | null | undefined = declarator;
  for (let step = 0; node && step < 8; step += 1) {
    const { type } = node;
    if (type === "function_declarator") return node;
    if (type !== "pointer_declarator" && type !== "reference_declarator") return undefined;
    node = node.lastNamedChild;
  }
  return undefined;
}

/** Returns the identifier in a declarator, such as `pick` in `*(*pick(int))(void)`. */
function innermostName(declarator: Node | undefined): Node | undefined {
  let node = declarator;
  for (let step = 0; node !== undefined && step < 12; step += 1) {
    if (NAMES.has(node.type)) return node;
    node = fieldNode(node, "declarator") ?? node.firstNamedChild ?? undefined;
  }
  return undefined;
}

/** Returns the name that a declarator declares. */
export function nameOfDeclarator(declarator: Node | undefined): Name | undefined {
  return nameAt(innermostName(declarator));
}

const FURTHER_KINDS: Readonly<Record<string, "type" | "field">> = {
  type_definition: "type",
  field_declaration: "field",
};

/** Returns rules for all names of `int a, *b, c[2]` but the first. */
export function additionalDeclaratorNames(node: Node, text: string): readonly DefinitionRule[] {
  if (!hasComma(text, node.startIndex)) return [];
  const [, ...further] = node.childrenForFieldName("declarator");
  return further.map((declarator) => ({
    kind: FURTHER_KINDS[node.type] ?? "constant",
    name: () => nameOfDeclarator(declarator),
    body: () => undefined,
  }));
}

/**
 * Returns whether there is a comma outside of brackets before the declaration ends. Most declarations have
 * one name, and searching the text is cheaper than asking the tree.
 */
function hasComma(text: string, start: number): boolean {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (char === "(" || char === "{" || char === "[") depth += 1;
    else if (char === ")" || char === "}" || char === "]") depth -= 1;
    else if (depth === 0 && (char === "," || char === ";")) return char === ",";
    if (depth < 0) return false;
  }
  return false;
}

/**
 * Returns the rule for a function definition or prototype. A prototype is not a chunk: the function is defined elsewhere,
 * and that is where questions about it should lead.
 */
export function functionRule(node: Node): DefinitionRule {
  const found = functionName(node);
  return {
    kind: "function",
    name: () => found?.name,
    owner: () => found?.owner,
    ...(node.type === "declaration" ? PROTOTYPE : {}),
  };
}

const PROTOTYPE = { isInline: true } as const;

interface FunctionName {
  readonly name: Name;
  readonly owner: string | undefined;
}

function functionName(node: Node): FunctionName | undefined {
  const declarator = fieldNode(node, "declarator");
  const named = innermostName(declarator);
  const text = named?.text;
  if (named === undefined || text === undefined || text.length > 300) return undefined;
  const operator = /^(.*?)(?:::)?\s*(operator\b.*)$/s.exec(text);
  if (operator?.[2] !== undefined) {
    const { owner, name: last } = splitQualified(operator[1] ?? "");
    const path = [owner, last].filter((part) => part !== undefined && part !== "").join(".");
    return definitionPlace(named, operator[2], path === "" ? undefined : path);
  }
  if (/^[A-Z][A-Z0-9_]+$/.test(text) && fieldNode(node, "type") === undefined) {
    const inMacro = nameInMacro(declarator ?? node);
    if (inMacro !== undefined) return inMacro;
  }
  const { owner, name } = splitQualified(text.replace(/<.*>/s, ""));
  return definitionPlace(named, name, owner);
}

/** `TEST(Suite, Name) {…}` and `TEST_CASE(name) {…}` are parsed as functions named TEST without a return type. */
function nameInMacro(declarator: Node): FunctionName | undefined {
  const parameters = fieldText(declarator, "parameters") ?? "";
  const [first = "", second = ""] = parameters.replace(/[()\s]/g, "").split(",");
  if (second !== "") return definitionPlace(declarator, second, first);
  return /^[A-Za-z_]\w*$/.test(first) && first !== "void"
    ? definitionPlace(declarator, first, undefined)
    : undefined;
}

function definitionPlace(
  node: Node,
  text: string,
  owner: string | undefined,
): FunctionName | undefined {
  const name = nameWithin(node, text);
  return name && { name, owner };
}
