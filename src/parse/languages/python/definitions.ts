import type { Node } from "web-tree-sitter";

import { assignedFields } from "../assigned-fields.ts";
import {
  fieldNode,
  nameAt,
  nameWithin,
  type AccessLevel,
  type AccessChange,
  type AccessFacts,
  type DefinitionRule,
  type LanguageRules,
  type Name,
} from "../definition-rules.ts";
import { extractDocLine } from "../../symbols/signature.ts";

const SELF = /\bself\.([A-Za-z_]\w*)(?=\s*(?::[^=\n]*)?=(?!=))/g;
/** Matches `a, b = …`, `(a, b) = …` and `a = b = …`. */
const MULTIPLE_NAMES = /[([]?[ \t]*[A-Za-z_][\w.]*[ \t]*(?:,|=[ \t]*[A-Za-z_]\w*[ \t]*=(?!=))/y;
const LISTED = /__all__\s*\+?=\s*[[(]([^\])]*)/y;

const CONSTANT: DefinitionRule = {
  kind: "constant",
  name: (node) => assignedName(node),
};
/** By custom such a name is that of a constant, or of a member of an enumeration. */
const CONSTANT_NAME = /^_*[A-Z][A-Z\d_]*$/;

export const python: LanguageRules = {
  definitions: {
    class_definition: { kind: "class", hasMembers: true, doc: docstring },
    function_definition: { kind: "function", doc: docstring },
    expression_statement: (node, parent) => {
      if (node.firstNamedChild?.type !== "assignment") return undefined;
      if (parent !== "class") return CONSTANT;
      return { ...CONSTANT, kind: memberKind(assignedName(node)), isInline: true };
    },
    type_alias_statement: { kind: "type", name: (node) => aliasName(node.firstNamedChild) },
  },
  wrappers: new Set(["decorated_definition"]),
  blocks: new Set([
    "if_statement",
    "elif_clause",
    "else_clause",
    "try_statement",
    "except_clause",
    "finally_clause",
    "with_statement",
    "block",
  ]),
  inlineBlocks: { for_statement: loopBody, while_statement: loopBody },
  attached: new Set(["comment", "decorator"]),
  additionalDefinitions: { expression_statement: additionalNames },
  attributes: { function_definition: (node, text) => assignedFields(node, text, SELF) },
  access: accessOfName,
  fileAccess: () => "exported",
  accessChanges: { expression_statement: listedNames },
  hasNestedFunctions: true,
  nestedFunctionPattern: /^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]/m,
  hasClauses: true,
};

function assignedName(statement: Node): Name | undefined {
  const assignment = statement.firstNamedChild;
  const left = assignment && fieldNode(assignment, "left");
  return left?.type === "identifier" ? nameAt(left) : undefined;
}

/** Outside of a class all are constants. */
function memberKind(name: Name | undefined): "constant" | "field" {
  return name === undefined || CONSTANT_NAME.test(name.text) ? "constant" : "field";
}

function loopBody(loop: Node): Node | undefined {
  return fieldNode(loop, "body");
}

/** Returns rules for the names of a tuple, and for those after the first of `a = b = …`. */
function additionalNames(statement: Node, text: string): readonly DefinitionRule[] {
  MULTIPLE_NAMES.lastIndex = statement.startIndex;
  if (!MULTIPLE_NAMES.test(text)) return [];
  const first = statement.firstNamedChild ?? undefined;
  const targets: Node[] = [];
  for (let at = first; at?.type === "assignment"; at = fieldNode(at, "right")) {
    const left = fieldNode(at, "left");
    if (left?.type === "identifier" && at !== first) targets.push(left);
    else if (left?.type.endsWith("_list") === true || left?.type.endsWith("_pattern") === true)
      targets.push(...left.namedChildren.filter(({ type }) => type === "identifier"));
  }
  return targets.map((target) => ({
    kind: memberKind(nameAt(target)),
    name: () => nameAt(target),
    body: () => undefined,
  }));
}

/** Returns `Pair` of `type Pair[T] = …`. */
function aliasName(left: Node | null): Name | undefined {
  return nameWithin(left, left?.text.replace(/\[[^]*$/, ""));
}

/** By convention, `_name` is internal to the package or class family, `__name` private to the class. */
function accessOfName({ name }: AccessFacts): AccessLevel {
  if (!name.startsWith("_") || /^__.*__$/.test(name)) return "exported";
  return name.startsWith("__") ? "private" : "internal";
}

/** Reads `__all__ = ["_name"]`. */
function listedNames(statement: Node, text: string): AccessChange | undefined {
  LISTED.lastIndex = statement.startIndex;
  const list = text.startsWith("__all__", statement.startIndex)
    ? LISTED.exec(text)?.[1]
    : undefined;
  if (list === undefined) return undefined;
  const names = [...list.matchAll(/["']([^"'\n]+)["']/g)].map(([, name = ""]) => name);
  return { access: "exported", names: new Set(names) };
}

function docstring(node: Node): string | undefined {
  const first = fieldNode(node, "body")?.firstNamedChild;
  const text = first?.type === "expression_statement" ? first.firstNamedChild : first;
  if (text?.type !== "string") return undefined;
  return extractDocLine(
    text.text.slice(0, 1000).replace(/^[rRbBuU]*(?:"""|'''|"|')|(?:"""|'''|"|')$/g, ""),
  );
}
