// Parts of nodes of Lua: names and values of assignments, metatables, and what `self` is.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { SelfRule } from "../reference-rules.ts";

/** The first statements of a function in which `local self = …` is searched. */
const MAX_STATEMENTS = 20;

/** Returns the only child of a type; -1 if there is none. */
function childOf(type: string) {
  return (node: number, tree: FlatSyntaxTree): number => tree.childrenOfType(node, type)[0] ?? -1;
}

export const variableList = childOf("variable_list");
export const valueList = childOf("expression_list");

/** Returns whether an assignment declares its names. */
export function isLocal(node: number, tree: FlatSyntaxTree): boolean {
  return tree.typeName(tree.parent(node)) === "variable_declaration";
}

/** Returns whether a function has a plain name. */
export function hasPlainName(node: number, tree: FlatSyntaxTree): boolean {
  const name = tree.childInField(node, "name");
  return name !== -1 && tree.typeName(name) === "identifier";
}

/** Returns the first value of an assignment. */
export function firstAssigned(node: number, tree: FlatSyntaxTree): number {
  const values = valueList(node, tree);
  return values === -1 ? -1 : tree.child(values, 0);
}

/** Returns what a loop goes through: the argument of `pairs` and `ipairs`, else the iterator. */
export function loopedOver(node: number, tree: FlatSyntaxTree): number {
  const values = valueList(node, tree);
  const first = values === -1 ? -1 : tree.child(values, 0);
  if (first === -1 || tree.typeName(first) !== "function_call") return first;
  const name = calleeText(first, tree);
  return /^i?pairs$/.test(name) ? argument(first, 0, tree) : first;
}

/** Returns the text of the called name; "" if it is long. */
export function calleeText(call: number, tree: FlatSyntaxTree): string {
  const callee = tree.childInField(call, "name");
  const isShort = callee !== -1 && tree.end(callee) - tree.start(callee) <= 40;
  return isShort ? tree.textOf(callee) : "";
}

/** Returns the n-th argument of a call; -1 if there is none. */
export function argument(call: number, number: number, tree: FlatSyntaxTree): number {
  const list = tree.childInField(call, "arguments");
  return list === -1 ? -1 : tree.child(list, number);
}

/** Returns the value of the field `__index` of a table; -1 if it has none. */
export function indexOf(table: number, tree: FlatSyntaxTree): number {
  for (const field of tree.childrenOfType(table, "field")) {
    const name = tree.childInField(field, "name");
    if (name !== -1 && tree.textOf(name) === "__index") return tree.childInField(field, "value");
  }
  return -1;
}

/** Returns the table that an object has its members from after `setmetatable(object, table)`; -1 for other calls. */
export function metatableOf(call: number, tree: FlatSyntaxTree): number {
  return tree.typeName(call) === "function_call" && calleeText(call, tree) === "setmetatable"
    ? argument(call, 1, tree)
    : -1;
}

/** Returns what `self` is in a function: the table of a method, or what the function assigns to `self`. */
export function selfOfLua(node: number, tree: FlatSyntaxTree): SelfRule | undefined {
  const name = nameOfFunction(node, tree);
  const type = name === -1 ? "" : tree.typeName(name);
  const table = /^(?:dot|method)_index_expression$/.test(type)
    ? tree.childInField(name, "table")
    : -1;
  if (type === "method_index_expression") return { type: () => table };
  const own = ownSelf(node, tree);
  if (own !== -1) return { type: () => own };
  const list = tree.childInField(node, "parameters");
  const first = list === -1 ? -1 : tree.child(list, 0);
  if (first === -1 || tree.textOf(first) !== "self") return undefined;
  return table === -1 ? "none" : { type: () => table };
}

/** Returns the name of a function, or that to which it is assigned; -1 if it has none. */
function nameOfFunction(node: number, tree: FlatSyntaxTree): number {
  if (tree.typeName(node) === "function_declaration") return tree.childInField(node, "name");
  const values = tree.parent(node);
  const assignment = tree.typeName(values) === "expression_list" ? tree.parent(values) : -1;
  if (assignment === -1 || tree.typeName(assignment) !== "assignment_statement") return -1;
  const names = variableList(assignment, tree);
  return names === -1 ? -1 : tree.child(names, 0);
}

/** Returns the value of `local self = …` among the first statements of a function. */
function ownSelf(node: number, tree: FlatSyntaxTree): number {
  const body = tree.childInField(node, "body");
  if (body === -1) return -1;
  for (const statement of tree.children(body).slice(0, MAX_STATEMENTS)) {
    if (tree.typeName(statement) !== "variable_declaration") continue;
    const assignment = tree.child(statement, 0);
    const names = assignment === -1 ? -1 : variableList(assignment, tree);
    const first = names === -1 ? -1 : tree.child(names, 0);
    if (first !== -1 && tree.textOf(first) === "self") return firstAssigned(assignment, tree);
  }
  return -1;
}

/** Returns whether a node is in a statement of the file, outside of all functions. */
export function isOfFile(node: number, tree: FlatSyntaxTree): boolean {
  for (
    let around = tree.parent(node), left = 8;
    left > 0;
    around = tree.parent(around), left -= 1
  ) {
    if (around <= 0) return around === 0;
    if (tree.typeName(around).startsWith("function_de")) return false;
  }
  return false;
}

/** Returns whether a key of a table is a name, not a value in brackets. */
export function hasNamedKey(field: number, tree: FlatSyntaxTree): boolean {
  return tree.text[tree.start(field)] !== "[";
}

/** Returns the first node from which a name is visible: a local variable after its declaration, a local function in itself too. */
export function firstVisible(leaf: number, tree: FlatSyntaxTree): number {
  const parent = tree.parent(leaf);
  if (parent !== -1 && tree.fieldName(parent) === "local_declaration") return leaf;
  const statement = parent === -1 ? -1 : tree.parent(parent);
  if (statement === -1 || tree.typeName(parent) !== "variable_list") return -1;
  if (tree.typeName(statement) === "variable_declaration") return tree.next(statement);
  return isLocal(statement, tree) ? tree.next(statement) : -1;
}
