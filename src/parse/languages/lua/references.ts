import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { NodeRule, ReferenceRules, Roles } from "../reference-rules.ts";
import { annotatedBase, luaTypes } from "./annotations.ts";
import { readRequired, readRequiredInside, readReturned } from "./modules.ts";
import {
  argument,
  calleeText,
  firstAssigned,
  firstVisible,
  hasNamedKey,
  hasPlainName,
  indexOf,
  isLocal,
  isOfFile,
  loopedOver,
  metatableOf,
  selfOfLua,
  valueList,
  variableList,
} from "./nodes.ts";

const FUNCTION: NodeRule = {
  scope: "function",
  self: selfOfLua,
  value: { is: "function", body: "body" },
};
const METAMETHOD =
  /^__(?:index|newindex|call|tostring|len|eq|lt|le|concat|gc|mode|name|metatable|pairs|ipairs|unm|add|sub|mul|div|mod|pow|idiv|close|b\w+|sh[lr])$/;
const BLOCK: NodeRule = { scope: "block" };
const THROUGH: NodeRule = { value: { is: "through", of: 0 } };

export const luaReferences: ReferenceRules = {
  names: { identifier: "value" },
  ignored:
    "_ self _G _ENV require setmetatable getmetatable pairs ipairs rawget rawset pcall xpcall tostring tonumber".split(
      " ",
    ),
  selfType: "self",
  isSequential: true,
  symbolFrom: firstVisible,
  hasUnions: true,
  returns: ["return_statement"],
  blocks: ["block"],
  documented: luaTypes,
  blockResult: metatableOf,
  nodes: {
    // Scopes and declarations.
    function_declaration: {
      ...FUNCTION,
      declares: [{ names: "name", when: hasPlainName, isRecursive: true }],
    },
    function_definition: FUNCTION,
    parameters: { declares: [{ names: "*", isParameter: true }] },
    block: BLOCK,
    for_statement: BLOCK,
    for_generic_clause: {
      declares: [{ names: variableList, value: loopedOver, step: "[]" }],
    },
    for_numeric_clause: { declares: [{ names: "name" }] },
    variable_list: { pattern: { is: "each", step: "?", inLoop: ["?", "[]"] } },
    variable_declaration: { declares: [{ names: variableList }] },
    assignment_statement: {
      imports: readRequired,
      declares: [{ names: variableList, value: valueList, isParallel: true, when: isLocal }],
      holds: { value: firstAssigned, comment: annotatedBase },
    },
    attribute: { isIgnored: true },
    goto_statement: { isIgnored: true },
    label_statement: { isIgnored: true },
    return_statement: { ...THROUGH, imports: readReturned },
    expression_list: THROUGH,
    parenthesized_expression: THROUGH,
    // Expressions.
    dot_index_expression: {
      value: { is: "member", object: "table", name: "field" },
      // Lua itself uses `__index`.
      accepts: (name) => !METAMETHOD.test(name),
    },
    method_index_expression: { value: { is: "member", object: "table", name: "method" } },
    bracket_index_expression: { value: { is: "element", of: "table", index: "field" } },
    function_call: {
      imports: readRequiredInside,
      value: { is: "call", callee: "name", arguments: "arguments" },
      roles: { name: "call" },
      type: { is: "value", of: ".", isInstance: true },
    },
    arguments: { roles: basesIn },
    binary_expression: {
      value: { is: "either", of: [leftOfAlternative, "right"], when: isChoice },
    },
    string: { value: { is: "literal", type: "string" } },
    // A table with `__index` has the members of that.
    table_constructor: { value: { is: "through", of: indexOf } },
    field: { roles: rolesInField, holds: { value: "value" } },
    identifier: { type: { is: "value", of: ".", isInstance: true } },
  },
};

/** What a class has its members from is what it inherits from: `setmetatable({}, { __index = Base })`. */
function rolesInField(node: number, tree: FlatSyntaxTree): Roles | undefined {
  if (!hasNamedKey(node, tree)) return undefined;
  const name = tree.childInField(node, "name");
  const isBase = name !== -1 && tree.textOf(name) === "__index" && isOfFile(node, tree);
  return isBase ? { name: "none", value: "inherit" } : { name: "none" };
}

/** The same for `setmetatable({}, Base)`. */
function basesIn(node: number, tree: FlatSyntaxTree): Roles | undefined {
  const call = tree.parent(node);
  if (calleeText(call, tree) !== "setmetatable" || !isOfFile(call, tree)) return undefined;
  const base = argument(call, 1, tree);
  const isNamed = base !== -1 && tree.typeName(base) === "identifier";
  const table = argument(call, 0, tree);
  return isNamed && tree.typeName(table) === "table_constructor" ? { "*": "inherit" } : undefined;
}

function operatorOf(node: number, tree: FlatSyntaxTree): string {
  const left = tree.childInField(node, "left");
  const right = tree.childInField(node, "right");
  return left === -1 || right === -1
    ? ""
    : (/\b(?:or|and)\s*\(?$/.exec(tree.textBetween(left, right))?.[0].trim() ?? "");
}

/** Returns whether the value of an operation is one of both sides. */
function isChoice(node: number, tree: FlatSyntaxTree): boolean {
  return operatorOf(node, tree) !== "";
}

/** The value of `a and b` is that of `b`. */
function leftOfAlternative(node: number, tree: FlatSyntaxTree): number {
  return operatorOf(node, tree).startsWith("or") ? tree.childInField(node, "left") : -1;
}
