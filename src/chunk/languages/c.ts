import type { Node } from "web-tree-sitter";

import {
  fieldNode,
  fieldText,
  splitQualified,
  type DefinitionRule,
  type LanguageRules,
} from "./language.ts";

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

const FUNCTION: DefinitionRule = {
  kind: "function",
  name: (node) => functionName(node)?.name,
  owner: (node) => functionName(node)?.owner,
};

/** A structure is defined only where its members stand. */
export function structureRule(rule: DefinitionRule): (node: Node) => DefinitionRule | undefined {
  return (node) => (fieldNode(node, "body") === undefined ? undefined : rule);
}

export const c: LanguageRules = {
  definitions: {
    function_definition: FUNCTION,
    declaration: declarationRule,
    struct_specifier: structureRule({ kind: "class" }),
    union_specifier: structureRule({ kind: "class" }),
    enum_specifier: structureRule({ kind: "type" }),
    type_definition: {
      kind: "type",
      name: declaredName,
      body: (node) => {
        const type = fieldNode(node, "type");
        return type && fieldNode(type, "body");
      },
    },
    // A macro without a value is an include guard or a switch.
    preproc_def: (node) =>
      fieldNode(node, "value") === undefined ? undefined : { kind: "constant" },
    preproc_function_def: { kind: "function", body: (node) => fieldNode(node, "value") },
  },
  blocks: new Set([
    "preproc_if",
    "preproc_ifdef",
    "preproc_elif",
    "preproc_elifdef",
    "preproc_else",
    "linkage_specification",
    "declaration_list",
  ]),
  attached: new Set(["comment"]),
};

/** A prototype, a variable, or the structure whose variable is declared along with it. */
function declarationRule(node: Node): DefinitionRule | undefined {
  const declarator = fieldNode(node, "declarator");
  if (declarator === undefined) return undefined;
  if (functionDeclarator(declarator) !== undefined) return FUNCTION;
  return {
    kind: "constant",
    name: declaredName,
    body: (declaration) => fieldNode(declaration, "declarator"),
  };
}

/** The declarator of a function in `*name(…)` or `&name(…)`, past pointers and references. */
export function functionDeclarator(declarator: Node): Node | undefined {
  let node: Node | null | undefined = declarator;
  for (let step = 0; node && step < 8; step += 1) {
    if (node.type === "function_declarator") return node;
    if (node.type !== "pointer_declarator" && node.type !== "reference_declarator")
      return undefined;
    node = node.lastNamedChild;
  }
  return undefined;
}

/** The identifier inside of a declarator, such as `pick` in `*(*pick(int))(void)`. */
function innermostName(declarator: Node | undefined): Node | undefined {
  let node = declarator;
  for (let step = 0; node !== undefined && step < 12; step += 1) {
    if (NAMES.has(node.type)) return node;
    node = fieldNode(node, "declarator") ?? node.firstNamedChild ?? undefined;
  }
  return undefined;
}

function declaredName(node: Node): string | undefined {
  return innermostName(fieldNode(node, "declarator"))?.text;
}

function functionName(node: Node): { name: string; owner: string | undefined } | undefined {
  const name = innermostName(fieldNode(node, "declarator"))?.text;
  if (name === undefined || name.length > 300) return undefined;
  const operator = /^(.*?)(?:::)?\s*(operator\b.*)$/s.exec(name);
  if (operator?.[2] !== undefined) {
    const { owner, name: last } = splitQualified(operator[1] ?? "");
    const path = [owner, last].filter((part) => part !== undefined && part !== "").join(".");
    return { name: operator[2], owner: path === "" ? undefined : path };
  }
  // `TEST(Suite, Name) {…}` looks like a function that is called TEST and has no type.
  if (/^[A-Z][A-Z0-9_]+$/.test(name) && fieldNode(node, "type") === undefined) {
    const parameters = fieldText(fieldNode(node, "declarator") ?? node, "parameters") ?? "";
    const [owner, test] = parameters.replace(/[()\s]/g, "").split(",");
    if (owner !== undefined && test !== undefined && test !== "") return { name: test, owner };
  }
  return splitQualified(name.replace(/<.*>/s, ""));
}
