// Where the type of `.name` and `.{ … }` comes from: a declared type, a parameter, the other side of a comparison.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { ExpectedValue } from "../reference-rules.ts";
import { initialValue, isAlternative, declares, labelOf, resultOfCase } from "./nodes.ts";

/** Deeper values have no expected type. */
const MAX_DEPTH = 20;
/** In a call with more arguments, nothing is expected of them. */
const MAX_ARGUMENTS = 64;
/** Functions of the standard library whose arguments have one type. */
const SAME_TYPES = /^expectEqual(?:Deep|Slices)?$/;

type Finder = (node: number, parent: number, tree: FlatSyntaxTree) => Expectation;
/** A value; or the node whose expected type is that of the node; undefined if nothing is expected. */
type Expectation = ExpectedValue | { readonly like: number } | undefined;

/** Returns the value whose type a node is expected to have; undefined if nothing is expected. */
export function expectedValue(node: number, tree: FlatSyntaxTree): ExpectedValue | undefined {
  let at = node;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const parent = tree.parent(at);
    if (parent === -1) return undefined;
    const type = tree.typeName(parent);
    const find = Object.hasOwn(FINDERS, type) ? FINDERS[type] : undefined;
    const found = find?.(at, parent, tree);
    if (found === undefined) return undefined;
    if ("node" in found) return found.node === -1 ? undefined : found;
    at = found.like;
  }
  return undefined;
}

const LIKE_PARENT: Finder = (_node, parent) => ({ like: parent });

const FINDERS: Readonly<Record<string, Finder>> = {
  variable_declaration: (node, parent, tree) => {
    if (node !== initialValue(parent, tree)) return undefined;
    const declared = declares(parent, tree);
    return valueOf(declared ? tree.childInField(parent, "type") : tree.child(parent, 0));
  },
  container_field: (_node, parent, tree) => valueOf(tree.childInField(parent, "type")),
  assignment_expression: (node, parent, tree) => {
    if (tree.fieldName(node) === "right") return valueOf(tree.childInField(parent, "left"));
    // The name of a field.
    const list = tree.parent(parent);
    return tree.typeName(list) === "initializer_list" ? valueOf(tree.parent(list)) : undefined;
  },
  initializer_list: (_node, parent, tree) => ({ node: tree.parent(parent), step: "[]" }),
  binary_expression: (node, parent, tree) => {
    const left = tree.childInField(parent, "left");
    const right = tree.childInField(parent, "right");
    if (isAlternative(parent, tree)) return node === right ? valueOf(left) : { like: parent };
    const isComparison = left !== -1 && /[=!]=\s*$/.test(tree.textBetween(left, right));
    return isComparison ? valueOf(node === left ? right : left) : undefined;
  },
  return_expression: (_node, parent, tree) => valueOf(resultAround(parent, tree)),
  call_expression: (node, parent, tree) => {
    const callee = tree.childInField(parent, "function");
    // `.init(x)`
    return node === callee ? { like: parent } : argumentOf(node, callee, tree);
  },
  switch_case: (node, parent, tree) => {
    const around = tree.parent(parent);
    return node === resultOfCase(parent, tree) ? { like: around } : valueOf(tree.child(around, 0));
  },
  range_expression: LIKE_PARENT,
  switch_expression: (node, parent, tree) =>
    node === tree.child(parent, 0) ? undefined : { like: parent },
  if_expression: (node, parent, tree) =>
    tree.fieldName(node) === "condition" ? undefined : { like: parent },
  catch_expression: (node, parent, tree) =>
    node === tree.child(parent, 0) ? { like: parent } : valueOf(tree.child(parent, 0)),
  else_clause: LIKE_PARENT,
  labeled_statement: LIKE_PARENT,
  try_expression: LIKE_PARENT,
  comptime_expression: LIKE_PARENT,
  parenthesized_expression: LIKE_PARENT,
  unary_expression: LIKE_PARENT,
  break_expression: (_node, parent, tree) => labelled(parent, tree),
  arguments: (node, parent, tree) => {
    const builtin = tree.textOf(tree.child(tree.parent(parent), 0));
    const first = tree.child(parent, 0);
    return builtin === "@as" && node !== first ? valueOf(first) : undefined;
  },
};

function valueOf(node: number): Expectation {
  return { node, step: "" };
}

/** Returns the type that the function around a node returns; -1 if there is none. */
function resultAround(node: number, tree: FlatSyntaxTree): number {
  let around = node;
  while (around !== -1 && tree.typeName(around) !== "function_declaration") {
    around = tree.parent(around);
  }
  return around === -1 ? -1 : tree.childInField(around, "type");
}

function argumentOf(node: number, callee: number, tree: FlatSyntaxTree): Expectation {
  if (callee === -1) return undefined;
  const passed = argumentsNear(node, tree);
  if (passed === undefined) return undefined;
  const at = passed.indexOf(node);
  const last = tree.isLeaf(callee) ? callee : tree.childInField(callee, "member");
  if (last !== -1 && SAME_TYPES.test(tree.textOf(last))) return valueOf(passed[1 - at] ?? -1);
  return { node: callee, step: `{${at}/${passed.length}}` };
}

/** Returns the arguments of the call that has a node as one; undefined if they are too many. */
function argumentsNear(node: number, tree: FlatSyntaxTree): readonly number[] | undefined {
  const call = tree.parent(node);
  const found = [node];
  for (let at = tree.previous(node); at !== -1; at = tree.previous(at)) {
    found.unshift(at);
    if (found.length > MAX_ARGUMENTS) return undefined;
  }
  for (let at = tree.next(node); at < tree.next(call); at = tree.next(at)) {
    found.push(at);
    if (found.length > MAX_ARGUMENTS) return undefined;
  }
  // The first child is the function.
  return found.slice(1);
}

/** Returns the block of a `break :label`, whose value is that of the block. */
function labelled(node: number, tree: FlatSyntaxTree): Expectation {
  const name = labelOf(node, "break_label", tree);
  if (name === "") return undefined;
  for (let around = tree.parent(node); around !== -1; around = tree.parent(around)) {
    if (tree.typeName(around) === "function_declaration") return undefined;
    if (labelOf(around, "block_label", tree) === name) return { like: around };
  }
  return undefined;
}
