// Parts of nodes of Zig's grammar, which has few fields.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";

/** Types of nodes that are types with members. */
const CONTAINER = /^(?:struct|union|enum|opaque)_declaration$/;

/** Returns whether the node declares a name: the grammar has the same node type for `x = y`. */
export function isDeclaration(node: number, tree: FlatSyntaxTree): boolean {
  const first = tree.child(node, 0);
  return first !== -1 && /\b(?:const|var)\b/.test(tree.text.slice(tree.start(node), tree.start(first)));
}

/** Returns the n-th name of a declaration; -1 if there is none. */
export function declaredName(number: number) {
  return (node: number, tree: FlatSyntaxTree): number => {
    const value = initialValue(node, tree);
    const names = tree
      .childrenOfType(node, "identifier")
      .filter((child) => child !== value && tree.fieldName(child) === "");
    return names[number] ?? -1;
  };
}

/** Returns what is assigned in a declaration or an assignment; -1 if nothing is. */
export function initialValue(node: number, tree: FlatSyntaxTree): number {
  const [before = -1, last = -1] = tree.children(node).slice(-2);
  return last !== -1 && tree.textBetween(before, last).includes("=") ? last : -1;
}

/** The same if the declaration has one name. */
export function valueOfOne(node: number, tree: FlatSyntaxTree): number {
  return declaredName(1)(node, tree) === -1 ? initialValue(node, tree) : -1;
}

/** Returns the n-th name between the bars after a condition: `|x, i|`. */
export function captured(number: number) {
  return (node: number, tree: FlatSyntaxTree): number => {
    const [payload = -1] = tree.childrenOfType(node, "payload");
    return payload === -1 ? -1 : tree.child(payload, number);
  };
}

/** Returns the n-th list of a loop: `for (a, b) |x, y|`. */
export function iterated(number: number) {
  return (node: number, tree: FlatSyntaxTree): number => {
    const children = tree.children(node);
    const payload = children.findIndex((child) => tree.typeName(child) === "payload");
    return number < payload ? (children[number] ?? -1) : -1;
  };
}

/** Returns the value of which a case of a `switch` has a part: the pattern, or the compared value after `else`. */
export function matched(node: number, tree: FlatSyntaxTree): number {
  const first = tree.child(node, 0);
  if (first === -1 || tree.typeName(first) === "payload") return tree.child(tree.parent(node), 0);
  return first;
}

/** Returns the value of one branch of an `if`. */
export function branch(number: number) {
  return (node: number, tree: FlatSyntaxTree): number => {
    const branches = tree
      .children(node)
      .filter((child) => tree.fieldName(child) !== "condition" && tree.typeName(child) !== "payload");
    const found = branches[number] ?? -1;
    return found !== -1 && tree.typeName(found) === "else_clause"
      ? tree.childInField(found, "alternative")
      : found;
  };
}

/** Returns the value of one case of a `switch`. */
export function caseValue(number: number) {
  return (node: number, tree: FlatSyntaxTree): number => {
    const one = tree.childrenOfType(node, "switch_case")[number];
    return one === undefined ? -1 : tree.child(one, -1);
  };
}

/** Returns the type of a field or of a value of an enum, which is the node itself: its type is that around it. */
export function fieldType(node: number, tree: FlatSyntaxTree): number {
  const type = tree.childInField(node, "type");
  return type === -1 ? node : type;
}

/** Returns the type that a function returns; of a generic type what it returns, unless that is its own structure. */
export function resultType(node: number, tree: FlatSyntaxTree): number {
  const type = tree.childInField(node, "type");
  if (type === -1 || tree.textOf(type) !== "type") return type;
  const body = tree.childInField(node, "body");
  const last = body === -1 ? -1 : tree.child(body, -1);
  const statement = last !== -1 && tree.typeName(last) === "expression_statement" ? last + 1 : last;
  if (statement === -1 || tree.typeName(statement) !== "return_expression") return -1;
  const value = tree.child(statement, 0);
  return value === -1 || CONTAINER.test(tree.typeName(value)) ? -1 : value;
}
