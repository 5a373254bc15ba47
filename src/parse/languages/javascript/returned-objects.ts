// Functions that return an object literal: its keys are members of the function.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import {
  CALLS_AT_ONCE,
  OPEN_TYPE,
  SAME_MEMBERS,
  SAME_METHODS,
  TYPED,
  WRAPPERS,
} from "./object-members.ts";

/** Levels of syntax between a function and the object that it returns. */
const MAX_LEVELS = 30;

/** Returns the type of `x as Foo` and `x satisfies Foo`; -1 for `x as const` and a type that names no members. */
export function typeWithMembers(expression: number, tree: FlatSyntaxTree): number {
  const type = tree.child(expression, 1);
  return type === -1 || OPEN_TYPE.test(tree.textOf(type)) ? -1 : type;
}

/** Returns whether a function, which has no declared result, returns an object whose keys are symbols. */
export function returnsObject(callable: number, tree: FlatSyntaxTree): boolean {
  let node = valueReturnedBy(callable, tree);
  for (let left = MAX_LEVELS; left > 0 && node !== -1; left -= 1) {
    const type = tree.typeName(node);
    if (type === "object") return true;
    if (TYPED.test(type) && typeWithMembers(node, tree) !== -1) return false;
    node = WRAPPERS.test(type) ? tree.child(node, 0) : objectPassed(node, tree);
  }
  return false;
}

/** Returns the value of the last statement, or of an arrow function without one; -1 if there is none. */
function valueReturnedBy(callable: number, tree: FlatSyntaxTree): number {
  const body = tree.childInField(callable, "body");
  if (body === -1 || tree.typeName(body) !== "statement_block") return body;
  const last = tree.children(body).at(-1) ?? -1;
  return last !== -1 && tree.typeName(last) === "return_statement" ? tree.child(last, 0) : -1;
}

/** Returns what a call returns with the same members: its argument, its object, or the result of the function that it calls at once. */
function objectPassed(call: number, tree: FlatSyntaxTree): number {
  if (tree.typeName(call) !== "call_expression") return -1;
  const callee = tree.childInField(call, "function");
  const list = tree.childInField(call, "arguments");
  if (callee === -1 || list === -1) return -1;
  const object = tree.childInField(callee, "object");
  if (object !== -1 && tree.typeName(object) === "call_expression") {
    return SAME_METHODS.test(tree.textOf(tree.childInField(callee, "property"))) ? object : -1;
  }
  const name = tree.end(callee) - tree.start(callee) < 40 ? tree.textOf(callee) : "";
  if (CALLS_AT_ONCE.test(name)) {
    const first = tree.child(list, 0);
    if (first === -1 || tree.typeName(first) !== "arrow_function") return first;
    return valueReturnedBy(first, tree);
  }
  if (!SAME_MEMBERS.test(name)) return -1;
  return tree.children(list).find((one) => tree.typeName(one) === "object") ?? -1;
}

/** Returns the function that is the last argument of a call: who calls its result gets the result of that function. -1 for others. */
export function wrappedFunction(call: number, tree: FlatSyntaxTree): number {
  if (tree.typeName(call) !== "call_expression") return -1;
  const list = tree.childInField(call, "arguments");
  const last = list === -1 ? -1 : tree.child(list, -1);
  return last !== -1 && /^(?:arrow_function|function_expression)$/.test(tree.typeName(last))
    ? last
    : -1;
}
